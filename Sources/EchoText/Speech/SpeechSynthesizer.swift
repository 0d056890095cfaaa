/// Turns utterances into speech: the port of all engines.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - calls may overlap; the engine serializes them itself where it must;
/// - a cancelled call throws `CancellationError` within one engine callback and leaves the engine usable;
/// - the same voice always speaks at the same sample rate;
/// - an utterance of any length is synthesized in bounded memory, fragment by fragment.
///
/// ```swift
/// try await synthesizer.speak(utterance) { fragment in
///     try await sink.append(fragment.clip)
/// }
/// ```
package protocol SpeechSynthesizer: Sendable {
    /// Voices that can be used right now, in a stable order.
    func voices() async throws -> [Voice]

    /// Synthesizes `utterance`, and delivers each fragment as soon as it exists.
    ///
    /// The fragments are in order, cover the whole utterance, and are not empty.
    ///
    /// - Parameters:
    ///   - utterance: The utterance.
    ///   - deliver: Receives one fragment; the engine waits for it to return before it delivers the next.
    /// - Throws: ``SynthesisError``, what `deliver` threw, or `CancellationError` when the calling task is cancelled.
    func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws
}

extension SpeechSynthesizer {
    /// Synthesizes `utterance` into a single fragment; meant for short utterances.
    package func speech(for utterance: Utterance) async throws -> SpeechFragment {
        var fragments: [SpeechFragment] = []
        try await speak(utterance) { fragments.append($0) }
        guard let whole = SpeechFragment(joining: fragments) else { throw SynthesisError.nothingToSay }
        return whole
    }
}

/// A text to speak in one voice: usually a sentence, or a part of a long one.
package struct Utterance: Sendable, Hashable {
    package let text: SpokenText
    package let voice: Voice.ID
    /// Which of the voice's people says it, from 0.
    package let speaker: Int
    package let prosody: Prosody

    package init(text: SpokenText, voice: Voice.ID, speaker: Int = 0, prosody: Prosody = .natural) {
        self.text = text
        self.voice = voice
        self.speaker = speaker
        self.prosody = prosody
    }

    package init(_ text: String, voice: Voice.ID, speaker: Int = 0, prosody: Prosody = .natural) {
        self.init(text: SpokenText(written: text), voice: voice, speaker: speaker, prosody: prosody)
    }
}

/// Several engines as one: each voice is spoken by its engine, at any pitch, also where the engine has only the voice's own.
package struct CombinedSynthesizer: SpeechSynthesizer {
    private let engines: [Voice.Engine: any SpeechSynthesizer]
    private let shift: @Sendable (AudioClip, Double) async throws -> AudioClip

    /// - Parameters:
    ///   - engines: The engines; one that cannot change the pitch always gets pitch 1.
    ///   - shift: Returns a clip at a multiple of its frequency, 0.5 to 2 (2 is an octave up), with as many samples; throws
    ///     `CancellationError` when the calling task is cancelled.
    package init(
        _ engines: [Voice.Engine: any SpeechSynthesizer],
        shift: @escaping @Sendable (AudioClip, Double) async throws -> AudioClip
    ) {
        self.engines = engines
        self.shift = shift
    }

    package func voices() async throws -> [Voice] {
        var voices: [Voice] = []
        for engine in Voice.Engine.allCases {
            voices += try await engines[engine]?.voices() ?? []
        }
        return voices
    }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        guard let engine = Voice.Engine(of: utterance.voice), let synthesizer = engines[engine] else {
            throw SynthesisError.voiceNotInstalled(utterance.voice)
        }
        let pitch = utterance.prosody.pitch
        guard pitch != 1, !engine.changesPitch else {
            return try await synthesizer.speak(utterance, deliver: deliver)
        }
        let natural = Utterance(
            text: utterance.text,
            voice: utterance.voice,
            speaker: utterance.speaker,
            prosody: try utterance.prosody.pitched(1)
        )
        // Shifted apart, the parts of a breath would not meet without a click.
        var breath: [SpeechFragment] = []
        try await synthesizer.speak(natural) { fragment in
            breath.append(fragment)
            guard !fragment.continues, var shifted = SpeechFragment(joining: breath) else { return }
            breath = []
            shifted.clip = try await shift(shifted.clip, pitch)
            try await deliver(shifted)
        }
    }
}

extension Voice.Engine {
    /// Whether it speaks at the pitch of an utterance.
    fileprivate var changesPitch: Bool {
        switch self {
        case .espeakNG: true
        case .piper: false
        }
    }

    /// The engine that the first part of a voice's id names.
    package init?(of voice: Voice.ID) {
        switch voice.rawValue.prefix(while: { $0 != "/" }) {
        case "espeak": self = .espeakNG
        case "piper": self = .piper
        default: return nil
        }
    }
}

/// A piece of speech that an engine has finished, with the times of its words as far as they are known.
package struct SpeechFragment: Sendable, Hashable {
    package var clip: AudioClip
    /// The times of ranges of the whole text: in order of time, in samples from the start of the clip, inside it, not
    /// overlapping.
    package var marks: [TimedWord]
    /// Whether the next fragment continues without a break, so that audio effects have to process both together.
    package var continues: Bool
    /// Symbols of the text that the voice does not know, so that they were left out or said as another sound.
    package var unknown: [Unicode.Scalar]

    package init(
        clip: AudioClip,
        marks: [TimedWord],
        continues: Bool = false,
        unknown: [Unicode.Scalar] = []
    ) {
        self.clip = clip
        self.marks = marks
        self.continues = continues
        self.unknown = unknown
    }
}

