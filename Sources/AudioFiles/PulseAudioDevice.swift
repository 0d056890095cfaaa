import EchoText

/// Plays through PulseAudio, or PipeWire instead of it, by `libpulse-simple`.
final class PulseAudioDevice: PlaybackDevice {
    private let library: PulseAudioLibrary
    private let stream: OpaquePointer

    /// Fails when the library is not installed or no server answers.
    ///
    /// - Parameters:
    ///   - server: An address as in `PULSE_SERVER`, or `nil` for the person's own.
    ///   - sampleRate: Hertz.
    init?(server: String?, sampleRate: Int) {
        guard let library = PulseAudioLibrary() else { return nil }
        var format = PulseAudioLibrary.SampleSpecification(rate: UInt32(clamping: sampleRate))
        var buffer = PulseAudioLibrary.BufferAttributes(target: UInt32(clamping: sampleRate / 5 * 2))
        let (playback, name) = (Int32(1), "EchoText")
        guard let stream = library.open(server, name, playback, nil, "speech", &format, nil, &buffer, nil) else {
            return nil
        }
        self.library = library
        self.stream = stream
    }

    deinit { library.close(stream) }

    func play(_ samples: [Int16]) throws(AudioFileError) {
        var status: Int32 = 0
        guard library.write(stream, samples, samples.count * 2, &status) >= 0 else {
            throw .playbackFailed(status: status)
        }
    }

    func drain() throws(AudioFileError) {
        var status: Int32 = 0
        guard library.drain(stream, &status) >= 0 else { throw .playbackFailed(status: status) }
    }

    func flush() {
        _ = library.flush(stream, nil)
    }
}

/// The functions of `libpulse-simple.so.0` used here, with the types of `pulse/simple.h`.
private struct PulseAudioLibrary {
    typealias Status = UnsafeMutablePointer<Int32>?
    typealias Open =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, Status
        ) -> OpaquePointer?
    typealias Write = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int, Status) -> Int32
    typealias Read = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int, Status) -> Int32
    typealias Wait = @convention(c) (OpaquePointer?, Status) -> Int32
    typealias Close = @convention(c) (OpaquePointer?) -> Void

    /// `pa_sample_spec`.
    struct SampleSpecification {
        /// `PA_SAMPLE_S16LE`.
        var format: UInt32 = 3
        var rate: UInt32
        var channels: UInt8 = 1
    }

    /// `pa_buffer_attr`; all ones leave a choice to the server.
    struct BufferAttributes {
        var longest = UInt32.max
        /// Bytes that wait to be played.
        var target = UInt32.max
        var before = UInt32.max
        var least = UInt32.max
        /// Bytes that come at once of what is recorded.
        var fragment = UInt32.max
    }

    let open: Open
    let write: Write
    let read: Read
    let drain: Wait
    let flush: Wait
    let close: Close

    init?() {
        guard let library = LoadedLibrary("libpulse-simple.so.0"),
            let open = library.function("pa_simple_new", as: Open.self),
            let write = library.function("pa_simple_write", as: Write.self),
            let read = library.function("pa_simple_read", as: Read.self),
            let drain = library.function("pa_simple_drain", as: Wait.self),
            let flush = library.function("pa_simple_flush", as: Wait.self),
            let close = library.function("pa_simple_free", as: Close.self)
        else { return nil }
        (self.open, self.write, self.read, self.close) = (open, write, read, close)
        (self.drain, self.flush) = (drain, flush)
    }
}

/// Captures through PulseAudio, or PipeWire instead of it, by `libpulse-simple`.
final class PulseAudioCapture: CaptureSource {
    let name: String
    let sampleRate: Int
    /// The most bytes that the server holds until they are read.
    private static let longest: UInt32 = 1 << 22
    private let library: PulseAudioLibrary
    private let stream: OpaquePointer
    private var loss = CaptureLoss()

    /// Fails when the library is not installed, or no server answers, or it has no such source.
    ///
    /// The server converts to whatever rate is asked for, so the first is had.
    ///
    /// - Parameters:
    ///   - server: An address as in `PULSE_SERVER`, or `nil` for the person's own.
    ///   - source: As `pactl list sources` names it; the person's own choice when absent.
    ///   - rates: Hertz, in order of preference.
    init?(server: String?, source: String?, rates: [Int]) {
        guard let rate = rates.first, let library = PulseAudioLibrary() else { return nil }
        var format = PulseAudioLibrary.SampleSpecification(rate: UInt32(clamping: rate))
        var buffer = PulseAudioLibrary.BufferAttributes(
            longest: PulseAudioCapture.longest,
            fragment: UInt32(clamping: rate / 20 * 2)
        )
        let (recording, name) = (Int32(2), "EchoText")
        guard let stream = library.open(server, name, recording, source, "recording", &format, nil, &buffer, nil) else {
            return nil
        }
        self.library = library
        self.stream = stream
        self.name = source ?? "PulseAudio"
        sampleRate = rate
    }

    deinit { library.close(stream) }

    func read() -> [Int16] {
        let count = sampleRate / 20
        loss.willRead(of: Double(Self.longest) / Double(2 * sampleRate))
        defer { loss.didRead() }
        return [Int16](unsafeUninitializedCapacity: count) { buffer, used in
            used = library.read(stream, buffer.baseAddress, 2 * count, nil) >= 0 ? count : 0
        }
    }

    func takeLost() -> Double { loss.take() }
}

/// The sources of a sound server.
enum PulseAudioSources {
    /// The person's own choice, if a server answers.
    static func all(server: String?) -> [CaptureDeviceListing] {
        guard PulseAudioCapture(server: server, source: nil, rates: SoundCapture.rates) != nil else { return [] }
        return [CaptureDeviceListing(id: "@DEFAULT_SOURCE@", name: "The sound server's usual microphone")]
    }
}
