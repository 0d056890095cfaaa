/// A fault of a folder that should hold a neural voice.
///
/// `file` is a bare file name, never a path.
package enum VoiceFolderError: UserFacingError, Equatable {
    case notAVoiceFolder
    case missingFile(String)
    case unreadableFile(String)
    /// The JSON beside the model does not say what a voice needs.
    case badDescription(String)
    /// `tokens.txt` is not lines of a symbol and a number.
    case badTokens(String)
    case unsupportedPhonemes(String, type: String)
    /// The model is no ONNX file, is cut short, or lacks what the engine reads.
    case badModel(String)
    /// The model's program died on it too often to be tried again; how often, where that is known.
    case setAside(String, deaths: Int?)

    package var code: String {
        switch self {
        case .notAVoiceFolder: "voice.not-a-folder"
        case .missingFile: "voice.missing-file"
        case .unreadableFile: "voice.unreadable-file"
        case .badDescription: "voice.bad-description"
        case .badTokens: "voice.bad-tokens"
        case .unsupportedPhonemes: "voice.unsupported-phonemes"
        case .badModel: "voice.bad-model"
        case .setAside: "voice.set-aside"
        }
    }

    package var message: String {
        switch self {
        case .notAVoiceFolder: "The folder holds no voice: there is no .onnx file in it."
        case .missingFile(let file): "The voice is incomplete: “\(file)” is missing."
        case .unreadableFile(let file): "The voice's file “\(file)” cannot be read."
        case .badDescription(let file): "The voice's file “\(file)” does not describe a Piper voice."
        case .badTokens(let file): "The voice's file “\(file)” is damaged: it is not a list of symbols and numbers."
        case .unsupportedPhonemes(let file, let type):
            "The voice reads “\(type)” symbols (“\(file)”), which EchoText cannot write yet."
        case .badModel(let file):
            "The voice's model “\(file)” cannot be loaded: it is damaged, or not the model of a Piper voice."
        case .setAside(let file, let deaths):
            "The voice's model “\(file)” made the engine stop "
                + (deaths.map { "\($0) times and is not tried again for now." } ?? "again and again when it last spoke.")
        }
    }

    package var suggestion: String? {
        switch self {
        case .notAVoiceFolder, .missingFile:
            "A voice is a folder with NAME.onnx, NAME.onnx.json and tokens.txt, as in sherpa-onnx's release archives."
        case .unreadableFile: "Check the file's permissions."
        case .unsupportedPhonemes: "Choose a voice whose phoneme_type is “espeak” or “text”."
        case .setAside: "Let it try again (“echotext voices retry”), install it again, or choose another."
        case .badDescription, .badTokens, .badModel: "Install the voice again, or choose another."
        }
    }
}
