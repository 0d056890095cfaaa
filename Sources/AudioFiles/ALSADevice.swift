import EchoText

/// Plays through ALSA, by `libasound`.
final class ALSADevice: PlaybackDevice {
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
        var opened: OpaquePointer?
        guard library.open(&opened, name, ALSALibrary.playback, 0) >= 0, let stream = opened else { return nil }
        let status = library.configure(
            stream,
            ALSALibrary.signed16LittleEndian,
            ALSALibrary.interleaved,
            1,
            UInt32(clamping: sampleRate),
            1,  // let ALSA convert the rate where the card cannot
            200_000  // microseconds of buffer
        )
        guard status >= 0 else {
            _ = library.close(stream)
            return nil
        }
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
    }
}

/// The functions of `libasound.so.2` used here, with the types of `alsa/pcm.h`.
private struct ALSALibrary {
    typealias Open =
        @convention(c) (UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>?, Int32, Int32) -> Int32
    typealias Configure = @convention(c) (OpaquePointer?, Int32, Int32, UInt32, UInt32, Int32, UInt32) -> Int32
    typealias Write = @convention(c) (OpaquePointer?, UnsafeRawPointer?, UInt) -> Int
    typealias Recover = @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    typealias Act = @convention(c) (OpaquePointer?) -> Int32
    typealias Text = UnsafePointer<CChar>
    typealias ErrorHandler = @convention(c) (Text?, Int32, Text?, Int32, Text?) -> Void
    typealias SetErrorHandler = @convention(c) (ErrorHandler?) -> Int32

    /// `SND_PCM_STREAM_PLAYBACK`.
    static let playback: Int32 = 0
    /// `SND_PCM_FORMAT_S16_LE`.
    static let signed16LittleEndian: Int32 = 2
    /// `SND_PCM_ACCESS_RW_INTERLEAVED`.
    static let interleaved: Int32 = 3

    let open: Open
    let configure: Configure
    let write: Write
    let recover: Recover
    let drain: Act
    let drop: Act
    let close: Act
    private let setErrorHandler: SetErrorHandler

    init?() {
        guard let library = LoadedLibrary("libasound.so.2"),
            let open = library.function("snd_pcm_open", as: Open.self),
            let configure = library.function("snd_pcm_set_params", as: Configure.self),
            let write = library.function("snd_pcm_writei", as: Write.self),
            let recover = library.function("snd_pcm_recover", as: Recover.self),
            let drain = library.function("snd_pcm_drain", as: Act.self),
            let drop = library.function("snd_pcm_drop", as: Act.self),
            let close = library.function("snd_pcm_close", as: Act.self),
            let setErrorHandler = library.function("snd_lib_error_set_handler", as: SetErrorHandler.self)
        else { return nil }
        (self.open, self.configure, self.write, self.recover) = (open, configure, write, recover)
        (self.drain, self.drop, self.close) = (drain, drop, close)
        self.setErrorHandler = setErrorHandler
    }

    /// Keeps the library from printing to standard error what the caller gets as a status.
    ///
    /// The handler is declared with variable arguments in C; one that reads none of them may be an ordinary function
    /// under the calling conventions of x86-64 and AArch64 Linux.
    func silence() {
        _ = setErrorHandler { _, _, _, _, _ in }
    }
}
