import EchoText
import Foundation

/// The layout of the folder of the voices: one folder each, named as sherpa-onnx's archives are.
enum VoiceFolderLayout {
    /// The voice among what was unpacked: in the folder itself, or in one folder in it.
    ///
    /// - Returns: The voice, and the name that its folder had if that says something.
    /// - Throws: ``VoiceFolderError/notAVoiceFolder``.
    static func voice(in contents: String) throws(VoiceFolderError) -> (folder: VoiceFolder, name: String?) {
        if let folder = try? VoiceFolder.find(at: contents) { return (folder, nil) }
        // What is not there to be listed holds no voice.
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
    ///   - wanted: The name it had; taken when it is one of the usual form.
    ///   - model: The model's name, which makes one up otherwise.
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
