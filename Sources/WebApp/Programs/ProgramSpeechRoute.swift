import AsyncAlgorithms
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// `POST /v1/audio/speech`: speech that is sent while it is made, and stored nowhere.
struct ProgramSpeechRoute: Sendable {
    /// The most characters of a text, counted as the page counts them, in UTF-16; about two hours of speech.
    static let longestInput = 100_000

    let studio: WebStudio
    /// Measures how long a program does not read.
    let clock: any Clock<Duration>
    /// Speech takes processors and memory; further requests wait.
    private let permits = PrioritySemaphore(permits: 2)

    init(studio: WebStudio, clock: any Clock<Duration>) {
        (self.studio, self.clock) = (studio, clock)
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.only(.post, "audio/speech", use: speak)
    }

    func speak(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let body = try await SpeechRequestBody(of: request, context)
        let format = try body.format
        try body.check()
        let input = body.input
        let speech = ProgramSpeech(format: format, sounds: studio.sounds)
        let filling = SpeechTask { [studio, permits] in
            try await studio.keepingOpen { open in
                try await permits.pass { _ in
                    let (order, lanes) = try await Self.order(body, among: await studio.voices, in: open.library)
                    let narration = try studio.narrator.narration(of: StringSource(input), as: order, lanes: lanes)
                    try await speech.make(of: narration)
                }
            }
        } failed: {
            speech.fail($0)
        }
        // A text that cannot be spoken is refused in words: an answer that has begun can only break off.
        try await context.whileWaitedFor(on: studio.connections) { try await speech.waitForBeginning() }
        let sound = ResponseBody { [studio, clock] writer in
            let watching = context.watch(studio.connections) { filling.cancel() }
            defer {
                watching.cancel()
                filling.cancel()
            }
            for try await piece in speech.pieces {
                try await context.whileRead(by: clock) { try await writer.write(piece) }
            }
            // Speech that is cut short must not look whole.
            try Task.checkCancellation()
            speech.noteSent()
            try await filling.value
            try await writer.finish(format.isSentWhole ? nil : speech.unspoken.fields)
        }
        var headers: HTTPFields = [.contentType: format.mediaType]
        if format.isSentWhole {
            headers += speech.unspoken.fields ?? [:]
        } else {
            headers[.trailer] = HTTPField.Name.unspoken.rawName
        }
        return Response(status: .ok, headers: headers, body: sound)
    }

    /// The order that a request makes, with the library's pauses and dictionary.
    ///
    /// - Throws: ``ProgramError``, ``ProgramFieldFailure``, ``VaultError``.
    private static func order(
        _ body: SpeechRequestBody,
        among voices: [Voice],
        in library: Library
    ) async throws -> (order: NarrationOrder, lanes: Int) {
        var request = NarrationRequest()
        request.speed = body.speed
        try await body.choose(for: &request, among: voices, library.profiles)
        let defaults = try await NarrationDefaults(of: library, profile: request.profile)
        do {
            let order = try request.resolve(with: defaults, among: voices, naming: "").order
            let cores = ProcessInfo.processInfo.activeProcessorCount
            return (try body.checked(order), request.lanes(with: defaults, cores: cores))
        } catch let error as SynthesisError {
            throw body.failure(error)
        }
    }
}

/// Work for an answer, which ends at the latest when nothing refers to it any more, as when the answer is never sent.
final class SpeechTask: Sendable {
    private let task: Task<Void, any Error>

    /// - Parameters:
    ///   - work: What is done.
    ///   - failed: Called with the error that ended it.
    init(
        _ work: @escaping @concurrent @Sendable () async throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        task = Task {
            do {
                try await work()
            } catch {
                failed(error)
                throw error
            }
        }
    }

    deinit { task.cancel() }

    func cancel() { task.cancel() }

    var value: Void { get async throws { try await task.value } }
}

