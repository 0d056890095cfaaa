/// An event of a practice session.
package enum PracticeEvent: Sendable, Hashable {
    /// Starts at the present segment, from its beginning; a finished session starts over.
    ///
    /// The clock may restart too, as it does when a page is reopened.
    case begin
    /// A segment was played to its end.
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
    /// - Parameter segment: The number of the present segment, if the settings segment the text differently.
    case setSettings(PracticeSettings, segment: Int? = nil)
    /// The number of known segments, and whether these are all.
    case segmentsKnown(Int, isComplete: Bool)
    case end
}

/// What the caller has to do after an event, in order.
package enum PracticeAction: Sendable, Hashable {
    /// A segment will be played soon.
    case prepare(segment: Int, rate: Double)
    case play(PracticeSession.Token, segment: Int, rate: Double)
    case suspendPlayback(PracticeSession.Token)
    case resumePlayback(PracticeSession.Token)
    case stopPlayback(PracticeSession.Token)
    /// - Parameters:
    ///   - segment: The segment to repeat.
    ///   - seconds: The length of the pause; `nil` when it lasts until the speaker falls silent.
    ///   - longest: The maximum length, in seconds.
    case startEcho(PracticeSession.Token, segment: Int, seconds: Double?, longest: Double)
    case suspendEcho(PracticeSession.Token)
    /// - Parameter remaining: How long it continues at most, in seconds.
    case resumeEcho(PracticeSession.Token, remaining: Double)
    /// - Parameter keepsTake: Whether the recording is a complete take; otherwise it is discarded.
    case stopEcho(PracticeSession.Token, keepsTake: Bool)
    case signal(Signal)
    case summarize

    /// A cue to the person without words.
    package enum Signal: String, Sendable, Hashable, Codable {
        case segmentEnd, navigation, finished
    }
}
