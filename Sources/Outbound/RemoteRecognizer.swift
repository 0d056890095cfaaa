package import EchoText
package import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// The services that a person has set up, as recognizers.
///
/// A session is opened only with leave to send (``SendingPermission``), and sends nothing to any other server.
package struct RemoteRecognizer: SpeechRecognizer {
    /// Times and sizes, which tests replace.
    package struct Environment: Sendable {
        /// The longest time in which the server may send nothing; it may compute for long before it says a word.
        package var idleTimeout = Duration.seconds(120)
        /// The longest time from the last byte that is sent to the last one of the answer, in addition to twice the sound's length.
        package var answerTime = Duration.seconds(120)
        package var clock: any Clock<Duration> = ContinuousClock()
        package var now: @Sendable () -> Date = { Date() }
        /// The most bytes of a file that services take; OpenAI's take 25 MB.
        package var largestFile = 25_000_000
        /// The most bytes of an answer that are read, however long the sound is.
        package var largestAnswer = 16_000_000

        package init() {}
    }

    private let client: OutboundClient
    private let services: @Sendable () async throws -> [TranscriptionService]
    private let environment: Environment
    private let formats = AnswerFormats()

    /// - Parameters:
    ///   - client: Opens connections.
    ///   - environment: Times and sizes.
    ///   - services: Returns what the person has set up at the moment.
    package init(
        client: OutboundClient,
        environment: Environment = Environment(),
        services: @escaping @Sendable () async throws -> [TranscriptionService]
    ) {
        (self.client, self.services, self.environment) = (client, services, environment)
    }

    package func recognizers() async throws -> [Recognizer] {
        try await services().map(\.recognizer)
    }

    /// - Throws: ``RecognitionError/noSuchRecognizer(_:)``, ``RemoteRecognitionError/notAllowed(host:)``.
    package func open(_ recognizer: Recognizer.ID, _ settings: RecognitionSettings) async throws
        -> any RecognitionSession
    {
        guard let service = try await services().first(where: { $0.id == recognizer }) else {
            throw RecognitionError.noSuchRecognizer(recognizer)
        }
        return try open(service, settings) { [services] in
            let present = try await services().first { $0.id == recognizer }
            return present?.address == service.address && present?.key == service.key
        }
    }

    /// Opens a service that need not be among those that are set up, such as one that is being tried.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - settings: What is said to it.
    ///   - isCurrent: Returns whether it is still set up as it was; when it is not, what is being sent ends.
    /// - Returns: A session, which sends nothing before it is given a clip.
    /// - Throws: ``RemoteRecognitionError/notAllowed(host:)``.
    package func open(
        _ service: TranscriptionService,
        _ settings: RecognitionSettings = RecognitionSettings(),
        while isCurrent: @escaping @Sendable () async throws -> Bool = { true }
    ) throws -> any RecognitionSession {
        guard let permit = SendingPermission.current, permit.isFor(service.address),
            permit.sending.sendsWords || !(settings.hasWords || service.prompt != nil)
        else {
            throw RemoteRecognitionError.notAllowed(host: service.address.hostName.text)
        }
        return RemoteSession(
            service: service,
            settings: settings,
            permit: permit,
            isCurrent: isCurrent,
            client: client,
            formats: formats,
            environment: environment
        )
    }
}

extension RemoteRecognizer {
    /// Sends a service the sound of a trial.
    ///
    /// - Returns: What it heard, which may be nothing: the sound says nothing.
    /// - Throws: ``RemoteRecognitionError``.
    package func attempt(_ service: TranscriptionService) async throws -> RecognizedSpeech {
        let session = try open(service)
        return try await session.closing { try await session.recognize(ServiceTrial.clip) }
    }
}

/// The services that are known to answer in the plain format only.
private final class AnswerFormats: Sendable {
    private struct Kind: Hashable {
        let address: ServiceAddress
        let model: String
    }

    private let plain = Mutex<Set<Kind>>([])

    func isPlain(_ service: TranscriptionService) -> Bool {
        plain.withLock { $0.contains(Kind(address: service.address, model: service.model)) }
    }

    func setPlain(_ service: TranscriptionService) {
        _ = plain.withLock { $0.insert(Kind(address: service.address, model: service.model)) }
    }
}