/// Speech on its way to a program.
struct ProgramSpeech: Sendable {
    let format: SpeechFormat
    let sounds: any SoundFiles
    /// The encoded sound, as soon as it is made.
    let pieces = StreamedFile.Pieces()
    /// Complete once all has been made.
    let unspoken = UnspokenPhrases()
    private let beginning: AsyncThrowingStream<Void, any Error>
    private let begin: AsyncThrowingStream<Void, any Error>.Continuation
    private let sent = Latch()

    init(format: SpeechFormat, sounds: any SoundFiles) {
        (self.format, self.sounds) = (format, sounds)
        (beginning, begin) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Waits until there is something to send.
    ///
    /// - Throws: The reason for which there is nothing, `CancellationError`.
    func waitForBeginning() async throws {
        for try await _ in beginning { return }
        throw CancellationError()
    }

    /// Notes that all pieces have been sent.
    func noteSent() { sent.set() }

    /// Ends the speech with an error.
    func fail(_ error: any Error) {
        begin.finish(throwing: error)
        pieces.fail(error)
    }

    /// Encodes a narration, and returns when all of it has been sent.
    ///
    /// - Throws: What the narration and the encoder throw, ``SynthesisError/nothingToSay``, `CancellationError`.
    @concurrent
    func make(of narration: Narration) async throws {
        let passages = narration.makeAsyncIterator()
        // A text of which nothing can be said is refused: silence would look like the speech.
        var waiting: [Passage] = []
        while waiting.last?.isSilenced ?? true {
            guard let passage = try await passages.next() else { throw SynthesisError.nothingToSay }
            waiting.append(passage)
        }
        guard let first = waiting.first else { throw SynthesisError.nothingToSay }
        let file = BegunFile(file: StreamedFile(to: pieces), begin: begin)
        let (sink, whole) = try await format.sink(sounds, sampleRate: first.clip.sampleRate, to: file)
        do {
            for passage in waiting { try await send(passage, to: sink) }
            while let passage = try await passages.next() { try await send(passage, to: sink) }
            try await sink.finish()
        } catch {
            await sink.discard()
            throw error
        }
        if let whole { try await file.take(whole) }
        await sent.wait()
    }

    private func send(_ passage: Passage, to sink: any AudioSink) async throws {
        if let part = passage.unspoken() { unspoken.add(part) }
        try await passage.forEachClip { try await sink.append($0) }
    }
}

/// The phrases of a text that could not be spoken, for the program that asked for it: `EchoText-Unspoken`, with how many
/// there are and the first words of the first ones, as JSON in ASCII.
///
/// Sound is sent while it is made, so that they are known only at its end, in a trailer, which programs that do not look
/// for it ignore.
final class UnspokenPhrases: Sendable {
    private struct Report {
        var count = 0
        /// Strings in JSON.
        var phrases: [String] = []
        /// The length of the phrases, in bytes.
        var length = 0
    }

    /// The most bytes of phrases: some programs fail over a trailer of 8 kB.
    ///
    /// - SeeAlso: `max_field_size` of aiohttp, 8,190 bytes.
    static let longest = 4_096

    private let report = Mutex(Report())

    /// - Parameter phrase: Its first words.
    func add(_ phrase: String) {
        let phrase = Self.json(phrase)
        report.withLock { report in
            report.count += 1
            guard report.phrases.count < NarrationJob.maximumLeftOut,
                report.length + phrase.utf8.count < Self.longest
            else { return }
            report.phrases.append(phrase)
            report.length += phrase.utf8.count + 1
        }
    }

    /// The field; `nil` when everything was spoken.
    var fields: HTTPFields? {
        report.withLock { report in
            guard report.count > 0 else { return nil }
            let phrases = report.phrases.joined(separator: ",")
            return [.unspoken: "{\"count\":\(report.count),\"phrases\":[\(phrases)]}"]
        }
    }

