/// What happens to a practice session.
package enum PracticeEvent: Sendable, Hashable {
    /// Starts at the place the session is at, the sound of its segment from the beginning; a finished session starts over.
    ///
    /// The clock may start over with it too, as it does when a page is opened again.
    case begin
    /// A segment has been heard to its end.
    case playbackFinished(PracticeSession.Token, seconds: Double)
    /// A segment could not be spoken or played.
    case playbackFailed(PracticeSession.Token)
    /// A pause of the given or the greatest length is over.
    case echoElapsed(PracticeSession.Token)
    /// The speaker has fallen silent.
    case silenceHeard(PracticeSession.Token)
    case pause
    case resume
    case interrupt(PracticeSession.Interruption)
    case next
    case previous
    case jump(Int)
    /// - Parameter segment: The number that the present place has, for settings that cut the text into other segments.
    case setSettings(PracticeSettings, segment: Int? = nil)
    /// So many segments are known, and whether there are no more.
    case segmentsKnown(Int, isComplete: Bool)
    case end
}

/// What is to be done after an event, in its order.
package enum PracticeAction: Sendable, Hashable {
    /// A segment will be heard soon.
    case prepare(segment: Int, rate: Double)
    case play(PracticeSession.Token, segment: Int, rate: Double)
    case suspendPlayback(PracticeSession.Token)
    case resumePlayback(PracticeSession.Token)
    case stopPlayback(PracticeSession.Token)
    /// - Parameters:
    ///   - segment: What is repeated.
    ///   - seconds: How long the pause is; `nil` when it lasts until the speaker has fallen silent.
    ///   - longest: How long it is at most, in seconds.
    case startEcho(PracticeSession.Token, segment: Int, seconds: Double?, longest: Double)
    case suspendEcho(PracticeSession.Token)
    /// - Parameter remaining: How long it continues at most, in seconds.
    case resumeEcho(PracticeSession.Token, remaining: Double)
    /// - Parameter keepsTake: Whether what was recorded is a whole take; otherwise it is discarded.
    case stopEcho(PracticeSession.Token, keepsTake: Bool)
    case signal(Signal)
    case summarize

    /// What a person notices without words.
    package enum Signal: String, Sendable, Hashable, Codable {
        case segmentEnd, navigation, finished
    }
}
