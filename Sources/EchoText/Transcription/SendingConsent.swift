/// Sound that is to be sent to a service, as a person is asked about it.
package struct Sending: Sendable, Hashable, Codable {
    /// The server's name, with the port unless it is the default.
    package let host: String
    package let bytes: Int
    /// The length of the sound.
    package let seconds: Double

    package init(host: String, bytes: Int, seconds: Double) {
        (self.host, self.bytes, self.seconds) = (host, bytes, seconds)
    }

    /// Describes sending a whole sound, divided into clips.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the sound, at ``RecognitionClip/sampleRate``.
    ///   - service: The receiving service.
    package init(seconds: Double, to service: TranscriptionService) {
        let samples = Int((seconds * Double(RecognitionClip.sampleRate)).rounded(.up))
        self.init(host: service.address.host, bytes: 2 * samples, seconds: seconds)
    }
}

/// How often a person is asked before sound is sent.
package enum ConsentRule: String, Sendable, Hashable, CaseIterable {
    /// Before each sending.
    case eachTime = "each-time"
    /// Once for each server, until the library is closed.
    case oncePerSession = "once-per-session"
    /// Sound is sent without a question.
    case neverAsk = "never-ask"
}

/// The permission to send audio to one server; without one, nothing is sent.
///
/// ``SendingConsent`` grants it. Code that opens a service's session has to run within ``use(_:)``, which sets
/// ``current``.
package struct SendingPermit: Sendable, Hashable {
    package let sending: Sending

    /// - Parameter sending: What the person has just allowed.
    package init(confirmed sending: Sending) {
        self.sending = sending
    }

    @TaskLocal package static var current: SendingPermit?

    /// Runs `work`, in which services of the permit's server can be opened.
    package func use<Output>(_ work: () async throws -> Output) async rethrows -> Output {
        try await Self.$current.withValue(self, operation: work)
    }
}

/// Asks the person before audio leaves the machine, as often as the setting `transcription.consent` requires.
///
/// A job asks, and waits. A page or a terminal shows the requests in ``waiting``, and answers by ``allow(_:)`` or
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
    private var hosts: Set<String> = []

    /// - Parameter rule: The rule as it is set at the moment.
    package init(rule: @escaping @Sendable () async throws -> ConsentRule) {
        self.rule = rule
    }

    /// The requests that wait for the person's decision.
    package var waiting: [TranscriptionJob.ID: Sending] { questions.mapValues(\.sending) }

    /// Returns when `sending` is allowed.
    ///
    /// - Parameters:
    ///   - sending: Everything the job has yet to send to the server.
    ///   - job: The job that sends; it has one request at a time.
    ///   - waits: Called when the person has to decide and can do so.
    /// - Returns: The permission to send it.
    /// - Throws: ``RemoteRecognitionError/notAllowed(host:)``, `CancellationError`, and errors of reading the setting.
    package func ask(
        _ sending: Sending,
        for job: TranscriptionJob.ID,
        waits: @Sendable () async -> Void = {}
    ) async throws -> SendingPermit {
        let rule = try await rule()
        if isAllowed(sending, to: job, by: rule) { return SendingPermit(confirmed: sending) }
        precondition(questions[job] == nil, "a job asks one question at a time")
        questions[job] = Question(sending: sending)
        await waits()
        defer { questions[job] = nil }
        try await answer(to: job)
        return SendingPermit(confirmed: sending)
    }

    private func isAllowed(_ sending: Sending, to job: TranscriptionJob.ID, by rule: ConsentRule) -> Bool {
        switch rule {
        case .neverAsk: true
        case .oncePerSession where hosts.contains(sending.host): true
        case .eachTime, .oncePerSession:
            (allowed[job] ?? []).contains {
                $0.host == sending.host && $0.bytes >= sending.bytes && $0.seconds >= sending.seconds
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
    /// - Returns: Whether there was one.
    @discardableResult
    package func allow(_ job: TranscriptionJob.ID) -> Bool {
        guard let question = questions[job] else { return false }
        allowed[job, default: []].insert(question.sending)
        hosts.insert(question.sending.host)
        decide(job, .success(()))
        return true
    }

    /// Refuses a job's pending request, which throws ``RemoteRecognitionError/notAllowed(host:)``.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func refuse(_ job: TranscriptionJob.ID) -> Bool {
        guard let question = questions[job] else { return false }
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
    package func reconsider() async throws {
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
        (allowed, hosts) = ([:], [])
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
