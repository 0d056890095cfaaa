internal import CProcess
package import EchoText
internal import Foundation
internal import Synchronization

/// The worker's side: answers a program's requests with the models of a loader.
package struct EngineWorkerServer: Sendable {
    package typealias PronouncingEngineLoader = @Sendable () async throws -> any PronouncingEngine

    fileprivate let loader: any AcousticModelLoader
    fileprivate let pronouncer: PronouncingEngineLoader
    fileprivate let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - loader: Opens the one voice this worker may be asked for.
    ///   - pronouncer: Loads the engine of rules, which it may be asked for instead.
    ///   - confinement: What limits each request's processor time; `nil` for none.
    package init(
        loader: any AcousticModelLoader,
        pronouncer: @escaping PronouncingEngineLoader,
        confinement: WorkerConfinement? = nil
    ) {
        self.loader = loader
        self.pronouncer = pronouncer
        self.confinement = confinement
    }

    /// Answers until the program says it is done, goes away, or says what makes no sense.
    ///
    /// Takes both descriptors over: what a library prints to standard output goes to standard error from here on, and
    /// standard input is empty. An engine may still be at work on return, so the caller ends the process by `_exit`,
    /// which waits for nobody.
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

/// One program's requests, and what has become of them.
private final class EngineSession: Sendable {
    private struct State {
        /// Whether it has received what to load.
        var hasOpened = false
        var model: (any AcousticModel)?
        var pronouncer: (any PronouncingEngine)?
        /// Each removes itself when it has answered.
        var tasks: [UInt32: Task<Void, Never>] = [:]
        /// Requests the engine is at.
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

    /// Records what to load, which is received once.
    private func begin() throws(WorkerError) {
        let isFirst = state.withLock { state in
            defer { state.hasOpened = true }
            return !state.hasOpened
        }
        guard isFirst else { throw .protocolViolation }
    }

    /// Gives up what is running, without waiting for it, and sees what has been answered off.
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
                    self.output.send(.failed(EngineFailure(error)), request: request)
                }
                self.state.withLock { $0.tasks[request] = nil }
            }
        }
    }

    private func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?, as request: UInt32) async throws {
        output.send(.alive, request: request)
        let model = try await attended(request) {
            try await self.server.loader.open(folder, lanes: lanes, layout: layout)
        }
        let voice = try OpenedVoice(sampleRate: model.sampleRate, speakers: model.speakers, layout: model.layout)
        state.withLock { $0.model = model }
        output.send(.opened(voice), request: request)
    }

    private func speak(_ wanted: PhonemeRequest, as request: UInt32) async throws {
        guard let model = state.withLock({ $0.model }) else { throw WorkerError.protocolViolation }
        try await attended(request) {
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
        let pronouncer = try await attended(request) { try await self.server.pronouncer() }
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

    /// Has the engine of rules do a request, which it begins with when it is through with the one before.
    ///
    /// A text may end the process the moment the engine reads it, and then it must be known which: the program hears that the engine begins
    /// with a request before it does. What was made for the one before may still be on its way then.
    private func pronouncing(
        _ request: UInt32,
        _ work: (any PronouncingEngine) async throws -> Void
    ) async throws {
        guard let pronouncer = state.withLock({ $0.pronouncer }) else { throw WorkerError.protocolViolation }
        let signs = SignsOfLife { isFirst in
            let sign = EngineReply.alive.frame(request: request).encoded
            guard isFirst else { return self.output.send(sign) }
            self.server.confinement?.allow(requests: 1)
            self.output.sendNow(sign)
        }
        try await EngineProgress.observed(by: signs.heard) { try await work(pronouncer) }
    }

    /// Runs a piece of the engine's work with its signs of life passed on and its processor time allowed for.
    ///
    /// A request that waits for its turn at the model gives none.
    private func attended<Result>(_ request: UInt32, _ work: () async throws -> Result) async throws -> Result {
        let running = state.withLock { state in
            state.running += 1
            return state.running
        }
        defer { state.withLock { $0.running -= 1 } }
        server.confinement?.allow(requests: running)
        return try await EngineProgress.observed(by: { self.output.send(.alive, request: request) }, work)
    }
}

/// Passes on that an engine is at work, and then now and then that it still is.
private final class SignsOfLife: Sendable {
    /// How often at most; an engine of rules reports every few milliseconds of a second's work.
    private static let interval = Duration.seconds(1)

    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private let pass: @Sendable (_ isFirst: Bool) -> Void

    init(_ pass: @escaping @Sendable (_ isFirst: Bool) -> Void) {
        self.pass = pass
    }

    func heard() {
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
