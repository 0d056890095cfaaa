/// A request to an ``AcousticModel``.
package struct PhonemeRequest: Sendable, Hashable {
    /// The most symbols of one request; the attention of a model's text encoder grows with their square.
    package static let longest = 500
    /// The range of ``liveliness`` and ``rhythm``.
    package static let noiseRange = 0.0...2.0

    /// A Unicode scalar per symbol, all known to the model, 1 to ``longest`` of them.
    package var phonemes: [Unicode.Scalar]
    /// From 0.
    package var speaker: Int
    /// Times the voice's own pace, ``Prosody/speedRange``.
    package var speed: Double
    /// How much chance there is in the sound, times the voice's own, ``noiseRange``.
    package var liveliness: Double
    /// How much chance there is in how long each sound lasts, times the voice's own, ``noiseRange``.
    package var rhythm: Double

    package init(
        phonemes: [Unicode.Scalar],
        speaker: Int,
        speed: Double,
        liveliness: Double = 1,
        rhythm: Double = 1
    ) {
        self.phonemes = phonemes
        self.speaker = speaker
        self.speed = speed
        self.liveliness = liveliness
        self.rhythm = rhythm
    }

    /// The random seed: the same for the same request, in any process.
    ///
    /// - SeeAlso: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a, with 64-bit constants.
    package var seed: UInt64 {
        let numbers =
            phonemes.map { UInt64($0.value) } + [
                UInt64(bitPattern: Int64(speaker)), speed.bitPattern, liveliness.bitPattern, rhythm.bitPattern,
            ]
        return numbers.reduce(0xCBF2_9CE4_8422_2325) { hash, number in
            (0..<8).reduce(hash) { ($0 ^ (number >> ($1 * 8) & 0xFF)) &* 0x100_0000_01B3 }
        }
    }
}

/// A piece of a model's speech.
package enum AcousticPiece: Sendable, Hashable {
    /// The start of each symbol of the request and the end of the last one, in samples from the start of the sound: one
    /// number more than symbols, in ascending order. Models that provide durations deliver them before all sound.
    case times([Int])
    /// The next stretch of the sound, not empty.
    case samples([Float])
}

/// How a neural voice's model is run.
package enum ModelLayout: Sendable, Hashable {
    /// In parts: a sentence of any length is synthesized in bounded memory, and the times of its words are exact.
    case parts
    /// As it is, because it cannot be taken apart; word times are estimates.
    case whole(Obstacle)

    /// Why a model cannot be split into parts; thrown by the attempt.
    package enum Obstacle: String, Error, CaseIterable {
        /// Its graph is not written as ONNX asks.
        case format
        /// Its input or output tensors differ from those of Piper's models.
        case ports
        /// The part that turns the latent into sound, back from the last hyperbolic tangent, contains operators other
        /// than convolutions.
        case decoder
        /// The number of frames each symbol lasts cannot be found.
        case durations
        /// The random inputs cannot be found, or are used otherwise than in VITS.
        case noise
        /// The part between the two is not VITS's.
        case flow
        /// Its parts say something else than the whole.
        case difference
        /// The engine could not run its parts, this time.
        case engine
    }

    /// Whether the result will be the same next time, so that it can be stored.
    package var isLasting: Bool { self != .whole(.engine) }
}

extension ModelLayout: RawRepresentable, Codable {
    package init?(rawValue: String) {
        switch rawValue {
        case "parts": self = .parts
        case let name:
            guard let obstacle = Obstacle(rawValue: name) else { return nil }
            self = .whole(obstacle)
        }
    }

    package var rawValue: String {
        switch self {
        case .parts: "parts"
        case .whole(let obstacle): obstacle.rawValue
        }
    }
}

extension ModelLayout {
    /// A description for a person.
    package var words: String {
        switch self {
        case .parts: "in parts: sentences are spoken whole, and the times of words are exact"
        case .whole(let obstacle): "whole, because \(obstacle.words); the times of words are estimates"
        }
    }
}

extension ModelLayout.Obstacle {
    fileprivate var words: String {
        switch self {
        case .format: "its graph is not written as ONNX asks"
        case .ports: "it reads other things than Piper's models do"
        case .decoder: "the part that makes its sound is of another kind"
        case .durations: "it does not say how long sounds last"
        case .noise: "chance comes into it in another way"
        case .flow: "the part before its sound is of another kind"
        case .difference: "it sounds different in parts"
        case .engine: "the engine could not run its parts"
        }
    }
}

