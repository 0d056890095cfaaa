import Foundation

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
    /// The symbols that the model reads, one per line, each with its number.
    package var tokens: String { "\(path)/tokens.txt" }
}

extension VoiceFolder {
    /// The id of the voice in it.
    package var id: Voice.ID { Voice.ID(ofFolder: (path as NSString).lastPathComponent, model: name) }

    /// The model's bare file name, for errors.
    package var modelFile: String { "\(name).onnx" }

    /// Whether the files it speaks with are there, and of the size they were installed with.
    package var isWhole: Bool {
        [model, description, tokens].allSatisfy { FileManager.default.fileExists(atPath: $0) }
            && ModelReceipt(at: path)?.difference(at: path) == nil
    }

    /// Finds the voice in the folder at `path`.
    ///
    /// - Throws: ``VoiceFolderError/notAVoiceFolder`` when nothing there belongs to a voice, and
    ///   ``VoiceFolderError/missingFile(_:)`` when the model is missing. Of several models the first by name with a
    ///   description is used.
    package static func find(at path: String) throws(VoiceFolderError) -> VoiceFolder {
        guard let (folder, hasModel) = look(at: path) else { throw .notAVoiceFolder }
        guard hasModel else { throw .missingFile(folder.modelFile) }
        return folder
    }

    /// The files of the models in the folder at `path` that have a description, sorted: each is a voice.
    package static func describedModels(at path: String) -> [String] {
        // A folder that cannot be listed contains no voice.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return models(among: names).map { "\($0).onnx" }.filter { names.contains("\($0).json") }
    }

    /// The complete and incomplete voices in the folders inside `path`, sorted by folder name; other folders and hidden
    /// ones are skipped.
    package static func all(in path: String) -> [VoiceFolder] {
        // A home for voices that does not exist yet holds none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.compactMap { look(at: "\(path)/\($0)")?.folder }
    }

    /// Detects a voice's folder by its model; without one, by a description, symbol file or receipt.
    private static func look(at path: String) -> (folder: VoiceFolder, hasModel: Bool)? {
        let path = URL(filePath: path).standardizedFileURL.path
        // A folder that cannot be listed contains no voice.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return nil }
        let models = Self.models(among: names)
        if let model = models.first(where: { names.contains("\($0).onnx.json") }) ?? models.first {
            return (VoiceFolder(path: path, name: model), true)
        }
        return nameOfMissingModel(at: path, names).map { (VoiceFolder(path: path, name: $0), false) }
    }

    /// The names of models among those of files, without `.onnx`, sorted.
    private static func models(among names: some Sequence<String>) -> [String] {
        names.filter { $0.hasSuffix(".onnx") && !$0.hasPrefix(".") }.map { String($0.dropLast(".onnx".count)) }.sorted()
    }

    /// The name of a folder's missing model; `nil` when nothing in the folder belongs to a voice.
    private static func nameOfMissingModel(at path: String, _ names: [String]) -> String? {
        if let described = names.filter({ $0.hasSuffix(".onnx.json") && !$0.hasPrefix(".") }).min() {
            return String(described.dropLast(".onnx.json".count))
        }
        let receipt = ModelReceipt(at: path)
        if let installed = receipt.flatMap({ models(among: $0.files.keys.filter { !$0.contains("/") }).first }) {
            return installed
        }
        guard receipt != nil || names.contains("tokens.txt") else { return nil }
        let folder = (path as NSString).lastPathComponent
        let isUsual = folder.hasPrefix(Voice.ID.folderPrefix)
        return isUsual ? String(folder.dropFirst(Voice.ID.folderPrefix.count)) : folder
    }
}

extension Voice.ID {
    /// The prefix of the names of folders and archives of neural voices.
    package static let folderPrefix = "vits-piper-"
    private static let engine = "piper/"

    /// Makes the id of the neural voice in a folder: the folder's name after `vits-piper-`, which distinguishes
    /// variants of a voice; in any other folder the model's name.
    ///
    /// - Parameters:
    ///   - folder: The folder's bare name.
    ///   - model: The model's file name without `.onnx`.
    package init(ofFolder folder: String, model: String) {
        let own = folder.hasPrefix(Self.folderPrefix) ? folder.dropFirst(Self.folderPrefix.count) : ""
        self.init(rawValue: Self.engine + (own.isEmpty ? model[...] : own))
    }

    /// The usual name of the folder of a neural voice with this id; `nil` for a voice of another engine.
    package var usualFolder: String? {
        guard rawValue.hasPrefix(Self.engine) else { return nil }
        let name = rawValue.dropFirst(Self.engine.count)
        return name.isEmpty || name.utf8.contains(UInt8(ascii: "/")) ? nil : Self.folderPrefix + name
    }
}

/// A folder whose voice cannot speak, or was changed after its installation.
package struct VoiceFault: Sendable {
    package let folder: VoiceFolder
    /// How many bytes its files have.
    package let bytes: Int64
    package let error: any UserFacingError

    /// Looks at the disk.
    package init(in folder: VoiceFolder, error: any UserFacingError) {
        self.folder = folder
        bytes = ModelReceipt.files(in: folder.path).values.totalSize
        self.error = error
    }

    package var id: Voice.ID { folder.id }
}

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
    case disabled(String, deaths: Int?)

    package var failure: Failure {
        switch self {
        case .notAVoiceFolder:
            Failure(.unavailable, "voice.not-a-folder", "The folder holds no voice: there is no .onnx file in it.")
                .suggesting("Choose another voice's archive.", inTerminal: Self.parts)
        case .missingFile(let file):
            Failure(.unavailable, "voice.missing-file", "The voice is incomplete: “\(file)” is missing.")
                .suggesting("Install the voice again, or delete it.", inTerminal: Self.parts)
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
        case .disabled(let file, let deaths):
            Failure(
                .unavailable,
                "voice.set-aside",
                "The voice's model “\(file)” made the engine stop "
                    + (deaths.map { "\($0) times, so the voice is disabled." }
                        ?? "repeatedly, so the voice is disabled.")
            )
            .suggesting(
                "Try it again, install it again, or choose another.",
                inTerminal: "Try it again (“echotext voices retry”), install it again, or choose another."
            )
        }
    }

    private static let parts =
        "A voice is a folder with NAME.onnx, NAME.onnx.json and tokens.txt, as in sherpa-onnx's release archives."
    private static let another = "Install the voice again, or choose another."
}
