package import EchoText

/// Sound files by the libraries at hand, audiobooks by FFmpeg.
package struct LocalSoundFiles: SoundFiles {
    private let searchPath: String

    /// - Parameter searchPath: Folders where FFmpeg may be, as in `PATH`.
    package init(searchPath: String) {
        self.searchPath = searchPath
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        try await sound(order, to: .file(path))
    }

    package func sound(_ order: SoundOrder, into bytes: any ByteSink) async throws -> any AudioSink {
        try await sound(order, to: .bytes(bytes))
    }

    package func soundInMemory(_ order: SoundOrder) async throws -> (sink: any AudioSink, bytes: any StoredBytes) {
        let file = try MemoryFile()
        return (try await sound(order, to: .memory(file)), file)
    }

    private func sound(_ order: SoundOrder, to place: SoundFileWriter.Destination) async throws -> any AudioSink {
        guard let format = order.format.soundFormat else {
            return try await AudiobookWriter(order, to: place, searchPath: searchPath)
        }
        return try await SoundFileWriter(
            destination: place,
            format: format,
            sampleRate: order.sampleRate,
            tags: order.tags
        )
    }

    package func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        try SampleRateConversion(from: inputRate, to: outputRate)
    }
}
