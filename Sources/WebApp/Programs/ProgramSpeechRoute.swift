import AsyncAlgorithms
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

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
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: format.mediaType], body: sound)
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
        guard let first = try await passages.next() else { throw SynthesisError.nothingToSay }
        let file = BegunFile(file: StreamedFile(to: pieces), begin: begin)
        let (sink, whole) = try await format.sink(sounds, sampleRate: first.clip.sampleRate, to: file)
        do {
            var passage: Passage? = first
            while let current = passage {
                try await current.forEachClip { try await sink.append($0) }
                passage = try await passages.next()
            }
            try await sink.finish()
        } catch {
            await sink.discard()
            throw error
        }
        if let whole { try await file.take(whole) }
        await sent.wait()
    }
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
            guard format.soundFormat != nil else {
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
