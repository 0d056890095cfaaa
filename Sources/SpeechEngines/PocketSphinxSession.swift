import EchoText
import Foundation

/// A recognizer that PocketSphinx has loaded; each lane has a decoder of its own, which the first clip loads.
final class PocketSphinxSession: RecognitionSession {
    private let lanes: [PocketSphinxLane]
    private let semaphore: PrioritySemaphore

    /// - Throws: ``RecognitionError/badModel(_:)``.
    init(folder: String, _ library: PocketSphinxLibrary, lanes: Int) async throws {
        self.lanes = (0..<max(lanes, 1)).map { PocketSphinxLane(number: $0, folder: folder, library) }
        semaphore = PrioritySemaphore(permits: self.lanes.count)
        try await self.lanes[0].load()
    }

    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
        try await semaphore.pass { lane in
            try Task.checkCancellation()
            let recognized = try await lanes[lane].recognize(clip)
            try Task.checkCancellation()
            return recognized
        }
    }

    func close() async {
        for lane in lanes { await lane.close() }
    }
}

/// A thread with a decoder.
private actor PocketSphinxLane {
    private let executor: BlockingExecutor
    private let folder: String
    private let library: PocketSphinxLibrary
    private var decoder: PocketSphinxDecoder?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(number: Int, folder: String, _ library: PocketSphinxLibrary) {
        executor = BlockingExecutor(label: "pocketsphinx \(number)")
        (self.folder, self.library) = (folder, library)
    }

    func load() throws { _ = try loaded() }

    func recognize(_ clip: AudioClip) throws -> RecognizedSpeech { try loaded().recognize(clip) }

    func close() { decoder = nil }

    private func loaded() throws -> PocketSphinxDecoder {
        if let decoder { return decoder }
        let loaded = try PocketSphinxDecoder(folder: folder, library)
        decoder = loaded
        return loaded
    }
}

/// Owns one `ps_decoder_t`, freed with the last reference; only its lane calls it.
private final class PocketSphinxDecoder {
    /// Frames a second.
    private static let frameRate = 100.0

    private let handle: OpaquePointer
    private let library: PocketSphinxLibrary

    init(folder: String, _ library: PocketSphinxLibrary) throws {
        let language = (folder as NSString).lastPathComponent
        let arguments = [
            "echotext", "-hmm", "\(folder)/\(language)", "-lm", "\(folder)/\(language).lm.bin",
            "-dict", "\(folder)/cmudict-\(language).dict",
            // Silence that is taken away would shift the times.
            "-remove_silence", "no",
            // A clip is heard alike whatever was heard before.
            "-cmn", "batch",
        ]
        let configuration = withArrayOfCStrings(arguments) { strings in
            library.parse(nil, library.arguments(), Int32(arguments.count), UnsafeMutablePointer(mutating: strings), 1)
        }
        defer { _ = library.freeConfiguration(configuration) }
        guard let configuration, let created = library.create(configuration) else {
            throw RecognitionError.badModel(language)
        }
        (handle, self.library) = (created, library)
    }

    deinit { _ = library.destroy(handle) }

    func recognize(_ clip: AudioClip) throws -> RecognizedSpeech {
        let samples = clip.pcm16
        guard samples.contains(where: { abs(Int32($0)) > 32 }) else {
            return RecognizedSpeech(text: "", timing: .words)
        }
        // This forgets the noise of earlier clips.
        guard library.startStream(handle) == 0, library.start(handle) == 0 else {
            throw RecognitionError.recognizerDied
        }
        let frames = library.process(handle, samples, samples.count, 0, 1)
        guard library.end(handle) == 0, frames >= 0 else { throw RecognitionError.recognizerDied }
        return speech(in: clip.seconds)
    }

    private func speech(in seconds: Double) -> RecognizedSpeech {
        var text = ""
        var words: [RecognizedWord] = []
        var segment = library.segments(handle)
        while let current = segment {
            if let word = word(of: current) {
                if !text.isEmpty { text += " " }
                let start = text.utf16.count
                text += word
                words.append(timed(start..<text.utf16.count, current, in: seconds))
            }
            segment = library.next(current)
        }
        return RecognizedSpeech(text: text, words: words, language: "en", timing: .words)
    }

    /// The word as it is written; `nil` for silence and noise.
    private func word(of segment: OpaquePointer) -> String? {
        let name = library.word(segment).map { String(cString: $0) } ?? ""
        guard let first = name.first, !"<[+".contains(first) else { return nil }
        // Other pronunciations have a number behind them.
        let word = String(name.prefix { $0 != "(" })
        return word == "i" || word.hasPrefix("i'") ? word.capitalized : word
    }

    private func timed(_ source: TextRange, _ segment: OpaquePointer, in seconds: Double) -> RecognizedWord {
        var (first, last): (Int32, Int32) = (0, 0)
        library.frames(segment, &first, &last)
        let start = min(max(Double(first) / Self.frameRate, 0), seconds)
        let end = min(max(Double(last + 1) / Self.frameRate, start), seconds)
        let probability = library.exponential(library.logarithms(handle), library.posterior(segment, nil, nil, nil))
        let isNumber = probability >= 0
        return RecognizedWord(
            source: source,
            start: start,
            end: end,
            confidence: isNumber ? min(probability, 1) : nil
        )
    }
}

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
    /// - Throws: ``EngineLibraryError``.
    init() throws(EngineLibraryError) {
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
