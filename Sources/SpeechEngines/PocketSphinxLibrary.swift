import EchoText

/// PocketSphinx, loaded at run time from Debian's package.
///
/// Only the functions used here are looked up. It has no struct that is passed: configuration, decoder, segment and logarithms are
/// opaque. A decoder is for one thread at a time.
///
/// - SeeAlso: `pocketsphinx.h` of 0.8+5prealpha, `cmd_ln.h`, `err.h` and `logmath.h` of sphinxbase, the contract of every call.
struct PocketSphinxLibrary: Sendable {
    /// The version of the interface, which is the suffix of both libraries' file names.
    private static let wantedVersion = "3"

    /// Makes a configuration of arguments, the program's name first; keeps copies of them.
    let parse:
        @Sendable @convention(c) (
            OpaquePointer?, UnsafeRawPointer?, Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, Int32
        ) -> OpaquePointer?
    /// Frees a configuration, unless a decoder uses it.
    let freeConfiguration: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let arguments: @Sendable @convention(c) () -> UnsafeRawPointer?
    let create: @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    let destroy: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let startStream: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let start: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let process: @Sendable @convention(c) (OpaquePointer?, UnsafePointer<Int16>?, Int, Int32, Int32) -> Int32
    let end: @Sendable @convention(c) (OpaquePointer?) -> Int32
    let segments: @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    let next: @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    let word: @Sendable @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    let frames:
        @Sendable @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> Void
    /// The logarithm of a segment's posterior probability.
    let posterior:
        @Sendable @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
        ) -> Int32
    let logarithms: @Sendable @convention(c) (OpaquePointer?) -> OpaquePointer?
    let exponential: @Sendable @convention(c) (OpaquePointer?, Int32) -> Double

    /// Loads the libraries for the rest of the process's life, and silences them.
    ///
    /// - Throws: ``EngineError``.
    init() throws(EngineError) {
        let wanted = Self.wantedVersion
        let base = try LoadedImage("libsphinxbase.so.\(wanted)", of: .pocketSphinx, wanted: wanted)
        let image = try LoadedImage("libpocketsphinx.so.\(wanted)", of: .pocketSphinx, wanted: wanted)
        parse = try base.function("cmd_ln_parse_r")
        freeConfiguration = try base.function("cmd_ln_free_r")
        exponential = try base.function("logmath_exp")
        arguments = try image.function("ps_args")
        create = try image.function("ps_init")
        destroy = try image.function("ps_free")
        startStream = try image.function("ps_start_stream")
        start = try image.function("ps_start_utt")
        process = try image.function("ps_process_raw")
        end = try image.function("ps_end_utt")
        segments = try image.function("ps_seg_iter")
        next = try image.function("ps_seg_next")
        word = try image.function("ps_seg_word")
        frames = try image.function("ps_seg_frames")
        posterior = try image.function("ps_seg_prob")
        logarithms = try image.function("ps_get_logmath")
        let log: @convention(c) (OpaquePointer?) -> Void = try base.function("err_set_logfp")
        log(nil)
    }
}