/// A service, with permission to send to it.
private struct RemoteSession: RecognitionSession {
    let service: TranscriptionService
    let settings: RecognitionSettings
    let permit: SendingPermission
    let isCurrent: @Sendable () async throws -> Bool
    let client: OutboundClient
    let formats: AnswerFormats
    let environment: RemoteRecognizer.Environment

    /// Below this level, in dBFS, there is nothing to hear, and services tend to make something up.
    private static let silence = -80.0
    /// The most bytes of an answer other than success that are read.
    private static let largestRefusal = 1 << 20
    /// The slowest that an answer may come, in bytes a second: a trickle does not count as activity.
    private static let leastRate = 1_024.0
    /// Room for the fields around the file, in bytes.
    private static let formSize = 16_384

    /// The leave is for each clip once.
    let recognizesAgain = false

    private var host: String { service.address.hostName.text }

    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
        try Task.checkCancellation()
        guard let level = clip.level, level > Self.silence else { return RecognizedSpeech(text: "") }
        let limit = max(1, (environment.largestFile - Self.formSize) / 2)
        var recognized: [RecognizedSpeech] = []
        for range in SoundPieces.ranges(of: clip, limit: limit) {
            let piece = AudioClip(samples: Array(clip.samples[range]), sampleRate: clip.sampleRate)
            let start = Double(range.lowerBound) / Double(clip.sampleRate)
            recognized.append(try await recognizePiece(piece).moved(by: start))
        }
        return RecognizedSpeech(joining: recognized)
    }

    func close() async {
        await client.close(permit)
    }

    // MARK: - One piece

    private func recognizePiece(_ clip: AudioClip) async throws -> RecognizedSpeech {
        if !formats.isPlain(service) {
            switch try await ask(about: clip, isVerbose: true) {
            case .success(let recognized): return recognized
            case .failure(let refusal):
                guard refusal.concernsFormat else { throw refusal.error(now: environment.now()) }
                formats.setPlain(service)
            }
        }
        switch try await ask(about: clip, isVerbose: false) {
        case .success(let recognized): return recognized
        case .failure(let refusal): throw refusal.error(now: environment.now())
        }
    }

    private enum Outcome {
        case success(RecognizedSpeech)
        case failure(ServiceRefusal)
    }

    private func ask(about clip: AudioClip, isVerbose: Bool) async throws -> Outcome {
        do {
            let idle = IdleTimeout(environment.idleTimeout, clock: environment.clock)
            let longest = environment.answerTime + .seconds(2 * clip.seconds)
            let whole = IdleTimeout(longest, clock: environment.clock)
            return try await idle.watch(host: host) { heartbeat in
                try await whole.watch(host: host) { sent in
                    let form = MultipartForm(fields(isVerbose: isVerbose), clip: clip) {
                        heartbeat()
                        sent()
                    }
                    return try await outcome(of: form, about: clip, heartbeat)
                }
            }
        } catch let error as ModelDownloadError {
            throw problem(error)
        }
    }

    private func outcome(
        of form: MultipartForm,
        about clip: AudioClip,
        _ heartbeat: () -> Void
    ) async throws -> Outcome {
        let answer = try await client.post(form, to: service, by: permit, while: isCurrent)
        heartbeat()
        guard answer.status == 200 else {
            let body = try await contents(of: answer, limit: Self.largestRefusal, heartbeat)
            return .failure(ServiceRefusal(answer, body: body))
        }
        let limits = AnswerLimits(length: clip.seconds, largest: environment.largestAnswer)
        let body = try await contents(of: answer, limit: limits.bytes, heartbeat)
        guard let content = try? JSONDecoder().decode(TranscriptionAnswer.self, from: body), limits.allow(content)
        else { throw RemoteRecognitionError.badAnswer(host: host) }
        return .success(try content.speech(length: clip.seconds))
    }

    private func fields(isVerbose: Bool) -> [(name: String, value: String)] {
        var fields = [("model", service.model), ("temperature", "0")]
        let language = (settings.language ?? service.language).flatMap { SpokenLanguage($0).code }
        if let language { fields.append(("language", language)) }
        let hints: [String?] = [service.prompt, settings.hotwords.joined(separator: ", "), settings.prompt]
        let prompt = hints.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        if !prompt.isEmpty { fields.append(("prompt", prompt)) }
        if isVerbose {
            fields += [
                ("response_format", "verbose_json"), ("timestamp_granularities[]", "word"),
                ("timestamp_granularities[]", "segment"),
            ]
        } else {
            fields.append(("response_format", "json"))
        }
        return fields
    }

    private func contents(
        of answer: OutboundClient.Answer,
        limit: Int,
        _ heartbeat: () -> Void
    ) async throws -> Data {
        var data = Data()
        let step = Int(Self.leastRate * (environment.idleTimeout / .seconds(1)))
        var next = step
        do {
            try await answer.read { buffer in
                if data.count + buffer.readableBytes >= next {
                    heartbeat()
                    next = data.count + buffer.readableBytes + step
                }
                data.append(contentsOf: buffer.readableBytesView)
                guard data.count <= limit else {
                    throw RemoteRecognitionError.badAnswer(host: host)
                }
            }
        } catch ModelDownloadError.unreachable {
            throw RemoteRecognitionError.interrupted(host: host)
        }
        return data
    }

    /// The words that fit a service.
    private func problem(_ error: ModelDownloadError) -> any UserFacingError {
        switch error {
        case .offline: RemoteRecognitionError.offline
        case .unreachable: RemoteRecognitionError.unreachable(host: host)
        case .untrusted: RemoteRecognitionError.untrusted(host: host)
        case .stalled: RemoteRecognitionError.timedOut(host: host)
        case .interrupted: RemoteRecognitionError.interrupted(host: host)
        default: error
        }
    }
}