extension SpeechFragment {
    /// Joins fragments with a common sample rate; `nil` without fragments.
    package init?(joining fragments: [SpeechFragment]) {
        guard let first = fragments.first else { return nil }
        guard fragments.count > 1 else {
            self = first
            continues = false
            return
        }
        var samples: [Float] = []
        samples.reserveCapacity(fragments.reduce(0) { $0 + $1.clip.samples.count })
        var marks: [TimedWord] = []
        for fragment in fragments {
            let offset = samples.count
            samples += fragment.clip.samples
            marks += fragment.marks.map { mark in
                var mark = mark
                mark.samples = mark.samples.moved(by: offset)
                return mark
            }
        }
        let clip = AudioClip(samples: samples, sampleRate: first.clip.sampleRate)
        self.init(clip: clip, marks: marks, unknown: fragments.flatMap(\.unknown))
    }

    /// The part of the fragment in `range`, in samples; marks outside it become empty at its edge.
    ///
    /// Uniquely referenced samples are not copied.
    package consuming func part(_ range: Range<Int>) -> SpeechFragment {
        let kept = range.clamped(to: 0..<clip.samples.count)
        guard kept.count < clip.samples.count else { return self }
        clip.samples.removeSubrange(kept.upperBound...)
        clip.samples.removeSubrange(..<kept.lowerBound)
        marks = marks.map { mark in
            var mark = mark
            let inside = mark.samples.clamped(to: kept)
            mark.samples = inside.moved(by: -kept.lowerBound)
            return mark
        }
        return self
    }

    /// Trims the silence before and after the sound.
    ///
    /// - Parameters:
    ///   - start: Whether leading silence is trimmed.
    ///   - end: Whether trailing silence is trimmed.
    ///   - margin: How much silence remains, in seconds.
    ///   - offset: The number of samples before the fragment since the last break.
    /// - Returns: The trimmed fragment, or the whole one if all of it is silent.
    package consuming func trimmed(
        start: Bool = true,
        end: Bool = true,
        margin: Double,
        offset: Int = 0
    ) -> SpeechFragment {
        let sound = clip.soundRange(offset: offset)
        guard !sound.isEmpty else { return self }
        let margin = Int(margin * Double(clip.sampleRate))
        let first = start ? max(0, sound.lowerBound - margin) : 0
        return part(first..<(end ? min(clip.samples.count, sound.upperBound + margin) : clip.samples.count))
    }
}

/// How a time was determined.
package enum TimingPrecision: String, Sendable, Hashable, Codable {
    /// The engine said so.
    case exact
    /// Worked out from how long the sounds of the word usually take.
    case estimated
}

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
    /// The voice of this name has another sample rate, or other speakers, than the one that a narration was ordered of.
    case voiceChanged(Voice.ID)
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
                .suggesting(
                    "Write some words.",
                    inTerminal: "Give a text as an argument, in a file with -f, or on standard input."
                )
        case .tooMuchSilence:
            Failure(
                .invalidContent,
                "speech.too-much-silence",
                "The pauses in this text last more than \(Int(PauseTags.maximumSeconds) / 3_600) hours in all."
            )
            .suggesting("Take out some of its [pause] tags, or make them shorter.")
        case .voiceNotInstalled(let id, let similar):
            Failure(.unavailable, "voice.not-installed", "The voice “\(id)” is not installed.")
                .suggesting(Self.way(to: similar), inTerminal: Self.wayInTerminal(to: similar))
        case .noSuchSpeaker(let number, let id, let count):
            Failure(
                .invalidRequest,
                "voice.no-such-speaker",
                "The voice “\(id)” has no speaker \(number); it has \(count == 1 ? "only speaker 0" : "0 to \(count - 1)")."
            )
            .suggesting(
                "Choose one of its speakers, or another voice.",
                inTerminal: "Choose one of them with --speaker."
            )
        case .noSpeakerCalled(let name, let id, let names):
            Failure(
                .invalidRequest,
                "voice.no-speaker-called",
                "The voice “\(id)” has no speaker called “\(name.prefix(60))”."
            )
            .suggesting(
                names.isEmpty
                    ? "Choose one of its speakers, or another voice."
                    : "Choose one such as \(names.joined(separator: ", ")), or by number from 0.",
                inTerminal: names.isEmpty
                    ? "Choose one by number, from 0; “echotext voices show \(id)” says how many there are." : nil
            )
        case .voiceChanged(let id):
            Failure(
                .conflict,
                "voice.changed",
                "The voice “\(id)” is not the one that this narration was begun with: its sample rate or its speakers differ."
            )
            .suggesting(
                "Keep what is spoken and have the rest spoken as a new narration, or install the voice again as it was."
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
                phase == .loading ? "Choose another voice." : "Try again, or choose another voice.",
                inTerminal: (phase == .loading ? "Choose" : "Try again, choose")
                    + " another voice, or allow more time with --timeout."
            )
        }
    }

    private static func way(to similar: [Voice.ID]) -> String {
        guard !similar.isEmpty else { return "Choose another one." }
        let names = similar.map { "“\($0)”" }.joined(separator: " or ")
        return "Did you mean \(names)?"
    }

    private static func wayInTerminal(to similar: [Voice.ID]) -> String {
        guard !similar.isEmpty else { return "List what is installed with “echotext voices”." }
        return "\(way(to: similar)) “echotext voices” lists them all."
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
