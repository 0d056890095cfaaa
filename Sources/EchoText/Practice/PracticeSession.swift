/// The state machine of practice: which segment is played or repeated, and what follows.
///
/// It has no clock, plays nothing and waits for nothing: events go to ``handle(_:at:)``, which returns actions. At most
/// one sound or one pause is active at any time.
package struct PracticeSession: Sendable, Hashable, Codable {
    /// Identifies a sound or pause of a session; numbers increase, and events of an earlier one are ignored.
    package typealias Token = Int

    /// The activity while the session is not paused.
    package enum Activity: String, Sendable, Hashable, Codable {
        case playing, echo
    }

    package enum Phase: Sendable, Hashable, Codable {
        case idle
        case playing
        case echo
        case paused(in: Activity)
        case finished
    }

    /// Why a session paused by itself.
    package enum Interruption: String, Sendable, Hashable, Codable {
        /// Another program came to the front, as a telephone call does.
        case hidden
        /// The loudspeaker or microphone was disconnected.
        case deviceLost
        case locked
    }

    package struct Position: Sendable, Hashable, Codable {
        /// All from 1.
        package var segment = 1
        package var repetition = 1
        package var pass = 1

        package init(segment: Int = 1, repetition: Int = 1, pass: Int = 1) {
            (self.segment, self.repetition, self.pass) = (segment, repetition, pass)
        }
    }

    package private(set) var phase = Phase.idle
    /// Why it paused, when it did so by itself.
    package private(set) var interruption: Interruption?
    private var course: PracticeCourse
    /// The last sound or pause that was begun.
    private var token = 0
    /// Whether that activity has started, be it running or suspended.
    private var isBegun = false
    private var clock = Duration.zero
    /// The duration of the segment's playback, in seconds.
    private var heard = 0.0
    /// How much of the pause remained at ``echoMark``, in seconds.
    private var echoLeft = 0.0
    private var echoMark = Duration.zero
    /// The length of the last pause that was begun, in seconds; `nil` when it lasts until the speaker falls silent.
    private var echoSeconds: Double?

    /// - Parameters:
    ///   - settings: Settings that ``PracticeSettings/checked()`` returned.
    ///   - segment: The first segment, from 1.
    ///   - known: How many segments are known.
    ///   - isComplete: Whether these are all segments.
    package init(_ settings: PracticeSettings, from segment: Int = 1, known: Int = 0, isComplete: Bool = false) {
        course = PracticeCourse(settings, from: segment, known: known, isComplete: isComplete)
    }

    package var settings: PracticeSettings { course.settings }
    package var position: Position { course.position }
    /// How many segments are known.
    package var known: Int { course.known }
    /// Whether there are no more.
    package var isComplete: Bool { course.isComplete }
    /// Whether no pause for a repetition follows the present segment.
    package var isWithoutEcho: Bool { course.isWithoutEcho }
    /// The rate of the present segment.
    package var rate: Double { course.rate }
    /// The rest of the pause, in seconds, as of the last event; `nil` outside a pause.
    package var remainingEcho: Double? {
        switch phase {
        case .echo: max(0, echoLeft - (clock - echoMark) / .seconds(1))
        case .paused(in: .echo): isBegun ? echoLeft : echoLength.longest
        default: nil
        }
    }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - time: The time of the event by any clock; a time before an earlier event's counts as that event's.
    /// - Returns: The actions, in order.
    package mutating func handle(_ event: PracticeEvent, at time: Duration) -> [PracticeAction] {
        clock = event == .begin ? time : max(clock, time)
        switch event {
        case .begin: return begin()
        case .playbackFinished(let token, let seconds): return isPlaying(token) ? playbackFinished(seconds) : []
        case .playbackFailed(let token): return isPlaying(token) ? playbackFailed() : []
        case .echoElapsed(let token): return isEcho(token) ? echoFinished() : []
        case .silenceHeard(let token): return isEcho(token) && settings.echo == .wait ? echoFinished() : []
        case .pause: return pause()
        case .resume: return resume()
        case .interrupt(let reason): return interrupt(reason)
        case .next: return next()
        case .previous:
            return move { course in
                course.goBack()
            } from: {
                $0.startOver(at: $0.known)
            }
        case .jump(let segment):
            return move {
                $0.go(to: segment)
            } from: {
                $0.startOver(at: segment)
            }
        case .setSettings(let settings, let segment): return change(to: settings, segment: segment)
        case .segmentsKnown(let count, let isComplete): return learn(count, isComplete: isComplete)
        case .end: return phase == .finished ? [] : stop() + finish()
        }
    }

    /// The session as another process continues it: idle at the same position, unless it is finished, since no sound is
    /// playing any more.
    package func restored() -> PracticeSession {
        var session = self
        session.clock = .zero
        session.isBegun = false
        session.interruption = nil
        // It comes from a library, whose rows may be damaged.
        session.course.bound()
        session.token = min(max(0, token), Self.mostTokens)
        session.heard = min(max(0, heard), Self.longestHeard)
        if !(Duration.zero...Self.longestClock).contains(echoMark) { session.echoMark = .zero }
        if phase != .finished { session.phase = .idle }
        return session
    }

    /// The same session, with its turns recorded or not.
    package func recorded(_ records: Bool) -> PracticeSession {
        var session = self
        session.course.record(records)
        return session
    }

    // MARK: - State

    private var activity: Activity? {
        switch phase {
        case .playing: .playing
        case .echo: .echo
        case .paused(let activity): activity
        case .idle, .finished: nil
        }
    }

    private var isPaused: Bool { if case .paused = phase { true } else { false } }

    private func isPlaying(_ token: Token) -> Bool { isBegun && token == self.token && activity == .playing }

    private func isEcho(_ token: Token) -> Bool { isBegun && token == self.token && activity == .echo }

    /// How long the pause after the segment lasts, and at most, in seconds.
    private var echoLength: (seconds: Double?, longest: Double) {
        let seconds = heard * settings.factor
        return settings.echo == .wait ? (nil, max(Self.shortestWait, Self.waitFactor * seconds)) : (seconds, seconds)
    }

    /// The factor and the minimum, in seconds, by which a pause that waits for the speaker is longer than a timed one.
    private static let (waitFactor, shortestWait) = (4.0, 10.0)
    /// The upper limit of a playback duration that a player reports, in seconds.
    private static let longestHeard = 3_600.0
    /// More tokens than a session has used, and a later time than a clock shows.
    private static let (mostTokens, longestClock) = (1 << 40, Duration.seconds(1 << 40))

    // MARK: - Beginning and ending

    private mutating func begin() -> [PracticeAction] {
        guard !course.isEmpty else { return phase == .finished ? [] : finish() }
        let stopped = stop()
        if phase == .finished { course.startOver() }
        phase = .playing
        return stopped + start()
    }

    /// Changes to the beginning of an activity; a paused session stays paused there.
    private mutating func enter(_ activity: Activity) -> [PracticeAction] {
        if isPaused {
            phase = .paused(in: activity)
            return []
        }
        phase = activity == .playing ? .playing : .echo
        return start()
    }

    /// Starts the activity of the phase.
    private mutating func start() -> [PracticeAction] {
        token += 1
        isBegun = true
        interruption = nil
        guard activity == .echo else {
            return [.play(token, segment: position.segment, rate: rate)] + prepare()
        }
        let length = echoLength
        (echoLeft, echoMark, echoSeconds) = (length.longest, clock, length.seconds)
        return [.startEcho(token, segment: position.segment, seconds: length.seconds, longest: length.longest)]
    }

    private func prepare() -> [PracticeAction] {
        course.upcoming.map { [.prepare(segment: $0.segment, rate: $0.rate)] } ?? []
    }

    /// Stops the current sound or pause.
    private mutating func stop(keepsTake: Bool = false) -> [PracticeAction] {
        guard isBegun else { return [] }
        isBegun = false
        return activity == .echo
            ? [.stopEcho(token, keepsTake: keepsTake && settings.records)] : [.stopPlayback(token)]
    }

    private mutating func finish() -> [PracticeAction] {
        phase = .finished
        interruption = nil
        return [.signal(.finished), .summarize]
    }

    // MARK: - Sounds and pauses that end

    private mutating func playbackFinished(_ seconds: Double) -> [PracticeAction] {
        isBegun = false
        heard = seconds.isFinite ? min(max(0, seconds), Self.longestHeard) : 0
        course.confirm()
        if !course.isWithoutEcho { return [.signal(.segmentEnd)] + enter(.echo) }
        return [.signal(.segmentEnd)] + (course.advance() ? enter(.playing) : finish())
    }

    private mutating func playbackFailed() -> [PracticeAction] {
        isBegun = false
        phase = .paused(in: .playing)
        return []
    }

    private mutating func echoFinished(keepsTake: Bool = true) -> [PracticeAction] {
        stop(keepsTake: keepsTake) + (course.advance() ? enter(.playing) : finish())
    }

    // MARK: - Pausing

    private mutating func pause() -> [PracticeAction] {
        switch phase {
        case .playing:
            phase = .paused(in: .playing)
            return [.suspendPlayback(token)]
        case .echo:
            echoLeft = remainingEcho ?? 0
            phase = .paused(in: .echo)
            return [.suspendEcho(token)]
        case .idle, .paused, .finished: return []
        }
    }

    private mutating func interrupt(_ reason: Interruption) -> [PracticeAction] {
        let actions = pause()
        if !actions.isEmpty { interruption = reason }
        return actions
    }

    private mutating func resume() -> [PracticeAction] {
        guard case .paused(let activity) = phase else { return phase == .idle ? begin() : [] }
        phase = activity == .playing ? .playing : .echo
        guard isBegun else { return start() }
        interruption = nil
        guard activity == .echo else { return [.resumePlayback(token)] }
        echoMark = clock
        return [.resumeEcho(token, remaining: echoLeft)]
    }

    // MARK: - Moving

    private mutating func next() -> [PracticeAction] {
        guard phase != .finished else { return [] }
        // A person who moves on during a pause has finished speaking.
        let stopped = stop(keepsTake: true)
        guard course.goForward() else { return phase == .idle ? [] : stopped + finish() }
        return stopped + [.signal(.navigation)] + (phase == .idle ? [] : enter(.playing))
    }

    /// Moves by `way`, or by `reopening` if the session is finished, which then continues.
    private mutating func move(
        _ way: (inout PracticeCourse) -> Void,
        from reopening: (inout PracticeCourse) -> Void
    ) -> [PracticeAction] {
        guard phase != .finished else {
            guard !course.isEmpty else { return [] }
            reopening(&course)
            phase = .playing
            return [.signal(.navigation)] + start()
        }
        let stopped = stop()
        way(&course)
        return stopped + [.signal(.navigation)] + (phase == .idle ? [] : enter(.playing))
    }

    // MARK: - Changes

    private mutating func change(to settings: PracticeSettings, segment: Int?) -> [PracticeAction] {
        guard let settings = try? settings.checked() else { return [] }  // the sender already has the error
        let coming = course.upcoming
        if course.change(to: settings, segment: segment) {
            return activity == nil ? [] : stop() + enter(.playing)
        }
        if activity == .echo, course.isWithoutEcho { return echoFinished(keepsTake: false) }
        // The silence that ends a waiting pause is not listened to any more.
        if activity == .echo, isBegun, echoSeconds == nil, settings.echo != .wait {
            return stop() + enter(.echo) + announce(after: coming)
        }
        return announce(after: coming)
    }

    private mutating func learn(_ count: Int, isComplete: Bool) -> [PracticeAction] {
        let coming = course.upcoming
        if course.learn(count, isComplete: isComplete) {
            return course.isEmpty && activity != nil ? stop() + finish() : announce(after: coming)
        }
        // The segment that was to be next does not exist.
        guard activity != nil else { return [] }
        let stopped = stop()
        guard !course.isEmpty, course.goForward() else { return stopped + finish() }
        return stopped + enter(.playing)
    }

    /// Requests preparation of the next sound, if that has changed.
    private func announce(after coming: (segment: Int, rate: Double)?) -> [PracticeAction] {
        guard activity != nil, let next = course.upcoming, coming.map({ $0 != next }) ?? true else { return [] }
        return prepare()
    }
}

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