extension RecognizedSpeech {
    /// The same, said later; in seconds.
    fileprivate func moved(by time: Double) -> RecognizedSpeech {
        var moved = self
        for place in moved.words.indices {
            moved.words[place].start += time
            moved.words[place].end += time
            moved.words[place].passage = moved.words[place].passage.map {
                $0.moved(by: time)
            }
        }
        return moved
    }

    /// Joins the speech of the pieces of one sound.
    fileprivate init(joining parts: [RecognizedSpeech]) {
        let spoken = parts.filter { !$0.text.isEmpty }
        guard let first = spoken.first else {
            self.init(text: "")
            return
        }
        self = first
        for part in spoken.dropFirst() {
            let offset = text.utf16.count + 1
            text += " " + part.text
            words += part.words.map { word in
                var word = word
                word.source = word.source.moved(by: offset)
                return word
            }
            if part.timing != timing { timing = part.words.isEmpty ? .none : timing }
        }
        // Words without times among others would be lost.
        if spoken.contains(where: \.words.isEmpty) { (words, timing) = ([], .none) }
    }
}

/// A form with a sound in it, as an asynchronous sequence of its bytes.
///
/// - SeeAlso: RFC 7578, `multipart/form-data`.
struct MultipartForm: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// How many bytes are handed over at once.
    private static let portion = 1 << 16

    /// The length of the sound.
    let seconds: Double
    /// The size of the sound alone.
    let soundBytes: Int
    let contentType: String
    private let bytes: ByteBuffer
    /// Called whenever bytes are taken.
    private let taken: @Sendable () -> Void
    /// Called before bytes are taken, which ends the form when it throws.
    var check: @Sendable () async throws -> Void = {}

    /// - Parameters:
    ///   - fields: By name, in the order in which they are sent.
    ///   - clip: Becomes the WAV file `speech.wav` of the field `file`.
    ///   - boundary: Occurs nowhere else in the form.
    ///   - taken: Called whenever bytes are taken.
    init(
        _ fields: [(name: String, value: String)],
        clip: AudioClip,
        boundary: String = "echotext-\(UUID().uuidString)",
        taken: @escaping @Sendable () -> Void = {}
    ) {
        let file = WAVHeader.file(of: clip.pcm16, sampleRate: clip.sampleRate)
        var bytes = ByteBuffer()
        bytes.reserveCapacity(file.count + 8_192)
        for (name, value) in fields {
            bytes.writeString("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n")
        }
        bytes.writeString(
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\n"
                + "Content-Type: audio/wav\r\n\r\n"
        )
        bytes.writeBytes(file)
        bytes.writeString("\r\n--\(boundary)--\r\n")
        (self.bytes, self.taken) = (bytes, taken)
        (seconds, soundBytes) = (clip.seconds, 2 * clip.samples.count)
        contentType = "multipart/form-data; boundary=\(boundary)"
    }

    /// All of it, in bytes.
    var length: Int { bytes.readableBytes }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ByteBuffer
        let taken: @Sendable () -> Void
        let check: @Sendable () async throws -> Void

        mutating func next() async throws -> ByteBuffer? {
            try await check()
            taken()
            return rest.readSlice(length: Swift.min(MultipartForm.portion, rest.readableBytes))
                .flatMap { $0.readableBytes > 0 ? $0 : nil }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes, taken: taken, check: check) }
}

