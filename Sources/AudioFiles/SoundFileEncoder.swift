import CSndFile
import EchoText

/// Encodes by libsndfile: FLAC, MP3, Opus and Vorbis.
final class SoundFileEncoder: SoundEncoder {
    private let format: AudioFormat
    private let virtualFile: VirtualFile
    /// `nil` once closed.
    private var handle: OpaquePointer?
    /// `nil` when the format stores the rate as it is.
    private let converter: RateConverter?
    private var isEmpty = true

    /// Begins a file; `quality` is 0 (smallest) to 1 (best), or `nil` for the codec's own choice.
    init(
        format: AudioFormat,
        sampleRate: Int,
        tags: AudioTags,
        quality: Double?,
        file: OutputFile
    ) throws(AudioFileError) {
        guard let storedRate = format.storedSampleRate(for: sampleRate) else {
            throw .sampleRateUnsupported(sampleRate, format)
        }
        self.format = format
        converter = storedRate == sampleRate ? nil : try RateConverter(from: sampleRate, to: storedRate)
        virtualFile = VirtualFile(file)
        var info = SF_INFO()
        info.channels = 1
        info.samplerate = Int32(storedRate)
        info.format = Int32(bitPattern: try format.soundFileFormat())
        var callbacks = VirtualFile.callbacks
        handle = sf_open_virtual(&callbacks, Int32(SFM_WRITE), &info, virtualFile.pointer)
        guard handle != nil else { throw .codecFailed(format, status: sf_error(nil)) }
        choose(quality: quality, isStream: file.isStream)
        write(tags)
    }

    deinit {
        if let handle { sf_close(handle) }
    }

    func encode(_ samples: ArraySlice<Float>) throws {
        try write(try converter?.convert(samples, isLast: false)[...] ?? samples)
    }

    func finish() throws {
        if let rest = try converter?.convert([], isLast: true) { try write(rest[...]) }
        // Without a single sample these codecs leave a file that nothing opens.
        if isEmpty { try write([0]) }
        let status = sf_close(handle)
        handle = nil
        try virtualFile.rethrowFailure()
        guard status == 0 else { throw AudioFileError.codecFailed(format, status: status) }
    }

    private func write(_ samples: ArraySlice<Float>) throws {
        guard !samples.isEmpty else { return }
        isEmpty = false
        let clipped = samples.clipped
        let written = sf_writef_float(handle, clipped, sf_count_t(clipped.count))
        try virtualFile.rethrowFailure()
        guard written == clipped.count else { throw AudioFileError.codecFailed(format, status: sf_error(handle)) }
    }

    private func choose(quality: Double?, isStream: Bool) {
        if format == .mp3 {
            // Where the header cannot be written again, only a constant rate lets a player compute the length.
            var mode = Int32(isStream ? SF_BITRATE_MODE_CONSTANT : SF_BITRATE_MODE_VARIABLE)
            sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        }
        if var compression = quality.map({ 1 - $0 }) ?? (format == .mp3 && isStream ? 0.5 : nil) {
            sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &compression, Int32(MemoryLayout<Double>.size))
        }
        // Milliseconds that Opus waits to fill a page: a fifth of a second is heard soon and costs 1 % of the size.
        var latency = 200.0
        sf_command(handle, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &latency, Int32(MemoryLayout<Double>.size))
    }

    /// A tag the format has no field for is left out.
    private func write(_ tags: AudioTags) {
        let fields = [
            (SF_STR_TITLE, tags.title), (SF_STR_ARTIST, tags.artist), (SF_STR_ALBUM, tags.album),
            (SF_STR_COMMENT, tags.comment), (SF_STR_DATE, tags.date),
        ]
        for case (let field, let text?) in fields {
            sf_set_string(handle, Int32(field), text)
        }
    }
}

extension AudioFormat {
    /// The number libsndfile knows the format by.
    ///
    /// - Throws: ``AudioFileError/codecMissing(_:)`` when the installed library was built without it.
    func soundFileFormat() throws(AudioFileError) -> UInt32 {
        let number =
            switch self {
            case .wav: UInt32(SF_FORMAT_WAV) | UInt32(SF_FORMAT_PCM_16)
            case .flac: UInt32(SF_FORMAT_FLAC) | UInt32(SF_FORMAT_PCM_16)
            case .mp3: UInt32(SF_FORMAT_MPEG) | UInt32(SF_FORMAT_MPEG_LAYER_III)
            case .opus: UInt32(SF_FORMAT_OGG) | UInt32(SF_FORMAT_OPUS)
            case .ogg: UInt32(SF_FORMAT_OGG) | UInt32(SF_FORMAT_VORBIS)
            case .raw: UInt32(SF_FORMAT_RAW) | UInt32(SF_FORMAT_PCM_16) | UInt32(SF_ENDIAN_LITTLE)
            }
        var info = SF_INFO()
        info.channels = 1
        info.samplerate = 48_000
        info.format = Int32(bitPattern: number)
        guard sf_format_check(&info) != 0 else { throw .codecMissing(self) }
        return number
    }
}

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
