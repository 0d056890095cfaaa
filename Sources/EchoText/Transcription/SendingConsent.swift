import Synchronization

/// Sound that is to be sent to a service, as a person is asked about it.
package struct Sending: Sendable, Hashable, Codable {
    /// The server's name, with the port unless it is the default.
    package let host: String
    /// Which part of the server is asked, with a slash at its beginning.
    package let path: String
    package let isEncrypted: Bool
    /// Whether hotwords or a prompt go along, in which people may be named.
    package let sendsWords: Bool
    package let bytes: Int
    /// The length of the sound.
    package let seconds: Double

    package init(
        host: String,
        path: String = "/",
        isEncrypted: Bool = true,
        sendsWords: Bool = false,
        bytes: Int,
        seconds: Double
    ) {
        (self.host, self.path, self.isEncrypted) = (host, path, isEncrypted)
        (self.sendsWords, self.bytes, self.seconds) = (sendsWords, bytes, seconds)
    }

    /// - Parameters:
    ///   - bytes: Of sound.
    ///   - seconds: The length of the sound.
    ///   - service: Where it goes; its own prompt goes along.
    package init(bytes: Int, seconds: Double, to service: TranscriptionService) {
        self.init(
            host: service.address.host,
            path: service.address.path,
            isEncrypted: service.address.isEncrypted,
            sendsWords: service.prompt != nil,
            bytes: bytes,
            seconds: seconds
        )
    }

    /// Describes sending a whole sound, divided into clips.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the sound, at ``RecognitionClip/sampleRate``.
    ///   - service: The receiving service.
    package init(seconds: Double, to service: TranscriptionService) {
        let samples = Int((seconds * Double(RecognitionClip.sampleRate)).rounded(.up))
        self.init(bytes: 2 * samples, seconds: seconds, to: service)
    }

    /// The same with the words of `settings`.
    package func with(_ settings: RecognitionSettings) -> Sending {
        Sending(
            host: host,
            path: path,
            isEncrypted: isEncrypted,
            sendsWords: sendsWords || settings.hasWords,
            bytes: bytes,
            seconds: seconds
        )
    }

    /// Whether it goes to another machine in a way in which others can read it.
    package var isReadable: Bool { !isEncrypted && !HostName(hostOf: host).isThisMachine }

    /// The scope of a permission, apart from the amount.
    fileprivate struct Kind: Hashable {
        let host: String
        let path: String
        let isEncrypted: Bool
        let sendsWords: Bool
    }

    fileprivate var kind: Kind {
        Kind(host: host, path: path, isEncrypted: isEncrypted, sendsWords: sendsWords)
    }
}

extension RecognitionSettings {
    /// Whether there are hotwords or a prompt.
    package var hasWords: Bool { !hotwords.isEmpty || prompt?.isEmpty == false }
}

/// How often a person is asked before sound is sent.
package enum ConsentRule: String, Sendable, Hashable, CaseIterable {
    /// Before each sending.
    case eachTime = "each-time"
    /// Once for each server, its path, encryption and words, until the library is closed.
    case oncePerSession = "once-per-session"
    /// Sound is sent without a question.
    case neverAsk = "never-ask"
}

