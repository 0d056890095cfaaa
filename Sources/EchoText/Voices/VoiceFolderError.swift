/// A fault of a folder that should hold a neural voice.
///
/// `file` is a bare file name, never a path.
package enum VoiceFolderError: UserFacingError, Equatable {
    case notAVoiceFolder
    case missingFile(String)
    case unreadableFile(String)
    /// The JSON file of the model lacks required values.
    case badDescription(String)
    /// `tokens.txt` is not lines of a symbol and a number.
    case badTokens(String)
    case unsupportedPhonemes(String, type: String)
    /// The model is not an ONNX file, is truncated, or lacks metadata that the engine reads.
    case badModel(String)
    /// The model's program died on it too often to be tried again; how often, where that is known.
    case setAside(String, deaths: Int?)

    package var failure: Failure {
        switch self {
        case .notAVoiceFolder:
            Failure(.unavailable, "voice.not-a-folder", "The folder holds no voice: there is no .onnx file in it.")
                .suggesting(Self.parts)
        case .missingFile(let file):
            Failure(.unavailable, "voice.missing-file", "The voice is incomplete: “\(file)” is missing.")
                .suggesting(Self.parts)
        case .unreadableFile(let file):
            Failure(.unavailable, "voice.unreadable-file", "The voice's file “\(file)” cannot be read.")
                .suggesting("Check the file's permissions.")
        case .badDescription(let file):
            Failure(
                .unavailable,
                "voice.bad-description",
                "The voice's file “\(file)” does not describe a Piper voice."
            )
            .suggesting(Self.another)
        case .badTokens(let file):
            Failure(
                .unavailable,
                "voice.bad-tokens",
                "The voice's file “\(file)” is damaged: it is not a list of symbols and numbers."
            )
            .suggesting(Self.another)
        case .unsupportedPhonemes(let file, let type):
            Failure(
                .unavailable,
                "voice.unsupported-phonemes",
                "The voice reads “\(type)” symbols (“\(file)”), which EchoText cannot write yet."
            )
            .suggesting("Choose a voice whose phoneme_type is “espeak” or “text”.")
        case .badModel(let file):
            Failure(
                .unavailable,
                "voice.bad-model",
                "The voice's model “\(file)” cannot be loaded: it is damaged, or not the model of a Piper voice."
            )
            .suggesting(Self.another)
        case .setAside(let file, let deaths):
            Failure(
                .unavailable,
                "voice.set-aside",
                "The voice's model “\(file)” made the engine stop "
                    + (deaths.map { "\($0) times, so the voice is disabled." }
                        ?? "repeatedly, so the voice is disabled.")
            )
            .suggesting("Try it again (“echotext voices retry”), install it again, or choose another.")
        }
    }

    private static let parts =
        "A voice is a folder with NAME.onnx, NAME.onnx.json and tokens.txt, as in sherpa-onnx's release archives."
    private static let another = "Install the voice again, or choose another."
}
