import EchoText
import Foundation

/// A recogniser that PocketSphinx has loaded; each lane has a decoder of its own, which the first clip loads.
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
            let heard = try await lanes[lane].recognize(clip)
            try Task.checkCancellation()
            return heard
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
        // What is remembered of the noise of earlier clips goes.
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
