import EchoText
import Foundation

/// Plays through ALSA, by `libasound`.
final class ALSADevice: PlaybackDevice {
    /// In microseconds.
    private static let buffer: UInt32 = 200_000

    private let library: ALSALibrary
    private let stream: OpaquePointer

    /// Fails when the library is not installed, or there is no such device, or it cannot be had.
    ///
    /// - Parameters:
    ///   - name: A device as `aplay -D` takes it.
    ///   - sampleRate: Hertz.
    init?(name: String, sampleRate: Int) {
        guard let library = ALSALibrary() else { return nil }
        library.silence()
        // ALSA converts the rate where the card cannot.
        let opened = library.stream(name, .playback, rate: sampleRate, converts: true, buffer: Self.buffer)
        guard let stream = opened else { return nil }
        self.library = library
        self.stream = stream
    }

    deinit { _ = library.close(stream) }

    func play(_ samples: [Int16]) throws(AudioFileError) {
        var rest = samples[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { library.write(stream, $0.baseAddress, UInt(rest.count)) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                // An empty buffer or a machine that slept: playback recovers from both.
                let status = library.recover(stream, Int32(count), 1)
                guard status >= 0 else { throw .playbackFailed(status: status) }
            }
        }
    }

    func drain() throws(AudioFileError) {
        let status = library.drain(stream)
        guard status >= 0 else { throw .playbackFailed(status: status) }
    }

    func flush() {
        _ = library.drop(stream)
        // A stream that was stopped takes nothing until it is prepared.
        _ = library.prepare(stream)
    }
}

/// Captures through ALSA, by `libasound`.
final class ALSACapture: CaptureSource {
    let name: String
    let sampleRate: Int
    /// In microseconds: what a disk that is busy for a moment does not lose.
    private static let buffer: UInt32 = 1_000_000

    private let library: ALSALibrary
    private let stream: OpaquePointer
    private var loss = CaptureLoss()

    /// Fails when the library is not installed, or there is no such device, or it cannot be had.
    ///
    /// - Parameters:
    ///   - name: A device as `arecord -D` takes it.
    ///   - rates: Hertz, in order of preference.
    init?(name: String, rates: [Int]) {
        guard let library = ALSALibrary() else { return nil }
        library.silence()
        // A card as it is often knows two channels only; the plug over it mixes them.
        let places = name.hasPrefix("hw:") ? [name, "plug\(name)"] : [name]
        // Without ALSA's conversion first, which is crude.
        for (place, converts) in places.map({ ($0, false) }) + places.map({ ($0, true) }) {
            for rate in converts ? Array(rates.prefix(1)) : rates {
                let opened = library.stream(place, .capture, rate: rate, converts: converts, buffer: Self.buffer)
                if let stream = opened {
                    self.library = library
                    self.stream = stream
                    self.name = name
                    sampleRate = rate
                    return
                }
            }
        }
        return nil
    }

    deinit { _ = library.close(stream) }

    func read() -> [Int16] {
        let count = sampleRate / 20
        while true {
            var status = 0
            let samples = [Int16](unsafeUninitializedCapacity: count) { buffer, used in
                status = library.read(stream, buffer.baseAddress, UInt(count))
                used = max(0, min(status, count))
            }
            guard status < 0 else {
                loss.didRead()
                return samples
            }
            // A buffer that ran over, or a machine that slept: capturing recovers from both.
            guard library.recover(stream, Int32(clamping: status), 1) >= 0 else { return [] }
            if status == -Int(EPIPE) || status == -Int(ESTRPIPE) { loss.didOverrun() }
        }
    }

    func takeLost() -> Double { loss.take() }

    /// The devices that ALSA names for capturing; a configuration without names has a usual one all the same.
    static func all() -> [CaptureDeviceListing] {
        guard let library = ALSALibrary() else { return [] }
        library.silence()
        let listings = library.listings()
        guard listings.isEmpty, ALSACapture(name: "default", rates: SoundCapture.rates) != nil else { return listings }
        return [CaptureDeviceListing(id: "default", name: "The usual microphone")]
    }
}

/// The functions of `libasound.so.2` used here, with the types of `alsa/pcm.h` and `alsa/control.h`.
private struct ALSALibrary {
    /// `snd_pcm_stream_t`.
    enum Direction: Int32 {
        case playback = 0
        case capture = 1
    }

