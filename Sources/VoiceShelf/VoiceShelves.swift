import EchoText
import Foundation

/// How voices lie in their folder: one folder each, named as sherpa-onnx's archives are.
enum VoiceShelves {
    private static let prefix = "vits-piper-"

    /// The names of the folders in which voices may be, sorted.
    static func folders(in shelf: String) -> [String] {
        // A shelf that is not there yet is empty.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: shelf)) ?? []
        return names.filter { name in
            var status = stat()
            return !name.hasPrefix(".") && stat("\(shelf)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }.sorted()
    }

    /// The id of the voice that a folder of this name would hold.
    static func id(ofFolder name: String) -> Voice.ID {
        Voice.ID(rawValue: "piper/" + (name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name))
    }

    /// The voice among what was unpacked: in the folder itself, or in one folder in it.
    ///
    /// - Returns: Its folder, the name it had if that says something, and the model's name.
    /// - Throws: ``VoiceFolderError/notAVoiceFolder``.
    static func voice(in contents: String) throws(VoiceFolderError) -> (
        path: String, folderName: String?, model: String
    ) {
        if let model = model(in: contents) { return (contents, nil, model) }
        for name in folders(in: contents) {
            guard let model = model(in: "\(contents)/\(name)") else { continue }
            return ("\(contents)/\(name)", name, model)
        }
        throw .notAVoiceFolder
    }

    /// The name of the model in a folder without `.onnx`; that of one with a description, when there are several.
    static func model(in folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let models = names.filter { $0.hasSuffix(".onnx") && !$0.hasPrefix(".") }.sorted()
        let model = models.first { names.contains($0 + ".json") } ?? models.first
        return model.map { String($0.dropLast(".onnx".count)) }
    }

    /// What the voice's folder is called.
    ///
    /// - Parameters:
    ///   - wanted: The name it had; taken when it is one of the usual form.
    ///   - model: The model's name, which makes one up otherwise.
    /// - Returns: A plain file name.
    /// - Throws: ``VoiceInstallError/forbidden(_:name:)``.
    static func folderName(_ wanted: String?, model: String) throws(VoiceInstallError) -> String {
        let name = wanted.flatMap { $0.hasPrefix(prefix) ? $0 : nil } ?? prefix + model
        let parts = try ArchiveRules.parts(of: name)
        guard parts.count == 1, let only = parts.first, !only.hasPrefix("."), only.utf8.count <= 200 else {
            throw .forbidden(.badName, name: ArchiveRules.shown(name))
        }
        return only
    }
}
