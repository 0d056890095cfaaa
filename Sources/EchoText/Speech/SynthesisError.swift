/// Why a text could not be spoken.
package enum SynthesisError: UserFacingError, Equatable {
    case nothingToSay
    /// The pauses that a text asks for last longer than ``PauseTags/mostSeconds``.
    case tooMuchSilence
    /// `similar` holds the voices whose names come nearest, best first; it may be empty.
    case voiceNotInstalled(Voice.ID, similar: [Voice.ID] = [])
    case noSuchSpeaker(Int, of: Voice.ID, count: Int)
    case speedOutOfRange(Double)
    case pitchOutOfRange(Double)
    case chanceOutOfRange(Double)
    case rateOutOfRange(Double)
    /// The engine refused; `status` is its own number, where it gave one, and is for the log.
    case engineFailed(Voice.Engine, status: Int32?)
    /// The engine's process ended each time it was to say this; `over` is what was written there, as far as that is known.
    case engineDied(Voice.Engine, over: String? = nil)
    /// Nothing was heard of the engine for longer than the watchdog allows.
    case timedOut(Voice.Engine, phase: Phase, seconds: Double)

    /// The phase of an engine's work.
    package enum Phase: String, Sendable, Equatable {
        case loading
        case phonemizing
        case synthesizing
    }

    package var code: String {
        switch self {
        case .nothingToSay: "speech.nothing-to-say"
        case .tooMuchSilence: "speech.too-much-silence"
        case .voiceNotInstalled: "voice.not-installed"
        case .noSuchSpeaker: "voice.no-such-speaker"
        case .speedOutOfRange: "speech.speed-out-of-range"
        case .pitchOutOfRange: "speech.pitch-out-of-range"
        case .chanceOutOfRange: "speech.chance-out-of-range"
        case .rateOutOfRange: "practice.rate-out-of-range"
        case .engineFailed: "speech.engine-failed"
        case .engineDied: "speech.engine-died"
        case .timedOut: "speech.timed-out"
        }
    }

    package var message: String {
        switch self {
        case .nothingToSay: "There is no text to speak."
        case .tooMuchSilence:
            "The pauses in this text last more than \(Int(PauseTags.mostSeconds) / 3_600) hours in all."
        case .voiceNotInstalled(let id, _): "The voice “\(id)” is not installed."
        case .noSuchSpeaker(let number, let id, let count):
            "The voice “\(id)” has no speaker \(number); it has \(count == 1 ? "only speaker 0" : "0 to \(count - 1)")."
        case .speedOutOfRange(let speed): "A speed of \(speed) cannot be used."
        case .pitchOutOfRange(let pitch): "A pitch of \(pitch) cannot be used."
        case .chanceOutOfRange(let chance): "A liveliness or rhythm of \(chance) cannot be used."
        case .rateOutOfRange(let rate): "A rate of \(rate) cannot be used."
        case .engineFailed(let engine, _): "The \(engine.words) could not speak this text."
        case .engineDied(let engine, let text?): "The \(engine.words) ended unexpectedly over “\(text)”."
        case .engineDied(let engine, nil): "The \(engine.words) ended unexpectedly over a part of this text."
        case .timedOut(let engine, let phase, let seconds):
            "The \(engine.words) gave no sign of life for \(Int(seconds.rounded())) seconds while \(phase.words)."
        }
    }

    package var suggestion: String? {
        switch self {
        case .tooMuchSilence: "Take out some of its [pause] tags, or make them shorter."
        case .nothingToSay: "Give a text as an argument, in a file with -f, or on standard input."
        case .voiceNotInstalled(_, let similar) where !similar.isEmpty:
            "Did you mean \(similar.map { "“\($0)”" }.joined(separator: " or "))? “echotext voices” lists them all."
        case .voiceNotInstalled: "List what is installed with “echotext voices”."
        case .noSuchSpeaker: "Choose one of them with --speaker."
        case .speedOutOfRange: "Choose a speed from \(Prosody.speedRange.words)."
        case .pitchOutOfRange: "Choose a pitch from \(Prosody.pitchRange.words)."
        case .chanceOutOfRange: "Choose one from \(Prosody.chanceRange.words)."
        case .rateOutOfRange: "Choose a rate from 0.1 to 1."
        case .engineFailed: "Try again, or choose another voice."
        case .engineDied: "Write that part in another way, leave it out, or choose another voice."
        case .timedOut(_, .loading, _): "Choose another voice, or allow more time with --timeout."
        case .timedOut: "Try again, choose another voice, or allow more time with --timeout."
        }
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