/// A sound cut into pieces that a service takes.
enum SoundPieces {
    /// Where cuts are looked for, as a share of a piece, counted from its end.
    private static let search = 0.1
    /// In seconds; a cut goes through the middle of the quietest window of this length.
    private static let window = 0.1

    /// - Parameters:
    ///   - clip: What is to be heard.
    ///   - limit: The most samples of a piece.
    /// - Returns: Ranges of samples that join; no more of them than have to be.
    static func ranges(of clip: AudioClip, limit: Int) -> [Range<Int>] {
        precondition(limit > 0, "a piece has at least one sample, got \(limit)")
        var ranges: [Range<Int>] = []
        var start = 0
        while clip.samples.count - start > limit {
            let end = quietest(in: clip, from: start + limit - Int(search * Double(limit)), to: start + limit)
            ranges.append(start..<end)
            start = end
        }
        ranges.append(start..<clip.samples.count)
        return ranges
    }

    private static func quietest(in clip: AudioClip, from first: Int, to last: Int) -> Int {
        let length = max(1, Int(window * Double(clip.sampleRate)))
        var best = (place: last, power: Float.infinity)
        var place = first
        while place + length <= last {
            let power = clip.samples[place..<place + length].reduce(0) { $0 + $1 * $1 }
            // The later of two that are alike, so that pieces are long.
            if power <= best.power { best = (place + length / 2, power) }
            place += max(1, length / 2)
        }
        return best.place
    }
}

/// Why a service has refused, as its answer says.
///
/// - SeeAlso: OpenAI's guide “Error codes”; FastAPI's `detail`, which local servers answer with.
struct ServiceRefusal: Sendable {
    private let answer: OutboundClient.Answer
    /// In small letters.
    private let body: String
    private let codes: Set<String>

    /// - Parameters:
    ///   - answer: One of a status other than success.
    ///   - body: Its content, as far as it was read.
    init(_ answer: OutboundClient.Answer, body: Data) {
        struct Content: Decodable {
            struct Problem: Decodable {
                let code: String?
                let type: String?
            }
            let error: Problem?
        }
        self.answer = answer
        self.body = String(decoding: body, as: UTF8.self).lowercased()
        // Any other shape has no codes.
        let problem = (try? JSONDecoder().decode(Content.self, from: body))?.error
        codes = Set([problem?.code, problem?.type].compactMap(\.self))
    }

    /// Whether it is the form of the answer that the service does not have.
    var concernsFormat: Bool {
        guard [400, 415, 422].contains(answer.status) else { return false }
        return ["response_format", "verbose_json", "timestamp_granularities"].contains { body.contains($0) }
    }

    /// - Parameter now: Against which servers say when to come back.
    /// - Returns: The error with words for a person.
    func error(now: Date) -> RemoteRecognitionError {
        let host = answer.host
        switch answer.status {
        case 402: return .quotaSpent(host: host)
        case 429 where !codes.isDisjoint(with: ["insufficient_quota", "billing_hard_limit_reached"]):
            return .quotaSpent(host: host)
        case 401, 403: return .keyRefused(host: host)
        case 404, 405: return .notThere(host: host)
        case 413: return .soundTooLarge(host: host)
        case 408: return .timedOut(host: host)
        case 429: return .tooManyRequests(host: host, wait: RetryAfter.wait(answer.headers, now: now))
        case 503 where answer.headers.contains(name: "retry-after"):
            return .tooManyRequests(host: host, wait: RetryAfter.wait(answer.headers, now: now))
        case 500...: return .serverFailed(host: host, status: answer.status)
        default: return .refused(host: host, status: answer.status)
        }
    }
}
