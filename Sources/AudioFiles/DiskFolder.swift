package import EchoText
import Foundation

/// Export into folders of this machine.
package struct DiskFolder: ExportFolder {
    private let sounds: any SoundFiles

    /// - Parameter sounds: Makes sound files.
    package init(sounds: any SoundFiles) {
        self.sounds = sounds
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        try await sounds.sound(order, at: path)
    }

    package func file(at path: String) async throws -> any ByteSink { try await ByteFile(path: path) }

    package func folder(at path: String) async throws {
        if mkdir(path, 0o700) == 0 { return }
        guard errno == EEXIST else { throw ExportError.folderNotUsable }
        // Whatever else stands at the path cannot be listed either.
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path), access(path, W_OK) == 0 else {
            throw ExportError.folderNotUsable
        }
        guard entries.isEmpty else { throw ExportError.folderNotEmpty }
    }

    package func empty(_ path: String) async {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }
}