/// The right to send so much sound to one server; without one, nothing is sent.
///
/// ``SendingConsent`` grants it. Code that opens a service's session has to run within ``use(_:)``, which sets
/// ``current``.
package struct SendingPermission: Sendable, Hashable {
    package let sending: Sending
    private let rest: Rest
    /// Returns whether the leave has not been taken back.
    package let isGiven: @Sendable () async throws -> Bool

    /// How many bytes of sound may still be sent.
    private final class Rest: Sendable {
        let bytes: Mutex<Int>

        init(_ bytes: Int) { self.bytes = Mutex(bytes) }
    }

    /// - Parameters:
    ///   - sending: What a person has just allowed.
    ///   - isGiven: Returns whether the leave has not been taken back.
    package init(
        confirmed sending: Sending,
        while isGiven: @escaping @Sendable () async throws -> Bool = { true }
    ) {
        self.sending = sending
        self.isGiven = isGiven
        // Clips share a second where there is no pause to cut at, and end with a window.
        rest = Rest(sending.bytes + sending.bytes / 16 + 4_096)
    }

    /// Tells permits apart that are in use.
    package typealias ID = ObjectIdentifier
    package var id: ID { ObjectIdentifier(rest) }

    package static func == (one: SendingPermission, other: SendingPermission) -> Bool { one.sending == other.sending }

    package func hash(into hasher: inout Hasher) { hasher.combine(sending) }

    /// Whether it is for this address.
    package func isFor(_ address: ServiceAddress) -> Bool {
        sending.host == address.host && sending.path == address.path
            && sending.isEncrypted == address.isEncrypted
    }

    /// Takes bytes of sound from what may be sent.
    ///
    /// - Returns: Whether there were as many; if not, none are taken.
    package func take(_ bytes: Int) -> Bool {
        rest.bytes.withLock { rest in
            guard bytes <= rest else { return false }
            rest -= bytes
            return true
        }
    }

    /// Gives bytes back that were sent for nothing, and may be sent again.
    package func giveBack(_ bytes: Int) {
        rest.bytes.withLock { $0 += bytes }
    }

    @TaskLocal package static var current: SendingPermission?

    /// Runs `work`, in which services of the permit's server can be opened.
    package func use<Output>(_ work: () async throws -> Output) async rethrows -> Output {
        try await Self.$current.withValue(self, operation: work)
    }
}