/// A loaded neural voice, which turns phonemes into sound.
///
/// Calls may overlap; as many run at once as the model was opened for, in the order of the requests. A cancelled call
/// throws `CancellationError`.
package protocol AcousticModel: Sendable {
    /// Samples per second, in hertz.
    var sampleRate: Int { get }
    /// How many people the model can be, at least 1.
    var speakers: Int { get }
    var layout: ModelLayout { get }

    /// Synthesizes the request, and delivers each piece as soon as it exists.
    ///
    /// - Throws: ``SynthesisError``, ``WorkerError``, what `deliver` threw, or `CancellationError`.
    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws
}

extension AcousticModel {
    /// The whole sound of `request`.
    package func speak(_ request: PhonemeRequest) async throws -> AudioClip {
        var clip = AudioClip(samples: [], sampleRate: sampleRate)
        try await speak(request) { piece in
            if case .samples(let samples) = piece { clip.samples += samples }
        }
        return clip
    }
}

/// Loads neural voices, in this process or in another.
package protocol AcousticModelLoader: Sendable {
    /// - Parameters:
    ///   - folder: A folder whose files exist; their content may be invalid.
    ///   - lanes: How many requests the model works on at once, each on one thread; at least 1.
    ///   - layout: How to run the model, if known from an earlier call; `nil` to determine it, which takes a second.
    /// - Returns: The loaded voice.
    /// - Throws: ``VoiceFolderError``, ``WorkerError``, ``EngineLibraryError`` or `CancellationError`.
    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel
}

/// An engine that converts text to phonemes by rules, for voices that read phonemes, and has voices of its own.
///
/// Calls may overlap; the engine works on one at a time. It calls ``EngineProgress/report()`` when it starts a call,
/// before it reads the text, so that a worker knows which text crashed its process. A cancelled call throws
/// `CancellationError`.
package protocol Phonemizer: Sendable {
    /// The engine's name, version and voices.
    ///
    /// - Throws: ``EngineLibraryError/missing(_:)``, ``WorkerError`` or `CancellationError`.
    func introduction() async throws -> EngineIntroduction

    /// How each of `texts` is pronounced.
    ///
    /// - Parameters:
    ///   - texts: Plain texts in any script the language is written in.
    ///   - language: A BCP 47 tag or a name of the engine's.
    /// - Returns: As many as `texts`: International Phonetic Alphabet with a space between words and each clause's mark after it, as
    ///   Piper's voices were trained to read it; empty for a text without speech.
    /// - Throws: ``SynthesisError/engineFailed(_:status:)`` for a language the engine does not know,
    ///   ``SynthesisError/engineDied(_:over:)`` when the texts ended its process, ``WorkerError`` or `CancellationError`.
    func phonemes(of texts: [String], in language: String) async throws -> [String]

    /// Synthesizes `phrase`.
    ///
    /// - Parameters:
    ///   - phrase: At most about a minute of speech.
    ///   - voice: A voice of the engine, with an optional variant after a `+` (`espeak/en-US+f3`).
    ///   - prosody: Speed and pitch; settings that the engine lacks are ignored.
    /// - Returns: Speech with the times of its words; empty when there is nothing to say.
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``, and as ``phonemes(of:in:)``.
    func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech
}

/// A phrase synthesized by a rule-based engine.
///
/// It has 16-bit samples, as such engines produce: they need half the bytes of floats on the way from the engine's
/// process, and no conversion.
package struct PhraseSpeech: Sendable, Hashable {
    /// Full scale is ±32,768.
    package let samples: [Int16]
    /// In hertz.
    package let sampleRate: Int
    /// In order of time, inside the samples, not overlapping.
    package let marks: [TimedWord]

    package init(samples: [Int16], sampleRate: Int, marks: [TimedWord]) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.marks = marks
    }

    /// The same, as every engine's speech is handed on.
    package var fragment: SpeechFragment {
        let sound = samples.amplitudes(fullScale: .fullScale)
        return SpeechFragment(clip: AudioClip(samples: sound, sampleRate: sampleRate), marks: marks)
    }
}

/// An engine's description of itself.
package struct EngineIntroduction: Sendable, Hashable {
    /// The version of its library, such as “1.51”.
    package let version: String
    /// Its voices, sorted by their ids.
    package let voices: [Voice]

    package init(version: String, voices: [Voice]) {
        self.version = version
        self.voices = voices
    }
}