    typealias Open =
        @convention(c) (UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>?, Int32, Int32) -> Int32
    typealias Configure = @convention(c) (OpaquePointer?, Int32, Int32, UInt32, UInt32, Int32, UInt32) -> Int32
    typealias Read = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UInt) -> Int
    typealias Write = @convention(c) (OpaquePointer?, UnsafeRawPointer?, UInt) -> Int
    typealias Recover = @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    typealias Act = @convention(c) (OpaquePointer?) -> Int32
    typealias Text = UnsafePointer<CChar>
    typealias ErrorHandler = @convention(c) (Text?, Int32, Text?, Int32, Text?) -> Void
    typealias SetErrorHandler = @convention(c) (ErrorHandler?) -> Int32
    typealias Hints = UnsafeMutablePointer<UnsafeMutableRawPointer?>
    typealias ListHints = @convention(c) (Int32, Text?, UnsafeMutablePointer<Hints?>?) -> Int32
    typealias Hint = @convention(c) (UnsafeMutableRawPointer?, Text?) -> UnsafeMutablePointer<CChar>?
    typealias FreeHints = @convention(c) (Hints?) -> Int32

    /// `SND_PCM_FORMAT_S16_LE`.
    private static let signed16LittleEndian: Int32 = 2
    /// `SND_PCM_ACCESS_RW_INTERLEAVED`.
    private static let interleaved: Int32 = 3

    let read: Read
    let write: Write
    let recover: Recover
    let drain: Act
    let drop: Act
    let prepare: Act
    let close: Act
    private let open: Open
    private let configure: Configure
    private let setErrorHandler: SetErrorHandler
    private let listHints: ListHints
    private let hint: Hint
    private let freeHints: FreeHints

    init?() {
        guard let library = LoadedLibrary("libasound.so.2"),
            let open = library.function("snd_pcm_open", as: Open.self),
            let configure = library.function("snd_pcm_set_params", as: Configure.self),
            let read = library.function("snd_pcm_readi", as: Read.self),
            let write = library.function("snd_pcm_writei", as: Write.self),
            let recover = library.function("snd_pcm_recover", as: Recover.self),
            let drain = library.function("snd_pcm_drain", as: Act.self),
            let drop = library.function("snd_pcm_drop", as: Act.self),
            let prepare = library.function("snd_pcm_prepare", as: Act.self),
            let close = library.function("snd_pcm_close", as: Act.self),
            let setErrorHandler = library.function("snd_lib_error_set_handler", as: SetErrorHandler.self),
            let listHints = library.function("snd_device_name_hint", as: ListHints.self),
            let hint = library.function("snd_device_name_get_hint", as: Hint.self),
            let freeHints = library.function("snd_device_name_free_hint", as: FreeHints.self)
        else { return nil }
        (self.open, self.configure, self.read, self.write, self.recover) = (open, configure, read, write, recover)
        (self.drain, self.drop, self.prepare, self.close) = (drain, drop, prepare, close)
        (self.listHints, self.hint, self.freeHints) = (listHints, hint, freeHints)
        self.setErrorHandler = setErrorHandler
    }

    /// Keeps the library from printing to standard error what the caller gets as a status.
    ///
    /// The handler is declared with variable arguments in C; one that reads none of them may be an ordinary function
    /// under the calling conventions of x86-64 and AArch64 Linux.
    func silence() {
        _ = setErrorHandler { _, _, _, _, _ in }
    }

    /// Opens a device for one channel of 16-bit samples; `nil` when it cannot be had so.
    ///
    /// The rate is in hertz, and ALSA converts to it what the device has, or not; the buffer is in microseconds.
    func stream(_ name: String, _ direction: Direction, rate: Int, converts: Bool, buffer: UInt32) -> OpaquePointer? {
        var opened: OpaquePointer?
        guard open(&opened, name, direction.rawValue, 0) >= 0, let stream = opened else { return nil }
        let status = configure(
            stream,
            Self.signed16LittleEndian,
            Self.interleaved,
            1,
            UInt32(clamping: rate),
            converts ? 1 : 0,
            buffer
        )
        guard status >= 0 else {
            _ = close(stream)
            return nil
        }
        return stream
    }

    func listings() -> [CaptureDeviceListing] {
        var hints: Hints?
        guard listHints(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { _ = freeHints(hints) }
        var listings: [CaptureDeviceListing] = []
        var next = hints
        while let device = next.pointee {
            func text(_ key: String) -> String? {
                guard let text = hint(device, key) else { return nil }
                defer { free(text) }
                return String(cString: text)
            }
            // Without a direction it has both.
            if let id = text("NAME"), id != "null", text("IOID") != "Output" {
                let name = text("DESC")?.split(separator: "\n").joined(separator: ", ") ?? id
                listings.append(CaptureDeviceListing(id: id, name: name))
            }
            next += 1
        }
        return listings
    }
}