/// Asks the person before audio leaves the machine, as often as the setting `transcription.consent` requires.
///
/// A job asks, and waits. A page or a terminal shows what ``waiting`` says, and answers by ``allow(_:for:)`` or
/// ``refuse(_:)``.
///
/// ```swift
/// let permit = try await consent.ask(sending, for: job.id) { await show(.waitingForConsent) }
/// let session = try await permit.use { try await recognizer.open(id, settings) }
/// ```
///
/// - A permission remains valid for its job, so that a failed request is repeated without a question; a larger one asks
///   again.
/// - A refusal answers one request only; the next request asks again.
/// - ``forget()`` revokes everything when the library is closed.
package actor SendingConsent {
    private struct Question {
        let sending: Sending
        var answer: Result<Void, any Error>?
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let rule: @Sendable () async throws -> ConsentRule
    private var questions: [TranscriptionJob.ID: Question] = [:]
    private var allowed: [TranscriptionJob.ID: Set<Sending>] = [:]
    private var kinds: Set<Sending.Kind> = []

    /// - Parameter rule: The rule as it is set at the moment.
    package init(rule: @escaping @Sendable () async throws -> ConsentRule) {
        self.rule = rule
    }

    /// The requests that wait for the person's decision.
    package var waiting: [TranscriptionJob.ID: Sending] {
        questions.filter { $0.value.answer == nil }.mapValues(\.sending)
    }

    /// Returns when `sending` is allowed.
    ///
    /// - Parameters:
    ///   - sending: All that the job has yet to send to the server.
    ///   - job: Who sends; it asks one question at a time.
    ///   - waits: Called when a person has to decide, who can do so from then on.
    /// - Returns: The right to send it, until a person wants to be asked more often.
    /// - Throws: ``RemoteRecognitionError/notAllowed(host:)``, `CancellationError`, and what reading the rule throws.
    package func ask(
        _ sending: Sending,
        for job: TranscriptionJob.ID,
        waits: @Sendable () async -> Void = {}
    ) async throws -> SendingPermission {
        let rule = try await rule()
        let permit = SendingPermission(confirmed: sending) { [weak self] in
            try await self?.isStillAllowed(sending, for: job) ?? false
        }
        if isAllowed(sending, to: job, by: rule) { return permit }
        precondition(questions[job] == nil, "a job asks one question at a time")
        questions[job] = Question(sending: sending)
        defer { questions[job] = nil }
        await waits()
        // The rule may have changed after it was read and before there was a question.
        try await reconsider()
        try await answer(to: job)
        return permit
    }

    private func isStillAllowed(_ sending: Sending, for job: TranscriptionJob.ID) async throws -> Bool {
        isAllowed(sending, to: job, by: try await rule())
    }

    private func isAllowed(_ sending: Sending, to job: TranscriptionJob.ID, by rule: ConsentRule) -> Bool {
        switch rule {
        case .neverAsk: true
        case .oncePerSession where kinds.contains(sending.kind): true
        case .eachTime, .oncePerSession:
            (allowed[job] ?? []).contains {
                $0.kind == sending.kind && $0.bytes >= sending.bytes && $0.seconds >= sending.seconds
            }
        }
    }

    private func answer(to job: TranscriptionJob.ID) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if let answer = questions[job]?.answer {
                    continuation.resume(with: answer)
                } else {
                    questions[job]?.continuation = continuation
                }
            }
        } onCancel: {
            Task { await self.decide(job, .failure(CancellationError())) }
        }
    }

    /// Allows a job's pending request.
    ///
    /// - Parameters:
    ///   - sending: What the person has seen; where it is another one by now, nothing is allowed.
    ///   - job: Who waits.
    /// - Returns: Whether it waited to send that; a question that has been answered waits no more, even if the job has not
    ///   heard the answer yet.
    @discardableResult
    package func allow(_ sending: Sending, for job: TranscriptionJob.ID) -> Bool {
        guard let question = questions[job], question.answer == nil, question.sending == sending else { return false }
        allowed[job, default: []].insert(sending)
        kinds.insert(sending.kind)
        decide(job, .success(()))
        return true
    }

    /// Whether a person has allowed exactly this to a job.
    package func hasAllowed(_ sending: Sending, for job: TranscriptionJob.ID) -> Bool {
        allowed[job]?.contains(sending) == true
    }

    /// Refuses what a job waits to send; its question ends with ``RemoteRecognitionError/notAllowed(host:)``.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func refuse(_ job: TranscriptionJob.ID) -> Bool {
        guard let question = questions[job], question.answer == nil else { return false }
        decide(job, .failure(RemoteRecognitionError.notAllowed(host: HostName(hostOf: question.sending.host).text)))
        return true
    }

    private func decide(_ job: TranscriptionJob.ID, _ answer: Result<Void, any Error>) {
        guard let question = questions[job], question.answer == nil else { return }
        questions[job]?.answer = answer
        questions[job]?.continuation?.resume(with: answer)
        questions[job]?.continuation = nil
    }

    /// Answers the questions that a changed rule makes superfluous.
    ///
    /// - Throws: What reading the rule throws.
    package func reconsider() async throws {
        guard !waiting.isEmpty else { return }
        let rule = try await rule()
        for (job, question) in questions where isAllowed(question.sending, to: job, by: rule) {
            decide(job, .success(()))
        }
    }

    /// Drops the permissions of a job that has ended.
    package func end(_ job: TranscriptionJob.ID) {
        allowed[job] = nil
    }

    /// Revokes all permissions, and refuses pending requests.
    package func forget() {
        (allowed, kinds) = ([:], [])
        for job in questions.keys { refuse(job) }
    }
}

extension HostName {
    /// The name in a text that may have a port.
    fileprivate init(hostOf authority: String) {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
            self.init(authority)
            return
        }
        self.init(String(authority[..<colon]))
    }
}

extension SettingsStore {
    /// How often the person wants to be asked before audio is sent.
    package func consentRule() async throws -> ConsentRule {
        ConsentRule(rawValue: try await value(of: SettingsCatalogue.consent)) ?? .eachTime
    }
}
