import Foundation

extension VoiceFolder {
    /// The id of the voice in it.
    package var id: Voice.ID { Voice.ID(ofFolder: (path as NSString).lastPathComponent, model: name) }

    /// The model's bare file name, for errors.
    package var modelFile: String { "\(name).onnx" }

    /// Whether the files it speaks with are there, and of the size they were installed with.
    package var isWhole: Bool {
        [model, description, tokens].allSatisfy { FileManager.default.fileExists(atPath: $0) }
            && VoiceReceipt(at: path)?.difference(at: path) == nil
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
        let receipt = VoiceReceipt(at: path)
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