    private static func json(_ text: String) -> String {
        let letters = text.utf16.map { unit in
            switch unit {
            case 0x22, 0x5C, 0x00..<0x20, 0x7F...: String(format: "\\u%04x", UInt32(unit))
            default: String(UnicodeScalar(UInt8(unit)))
            }
        }
        return "\"\(letters.joined())\""
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initializer fails only for characters a header name may not have.
    static let unspoken = Self("EchoText-Unspoken")!
}

/// Sends bytes, and says when there are some.
private struct BegunFile: ByteSink {
    let file: StreamedFile
    let begin: AsyncThrowingStream<Void, any Error>.Continuation

    func append(_ bytes: Data) async throws {
        // A codec may hold all back; a piece without bytes would end the answer.
        guard !bytes.isEmpty else { return }
        begin.yield()
        try await file.append(bytes)
    }

    func finish() async throws {
        begin.yield()
        try await file.finish()
    }

    func discard() async { await file.discard() }
}

/// How speech is sent.
enum SpeechFormat: Sendable, Equatable {
    /// 16-bit mono, little-endian, without a header.
    case samples
    case file(ExportFormat)

    /// The rate of ``samples``, in hertz, which programs take for granted.
    ///
    /// - SeeAlso: OpenAI's guide to text to speech, “Supported output formats”.
    static let rate = 24_000

    /// The names of the formats; AAC is in MPEG-4, as in the product's other files.
    static let names: KeyValuePairs<String, Self> = [
        "mp3": .file(.mp3), "opus": .file(.opus), "aac": .file(.m4a), "flac": .file(.flac), "wav": .file(.wav),
        "pcm": .samples,
    ]

    var mediaType: String {
        switch self {
        case .samples: AudioFormat.raw.mediaType
        case .file(let format): format.soundFormat?.mediaType ?? DownloadFormat.sound(format).type
        }
    }

    /// Whether all of it is made before any of it is sent.
    var isSentWhole: Bool {
        switch self {
        case .samples: false
        case .file(let format): format.soundFormat == nil
        }
    }

    /// Opens a sink that sends what it encodes.
    ///
    /// - Parameters:
    ///   - sounds: Makes the sound file.
    ///   - sampleRate: Of the clips to come, in hertz.
    ///   - file: Where the bytes go.
    /// - Returns: The sink; and the file that is to be sent when the sink has finished, if its format cannot be sent before.
    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sink(
        _ sounds: any SoundFiles,
        sampleRate: Int,
        to file: any ByteSink
    ) async throws -> (sink: any AudioSink, whole: (any StoredBytes)?) {
        switch self {
        case .samples:
            let conversion =
                sampleRate == Self.rate ? nil : try sounds.rateConversion(from: sampleRate, to: Self.rate)
            return (SampleSink(conversion: conversion, inputRate: sampleRate, file: file), nil)
        case .file(let format):
            let order = SoundOrder(format: format, sampleRate: sampleRate, count: 0)
            guard !isSentWhole else {
                let (sink, whole) = try await sounds.soundInMemory(order)
                return (sink, whole)
            }
            return (try await sounds.sound(order, into: file), nil)
        }
    }
}

/// Sends samples as they are.
private struct SampleSink: AudioSink {
    let conversion: (any RateConversion)?
    /// In hertz.
    let inputRate: Int
    let file: any ByteSink

    func append(_ clip: AudioClip) async throws {
        try await send(try await conversion?.convert(clip, isLast: false) ?? clip)
    }

    func finish() async throws {
        let rest = AudioClip(samples: [], sampleRate: inputRate)
        if let conversion { try await send(try await conversion.convert(rest, isLast: true)) }
        try await file.finish()
    }

    func discard() async { await file.discard() }

    private func send(_ clip: AudioClip) async throws {
        // Little-endian, as every machine is that Swift runs on.
        try await file.append(clip.pcm16.withUnsafeBytes { Data($0) })
    }
}
