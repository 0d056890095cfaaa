package import EchoText
package import Foundation
import NIOCore
import Synchronization

/// The services that a person has set up, as recognisers.
///
/// A session is opened only with leave to send (``SendingPermission``), and sends nothing to any other server.
package struct RemoteRecognizer: SpeechRecognizer {
    /// Times and sizes, which tests replace.
    package struct Surroundings: Sendable {
        /// The longest time in which the server may send nothing; it may compute for long before it says a word.
        package var idleTimeout = Duration.seconds(120)
        /// The longest time from the last byte that is sent to the last one of the answer, beside twice the sound's length.
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
    private let surroundings: Surroundings
    private let formats = AnswerFormats()

    /// - Parameters:
    ///   - client: Opens connections.
    ///   - surroundings: Times and sizes.
    ///   - services: Returns what the person has set up at the moment.
    package init(
        client: OutboundClient,
        surroundings: Surroundings = Surroundings(),
        services: @escaping @Sendable () async throws -> [TranscriptionService]
    ) {
        (self.client, self.services, self.surroundings) = (client, services, surroundings)
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
            surroundings: surroundings
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

/// One service, with leave to send to it.
private struct RemoteSession: RecognitionSession {
    let service: TranscriptionService
    let settings: RecognitionSettings
    let permit: SendingPermission
    let isCurrent: @Sendable () async throws -> Bool
    let client: OutboundClient
    let formats: AnswerFormats
    let surroundings: RemoteRecognizer.Surroundings

    /// Below this level, in dBFS, there is nothing to hear, and services tend to make something up.
    private static let silence = -80.0
    /// The most bytes of an answer other than success that are read.
    private static let largestRefusal = 1 << 20
    /// The slowest that an answer may come, in bytes a second: a trickle does not count as activity.
    private static let leastRate = 1_024.0
    /// Room for the fields around the file, in bytes.
    private static let formSize = 16_384

    /// The leave is for each clip once.
    let hearsAgain = false

    private var host: String { service.address.hostName.text }

    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
        try Task.checkCancellation()
        guard let level = clip.level, level > Self.silence else { return RecognizedSpeech(text: "") }
        let limit = max(1, (surroundings.largestFile - Self.formSize) / 2)
        var heard: [RecognizedSpeech] = []
        for range in SoundPieces.ranges(of: clip, limit: limit) {
            let piece = AudioClip(samples: Array(clip.samples[range]), sampleRate: clip.sampleRate)
            let start = Double(range.lowerBound) / Double(clip.sampleRate)
            heard.append(try await recognizePiece(piece).moved(by: start))
        }
        return RecognizedSpeech(joining: heard)
    }

    func close() async {
        await client.close(permit)
    }

    // MARK: - One piece

    private func recognizePiece(_ clip: AudioClip) async throws -> RecognizedSpeech {
        if !formats.isPlain(service) {
            switch try await ask(about: clip, isVerbose: true) {
            case .success(let heard): return heard
            case .failure(let refusal):
                guard refusal.concernsFormat else { throw refusal.error(now: surroundings.now()) }
                formats.setPlain(service)
            }
        }
        switch try await ask(about: clip, isVerbose: false) {
        case .success(let heard): return heard
        case .failure(let refusal): throw refusal.error(now: surroundings.now())
        }
    }

    private enum Outcome {
        case success(RecognizedSpeech)
        case failure(ServiceRefusal)
    }

    private func ask(about clip: AudioClip, isVerbose: Bool) async throws -> Outcome {
        do {
            let idle = IdleTimeout(surroundings.idleTimeout, clock: surroundings.clock)
            let longest = surroundings.answerTime + .seconds(2 * clip.seconds)
            let whole = IdleTimeout(longest, clock: surroundings.clock)
            return try await idle.watch(host: host) { heard in
                try await whole.watch(host: host) { sent in
                    let form = MultipartForm(fields(isVerbose: isVerbose), clip: clip) {
                        heard()
                        sent()
                    }
                    return try await outcome(of: form, about: clip, heard)
                }
            }
        } catch let error as VoiceDownloadError {
            throw problem(error)
        }
    }

    private func outcome(
        of form: MultipartForm,
        about clip: AudioClip,
        _ heard: () -> Void
    ) async throws -> Outcome {
        let answer = try await client.post(form, to: service, by: permit, while: isCurrent)
        heard()
        guard answer.status == 200 else {
            let body = try await contents(of: answer, limit: Self.largestRefusal, heard)
            return .failure(ServiceRefusal(answer, body: body))
        }
        let limits = AnswerLimits(length: clip.seconds, largest: surroundings.largestAnswer)
        let body = try await contents(of: answer, limit: limits.bytes, heard)
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
        _ heard: () -> Void
    ) async throws -> Data {
        var data = Data()
        let step = Int(Self.leastRate * (surroundings.idleTimeout / .seconds(1)))
        var next = step
        do {
            try await answer.read { buffer in
                if data.count + buffer.readableBytes >= next {
                    heard()
                    next = data.count + buffer.readableBytes + step
                }
                data.append(contentsOf: buffer.readableBytesView)
                guard data.count <= limit else {
                    throw RemoteRecognitionError.badAnswer(host: host)
                }
            }
        } catch VoiceDownloadError.unreachable {
            throw RemoteRecognitionError.interrupted(host: host)
        }
        return data
    }

    /// The words that fit a service.
    private func problem(_ error: VoiceDownloadError) -> any UserFacingError {
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
        }
        return moved
    }

    /// What was heard in pieces of one sound.
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
                word.source = word.source.lowerBound + offset..<word.source.upperBound + offset
                return word
            }
            if part.timing != timing { timing = part.words.isEmpty ? .none : timing }
        }
        // Words without times among others would be lost.
        if spoken.contains(where: \.words.isEmpty) { (words, timing) = ([], .none) }
    }
}
