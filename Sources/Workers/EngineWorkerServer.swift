internal import CProcess
package import EchoText
internal import Foundation
internal import Synchronization

/// The worker's side: answers the program's requests with a loader's models.
package struct EngineWorkerServer: Sendable {
    package typealias PhonemizerLoader = @Sendable () async throws -> any Phonemizer

    fileprivate let loader: any AcousticModelLoader
    fileprivate let pronouncer: PhonemizerLoader
    fileprivate let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - loader: Opens the one voice that the program may request.
    ///   - pronouncer: Loads the rule-based engine, which the program may request instead.
    ///   - confinement: Limits each request's processor time; `nil` for no limit.
    package init(
        loader: any AcousticModelLoader,
        pronouncer: @escaping PhonemizerLoader,
        confinement: WorkerConfinement? = nil
    ) {
        self.loader = loader
        self.pronouncer = pronouncer
        self.confinement = confinement
    }

    /// Answers requests until the program sends a shutdown, closes the pipe or violates the protocol.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error,
    /// and standard input is empty. An engine may still be running on return, so the caller must end the process with
    /// `_exit`, which waits for no thread.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        guard let input = FrameInput.takeOver(input, accepting: Frame.Kind.ofProgram),
            let output = FrameOutput.takeOver(output)
        else { return }
        let session = EngineSession(self, output: output)
        let requests = Mutex<FrameInput?>(input)
        await withCheckedContinuation { continuation in
            let thread = Thread {
                if let input = requests.withLock({ $0.take() }) { Self.serve(session, from: input) }
                continuation.resume()
            }
            thread.name = "echotext requests"
            thread.start()
        }
        await session.finish()
    }

    private static func serve(_ session: EngineSession, from input: consuming FrameInput) {
        do {
            while let frame = try input.next(), try session.take(frame) {}
        } catch {
            return
        }
    }
}

/// The requests of the program and their tasks.
private final class EngineSession: Sendable {
    private struct State {
        /// Whether the command to load a voice or engine has been received.
        var hasOpened = false
        var model: (any AcousticModel)?
        var pronouncer: (any Phonemizer)?
        /// Each task removes itself after it has answered.
        var tasks: [UInt32: Task<Void, Never>] = [:]
        /// The number of requests that the engine is working on.
        var running = 0
    }

    private let server: EngineWorkerServer
    private let output: FrameOutput
    private let state = Mutex(State())

    init(_ server: EngineWorkerServer, output: FrameOutput) {
        self.server = server
        self.output = output
    }

    /// - Returns: Whether to continue.
    func take(_ frame: Frame) throws(WorkerError) -> Bool {
        switch try EngineCommand(frame) {
        case .open(let folder, let lanes, let layout):
            try begin()
            start(frame.request) { try await self.open(folder, lanes: lanes, layout: layout, as: frame.request) }
        case .speak(let request): start(frame.request) { try await self.speak(request, as: frame.request) }
        case .introduce:
            try begin()
            start(frame.request) { try await self.introduce(as: frame.request) }
        case .pronounce(let texts, let language):
            start(frame.request) { try await self.pronounce(texts, language: language, as: frame.request) }
        case .say(let phrase, let voice, let prosody):
            start(frame.request) { try await self.say(phrase, by: voice, prosody: prosody, as: frame.request) }
        case .cancel: state.withLock { $0.tasks[frame.request]?.cancel() }
        case .shutdown: return false
        }
        return true
    }

    /// Ensures that only one command to load something is accepted.
    private func begin() throws(WorkerError) {
        let isFirst = state.withLock { state in
            defer { state.hasOpened = true }
            return !state.hasOpened
        }
        guard isFirst else { throw .protocolViolation }
    }

    /// Cancels running requests without waiting for them, and flushes the replies.
    func finish() async {
        state.withLock { state in
            for task in state.tasks.values { task.cancel() }
        }
        await output.finish()
    }

    private func start(_ request: UInt32, _ work: @escaping @Sendable () async throws -> Void) {
        state.withLock { state in
            state.tasks[request] = Task {
                do {
                    try await work()
                } catch {
                    self.output.send(.failed(SentEngineError(error)), request: request)
                }
                self.state.withLock { $0.tasks[request] = nil }
            }
        }
    }