/// An action that the caller has to take after an event.
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

/// Why something cannot be practiced.
package enum PracticeError: UserFacingError, Equatable {
    /// A setting has a value that it cannot have.
    case outOfRange(setting: String, allowed: String)
    /// The text has nothing to speak.
    case nothingToSay
    /// Nothing that is said in the recording is written down.
    case noTranscript
    /// No voice that is installed speaks the language (BCP 47).
    case noVoice(language: String)
    case sessionNotFound
    /// The document that is read in a session was deleted.
    case documentDeleted
    case takeNotFound
    /// Segments are counted from 1.
    case noSuchSegment(Int)
    /// No hard segment is due.
    case nothingDue
    /// The take is no 16-bit mono WAV sound.
    case invalidTake
    /// In seconds.
    case takeTooLong(limit: Int)

    package var failure: Failure {
        switch self {
        case .outOfRange(let setting, let allowed):
            Failure(.invalidRequest, "practice.out-of-range", "“\(setting)” cannot have that value.")
                .suggesting("It takes \(allowed).")
        case .nothingToSay:
            Failure(.invalidContent, "practice.nothing-to-say", "There is nothing in the text that can be said.")
                .suggesting("Give a text with words in it.")
        case .noTranscript:
            Failure(
                .invalidContent,
                "practice.no-transcript",
                "Nothing that is said in this recording has been written down."
            )
            .suggesting("Transcribe it first.", inTerminal: "Transcribe it first with “echotext transcribe”.")
        case .noVoice(let language):
            Failure(.unavailable, "practice.no-voice", "No voice that is installed speaks the language “\(language)”.")
                .suggesting(
                    "Install one on the Voices page, or choose another language for the text.",
                    inTerminal: "Install one with “echotext voices download”, or choose another language for the text."
                )
        case .sessionNotFound:
            Failure(.notFound, "practice.session-not-found", "There is no such practice session.")
                .suggesting(
                    "Begin another from a speech, a document or a recording.",
                    inTerminal: "“echotext practice history” lists them."
                )
        case .documentDeleted:
            Failure(.notFound, "practice.document-deleted", "The document that is read in this practice was deleted.")
                .suggesting(
                    "What you recorded is still here. To practise the text, import the document again.",
                    inTerminal: "Its takes stay. Import the document again and begin by “echotext practice --document”."
                )
        case .takeNotFound:
            Failure(.notFound, "practice.take-not-found", "There is no such take.")
                .suggesting(
                    "It may have been discarded when it was scored; “How to practise” can keep them.",
                    inTerminal: "It may have been discarded when it was scored."
                )
        case .noSuchSegment(let number):
            Failure(.notFound, "practice.no-such-segment", "The text has no part \(number).")
                .suggesting("Its sentences or paragraphs are counted from 1.")
        case .nothingDue:
            Failure(.conflict, "practice.nothing-due", "No hard sentence is due.")
                .suggesting("Practise something else; what was hard is offered again after some days.")
        case .invalidTake:
            Failure(
                .unsupportedMediaType,
                "practice.invalid-take",
                "What was recorded cannot be used: a take is 16-bit mono WAV sound."
            )
            .suggesting("Say it once more.")
        case .takeTooLong(let limit):
            Failure(.tooLarge, "practice.take-too-long", "The take is longer than \(limit / 60) minutes.")
                .suggesting("Practise shorter parts, such as sentences.")
        }
    }
}
