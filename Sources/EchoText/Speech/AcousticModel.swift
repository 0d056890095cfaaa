/// The files of a neural voice: one folder in the layout of sherpa-onnx's release archives.
package struct VoiceFolder: Sendable, Hashable, Codable {
    /// Absolute path of the folder.
    package let path: String
    /// The name of the voice: the model's file name without `.onnx`.
    package let name: String

    package init(path: String, name: String) {
        self.path = path
        self.name = name
    }

    /// The model.
    package var model: String { "\(path)/\(name).onnx" }
    /// The model's description by its maker.
    package var description: String { "\(path)/\(name).onnx.json" }
    /// The symbols the model reads, one a line, each with its number.
    package var tokens: String { "\(path)/tokens.txt" }
}

/// A request to an ``AcousticModel``.
package struct PhonemeRequest: Sendable, Hashable {
    /// Most symbols of one request; the attention of a model's text encoder grows with their square.
    package static let longest = 500
    /// The range of ``liveliness`` and ``rhythm``.
    package static let noiseRange = 0.0...2.0

    /// One Unicode scalar a symbol, all of them known to the model, 1 to ``longest`` of them.
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

    /// The seed of chance: the same for the same request, in any process.
    ///
    /// - SeeAlso: G. Fowler, L. C. Noll, K.-P. Vo, FNV-1a, whose 64-bit constants these are.
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
    /// Where each symbol of the request begins and, at the end, where the last one ends, in samples from the first of the sound: one
    /// number more than there are symbols, none smaller than the one before. Models that provide durations deliver them before all sound.
    case times([Int])
    /// The next stretch of the sound, not empty.
    case samples([Float])
}

/// How a neural voice's model is run.
package enum ModelLayout: Sendable, Hashable {
    /// In parts: a sentence of any length is spoken whole, in little memory, and the times of its words are exact.
    case parts
    /// As it is, because it cannot be taken apart; word times are estimates.
    case whole(Obstacle)

    /// Why a model cannot be taken apart; thrown by what tries to.
    package enum Obstacle: String, Error, CaseIterable {
        /// Its graph is not written as ONNX asks.
        case format
        /// It reads or gives other tensors than Piper's models do.
        case ports
        /// The part that makes sound of the latent, from the last hyperbolic tangent back, is not one of convolutions.
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

    /// Whether it will be the same the next time, so that it need not be found out again.
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

/// A neural voice that has been loaded: phonemes in, sound out.
///
/// Calls may overlap; as many run at once as the model was opened for, and what was asked for first comes first. A cancelled call throws
/// `CancellationError`.
package protocol AcousticModel: Sendable {
    /// Samples per second, in hertz.
    var sampleRate: Int { get }
    /// How many people the model can be, at least 1.
    var speakers: Int { get }
    var layout: ModelLayout { get }

    /// Speaks the request, and delivers each piece as soon as it exists.
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

/// Opens neural voices, in this process or in another.
package protocol AcousticModelLoader: Sendable {
    /// - Parameters:
    ///   - folder: A folder whose files exist; what is in them may be anything.
    ///   - lanes: How many requests the model works on at once, each on one thread; at least 1.
    ///   - layout: How the model is run, when that was found out before; `nil` to find out, which takes a second.
    /// - Returns: The voice, loaded.
    /// - Throws: ``VoiceFolderError``, ``WorkerError``, ``EngineError`` or `CancellationError`.
    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel
}
