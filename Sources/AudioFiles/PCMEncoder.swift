import EchoText

/// Writes samples as they are, 16 bits each: a WAV file, or raw PCM.
final class PCMEncoder: SoundEncoder {
    private let file: OutputFile
    /// `nil` for raw PCM.
    private var header: WAVHeader?
    private let headerLength: Int64

    /// Writes the header, with sizes that mean “until the end”, so that also a file cut short can be played.
    init(format: AudioFormat, sampleRate: Int, tags: AudioTags, file: OutputFile) throws {
        self.file = file
        header =
            format == .raw
            ? nil : WAVHeader(sampleRate: sampleRate, tags: tags, dataLength: nil, isExtensible: !file.isStream)
        let bytes = header?.bytes ?? []
        headerLength = Int64(bytes.count)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    func encode(_ samples: ArraySlice<Float>) throws {
        // Little-endian, as every machine is that Swift runs on.
        try samples.pcm16.withUnsafeBytes { try file.write($0, at: file.length) }
    }

    func finish() throws {
        guard !file.isStream, header != nil else { return }
        header?.dataLength = file.length - headerLength
        try header?.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
}
