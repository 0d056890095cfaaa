/// Why a text could not be spoken.
package enum SynthesisError: UserFacingError, Equatable {
    case nothingToSay
    /// The pauses that a text asks for last longer than ``PauseTags/maximumSeconds``.
    case tooMuchSilence
    /// `similar` holds the voices with the most similar names, best first; it may be empty.
    case voiceNotInstalled(Voice.ID, similar: [Voice.ID] = [])
    case noSuchSpeaker(Int, of: Voice.ID, count: Int)
    /// `names` holds names that the voice's people have, perhaps not all; it is empty where they have none.
    case noSpeakerCalled(String, of: Voice.ID, names: [String])
    case speedOutOfRange(Double)
    case pitchOutOfRange(Double)
    case chanceOutOfRange(Double)
    case rateOutOfRange(Double)
    /// The engine failed; `status` is its own error code, if it has one, for the log.
    case engineFailed(Voice.Engine, status: Int32?)
    /// The engine's process crashed on each attempt to synthesize this; `over` is the text, if known.
    case engineDied(Voice.Engine, over: String? = nil)
    /// The engine did not respond for longer than the watchdog allows.
    case timedOut(Voice.Engine, phase: Phase, seconds: Double)

    /// The phase of an engine's work.
    package enum Phase: String, Sendable, Equatable {
        case loading
        case phonemizing
        case synthesizing
    }

    package var failure: Failure {
        switch self {
        case .nothingToSay:
            Failure(.missingInput, "speech.nothing-to-say", "There is no text to speak.")
                .suggesting("Give a text as an argument, in a file with -f, or on standard input.")
        case .tooMuchSilence:
            Failure(
                .invalidContent,
                "speech.too-much-silence",
                "The pauses in this text last more than \(Int(PauseTags.maximumSeconds) / 3_600) hours in all."
            )
            .suggesting("Take out some of its [pause] tags, or make them shorter.")
        case .voiceNotInstalled(let id, let similar):
            Failure(.unavailable, "voice.not-installed", "The voice “\(id)” is not installed.")
                .suggesting(Self.ways(to: similar))
        case .noSuchSpeaker(let number, let id, let count):
            Failure(
                .invalidRequest,
                "voice.no-such-speaker",
                "The voice “\(id)” has no speaker \(number); it has \(count == 1 ? "only speaker 0" : "0 to \(count - 1)")."
            )
            .suggesting("Choose one of them with --speaker.")
        case .noSpeakerCalled(let name, let id, let names):
            Failure(
                .invalidRequest,
                "voice.no-speaker-called",
                "The voice “\(id)” has no speaker called “\(name.prefix(60))”."
            )
            .suggesting(
                names.isEmpty
                    ? "Choose one by number, from 0; “echotext voices show \(id)” says how many there are."
                    : "Choose one such as \(names.joined(separator: ", ")), or by number from 0."
            )
        case .speedOutOfRange(let speed):
            Failure(.invalidRequest, "speech.speed-out-of-range", "A speed of \(speed) cannot be used.")
                .suggesting("Choose a speed from \(Prosody.speedRange.words).")
        case .pitchOutOfRange(let pitch):
            Failure(.invalidRequest, "speech.pitch-out-of-range", "A pitch of \(pitch) cannot be used.")
                .suggesting("Choose a pitch from \(Prosody.pitchRange.words).")
        case .chanceOutOfRange(let chance):
            Failure(
                .invalidRequest,
                "speech.chance-out-of-range",
                "A liveliness or rhythm of \(chance) cannot be used."
            )
            .suggesting("Choose one from \(Prosody.chanceRange.words).")
        case .rateOutOfRange(let rate):
            Failure(.invalidRequest, "practice.rate-out-of-range", "A rate of \(rate) cannot be used.")
                .suggesting("Choose a rate from 0.1 to 1.")
        case .engineFailed(let engine, _):
            Failure(.processFailed, "speech.engine-failed", "The \(engine.words) could not speak this text.")
                .suggesting("Try again, or choose another voice.")
        case .engineDied(let engine, let text?):
            Failure(.invalidContent, "speech.engine-died", "The \(engine.words) ended unexpectedly over “\(text)”.")
                .suggesting("Write that part in another way, leave it out, or choose another voice.")
        case .engineDied(let engine, nil):
            Failure(
                .invalidContent,
                "speech.engine-died",
                "The \(engine.words) ended unexpectedly over a part of this text."
            )
            .suggesting("Write that part in another way, leave it out, or choose another voice.")
        case .timedOut(let engine, let phase, let seconds):
            Failure(
                .processFailed,
                "speech.timed-out",
                "The \(engine.words) did not respond for \(Int(seconds.rounded())) seconds while \(phase.words)."
            )
            .suggesting(
                (phase == .loading ? "Choose" : "Try again, choose")
                    + " another voice, or allow more time with --timeout."
            )
        }
    }

    private static func ways(to similar: [Voice.ID]) -> String {
        guard !similar.isEmpty else { return "List what is installed with “echotext voices”." }
        let names = similar.map { "“\($0)”" }.joined(separator: " or ")
        return "Did you mean \(names)? “echotext voices” lists them all."
    }
}

extension Voice.Engine {
    fileprivate var words: String {
        switch self {
        case .espeakNG: "espeak-ng engine"
        case .piper: "natural voices' engine"
        }
    }
}

extension SynthesisError.Phase {
    fileprivate var words: String {
        switch self {
        case .loading: "loading the voice"
        case .phonemizing: "working out the pronunciation"
        case .synthesizing: "speaking"
        }
    }
}

extension ClosedRange<Double> {
    fileprivate var words: String { "\(lowerBound.formattedShort) to \(upperBound.formattedShort)" }
}

extension Double {
    fileprivate var formattedShort: String { self == rounded() ? String(Int(self)) : String(self) }
}
