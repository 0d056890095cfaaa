package import EchoText
import Foundation

/// Export into memory: the same encoders as for files, for one who sends the bytes on.
package actor MemoryFiles: ExportFiles, ExportedBytes {
    private let searchPath: String
    private var files: [String: MemoryFile] = [:]

    /// - Parameter searchPath: Folders where FFmpeg may be, as in `PATH`.
    package init(searchPath: String) {
        self.searchPath = searchPath
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        let file = try add(path)
        guard let format = order.format.soundFormat else {
            return try await AudiobookWriter(order, to: .memory(file), searchPath: searchPath)
        }
        return try await SoundFileWriter(
            destination: .memory(file),
            format: format,
            sampleRate: order.sampleRate,
            tags: order.tags
        )
    }

    package func text(at path: String) async throws -> any TextSink { try await TextFile(memory: try add(path)) }

    private func add(_ path: String) throws -> MemoryFile {
        let file = try MemoryFile()
        files[path] = file
        return file
    }

    /// There are none in memory.
    package func folder(at path: String) async throws {}

    package func empty(_ path: String) async { files = files.filter { !$0.key.hasPrefix("\(path)/") } }

    package nonisolated func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        try SampleRateConversion(from: inputRate, to: outputRate)
    }

    package func take(_ path: String) async throws -> any StoredSound {
        guard let file = files.removeValue(forKey: path) else { throw AudioFileError.fileMissing(file: path) }
        return file
    }
}
