package import EchoText
import Foundation

/// Export into files of this machine: sound files by the libraries at hand, audiobooks by FFmpeg.
package struct ExportedFiles: ExportFiles {
    private let searchPath: String

    /// - Parameter searchPath: Folders where FFmpeg may be, as in `PATH`.
    package init(searchPath: String) {
        self.searchPath = searchPath
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        guard let format = order.format.soundFormat else {
            return try await AudiobookWriter(order, path: path, searchPath: searchPath)
        }
        return try await SoundFileWriter(
            destination: .file(path),
            format: format,
            sampleRate: order.sampleRate,
            tags: order.tags
        )
    }

    package func text(at path: String) async throws -> any TextSink { try await TextFile(path: path) }

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

    package func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        try SampleRateConversion(from: inputRate, to: outputRate)
    }
}
