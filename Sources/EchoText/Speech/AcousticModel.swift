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
    /// What the model's maker says of it.
    package var description: String { "\(path)/\(name).onnx.json" }
    /// The symbols the model reads, one a line, each with its number.
    package var tokens: String { "\(path)/tokens.txt" }
}

/// What an ``AcousticModel`` is asked to say.
package struct PhonemeRequest: Sendable, Hashable {
    /// Most symbols of one request; a model's memory grows faster than its input.
    package static let longest = 400

    /// One Unicode scalar a symbol, all of them known to the model, 1 to ``longest`` of them.
    package var phonemes: [Unicode.Scalar]
    /// From 0.
    package var speaker: Int
    /// Times the voice's own pace, ``Prosody/speedRange``.
    package var speed: Double

    package init(phonemes: [Unicode.Scalar], speaker: Int, speed: Double) {
        self.phonemes = phonemes
        self.speaker = speaker
        self.speed = speed
    }
}

/// A neural voice that has been loaded: phonemes in, sound out.
///
/// Calls may overlap; as many run at once as the model was opened for. A cancelled call throws `CancellationError`.
package protocol AcousticModel: Sendable {
    /// Samples per second, in hertz.
    var sampleRate: Int { get }
    /// How many people the model can be, at least 1.
    var speakers: Int { get }

    /// - Throws: ``SynthesisError``, ``WorkerError`` or `CancellationError`.
    func speak(_ request: PhonemeRequest) async throws -> AudioClip
}

/// Opens neural voices, in this process or in another.
package protocol AcousticModelLoader: Sendable {
    /// - Parameters:
    ///   - folder: A folder whose files exist; what is in them may be anything.
    ///   - lanes: How many requests the model answers at once, each on one thread; at least 1.
    /// - Returns: The voice, loaded.
    /// - Throws: ``VoiceFolderError``, ``WorkerError``, ``EngineError`` or `CancellationError`.
    func open(_ folder: VoiceFolder, lanes: Int) async throws -> any AcousticModel
}
