package import EchoText

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

    package func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        try SampleRateConversion(from: inputRate, to: outputRate)
    }
}