    private func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?, as request: UInt32) async throws {
        output.send(.alive, request: request)
        let model = try await monitored(request) {
            try await self.server.loader.open(folder, lanes: lanes, layout: layout)
        }
        let voice = try OpenedVoice(sampleRate: model.sampleRate, speakers: model.speakers, layout: model.layout)
        state.withLock { $0.model = model }
        output.send(.opened(voice), request: request)
    }

    private func speak(_ wanted: PhonemeRequest, as request: UInt32) async throws {
        guard let model = state.withLock({ $0.model }) else { throw WorkerError.protocolViolation }
        try await monitored(request) {
            try await model.speak(wanted) { piece in
                switch piece {
                case .times(let times): self.output.send(.times(times), request: request)
                case .samples(let samples): self.send(samples, in: .audio, of: request)
                }
            }
        }
        output.send(.done, request: request)
    }

    /// Sends sound in frames of at most ``EngineReply/longestAudio`` samples.
    private func send<Sample: BitwiseCopyable>(_ samples: [Sample], in kind: Frame.Kind, of request: UInt32) {
        var rest = samples[...]
        while !rest.isEmpty {
            let stretch = rest.prefix(EngineReply.longestAudio)
            output.send(stretch.withUnsafeBytes { Frame.encoded(kind, request: request, payload: $0) })
            rest = rest.dropFirst(EngineReply.longestAudio)
        }
    }

    private func introduce(as request: UInt32) async throws {
        output.send(.alive, request: request)
        let pronouncer = try await monitored(request) { try await self.server.pronouncer() }
        state.withLock { $0.pronouncer = pronouncer }
        output.send(.introduced(try await pronouncer.introduction()), request: request)
    }

    private func pronounce(_ texts: [String], language: String, as request: UInt32) async throws {
        try await pronouncing(request) { engine in
            let phonemes = try await engine.phonemes(of: texts, in: language)
            self.output.send(.pronounced(phonemes), request: request)
        }
    }

    private func say(_ phrase: SpokenText, by voice: Voice.ID, prosody: Prosody, as request: UInt32) async throws {
        try await pronouncing(request) { engine in
            let speech = try await engine.speech(of: phrase, by: voice, prosody: prosody)
            self.send(speech.samples, in: .sound, of: request)
            self.output.send(.said(speech.marks), request: request)
        }
    }

    /// Runs a request on the rule-based engine, which handles one at a time.
    ///
    /// A text may crash the process as soon as the engine reads it, and the program must know which request did. So the
    /// start of each request is reported before it runs; replies to the previous request may still be in transit then.
    private func pronouncing(
        _ request: UInt32,
        _ work: (any Phonemizer) async throws -> Void
    ) async throws {
        guard let pronouncer = state.withLock({ $0.pronouncer }) else { throw WorkerError.protocolViolation }
        let reports = ProgressReports { isFirst in
            let report = EngineReply.alive.frame(request: request).encoded
            guard isFirst else { return self.output.send(report) }
            self.server.confinement?.allow(requests: 1)
            self.output.sendNow(report)
        }
        try await EngineProgress.observed(by: reports.record) { try await work(pronouncer) }
    }

    /// Runs work of the engine, forwards its progress reports and extends the limit on processor time.
    ///
    /// A request that waits for the model reports no progress.
    private func monitored<Result>(_ request: UInt32, _ work: () async throws -> Result) async throws -> Result {
        let running = state.withLock { state in
            state.running += 1
            return state.running
        }
        defer { state.withLock { $0.running -= 1 } }
        server.confinement?.allow(requests: running)
        return try await EngineProgress.observed(by: { self.output.send(.alive, request: request) }, work)
    }
}

/// Forwards an engine's first progress report, and later ones at most once in each interval.
private final class ProgressReports: Sendable {
    /// The shortest time between forwarded reports; a rule-based engine reports every few milliseconds.
    private static let interval = Duration.seconds(1)

    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private let pass: @Sendable (_ isFirst: Bool) -> Void

    init(_ pass: @escaping @Sendable (_ isFirst: Bool) -> Void) {
        self.pass = pass
    }

    func record() {
        let now = ContinuousClock.now
        let isFirst = last.withLock { last -> Bool? in
            if let before = last, now - before < Self.interval { return nil }
            defer { last = now }
            return last == nil
        }
        if let isFirst { pass(isFirst) }
    }
}

extension FrameOutput {
    fileprivate func send(_ reply: EngineReply, request: UInt32) {
        send(reply.frame(request: request).encoded)
    }
}
