import EchoText
import Foundation

/// The layout of the voices folder: one subfolder for each voice, named like sherpa-onnx's archives.
enum VoiceFolderLayout {
    /// Finds the unpacked voice: in the folder itself, or in a subfolder.
    ///
    /// - Returns: The voice, and the name of its folder if that is meaningful.
    /// - Throws: ``VoiceFolderError/notAVoiceFolder``.
    static func voice(in contents: String) throws(VoiceFolderError) -> (folder: VoiceFolder, name: String?) {
        if let folder = try? VoiceFolder.find(at: contents) { return (folder, nil) }
        // A folder that cannot be listed contains no voice.
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
        where !name.hasPrefix(".") {
            guard let folder = try? VoiceFolder.find(at: "\(contents)/\(name)") else { continue }
            return (folder, name)
        }
        throw .notAVoiceFolder
    }

    /// The name of the voice's folder.
    ///
    /// - Parameters:
    ///   - wanted: The folder's former name; used if it has the usual form.
    ///   - model: The model's name, from which a name is made otherwise.
    /// - Returns: A plain file name.
    /// - Throws: ``VoiceInstallError/forbidden(_:name:)``.
    static func folderName(_ wanted: String?, model: String) throws(VoiceInstallError) -> String {
        let prefix = Voice.ID.folderPrefix
        let name = wanted.flatMap { $0.hasPrefix(prefix) ? $0 : nil } ?? prefix + model
        let parts = try ArchiveRules.parts(of: name)
        guard parts.count == 1, let only = parts.first, !ArchiveRules.isHidden(only), only.utf8.count <= 200 else {
            throw .forbidden(.badName, name: ArchiveRules.shown(name))
        }
        return only
    }
}
