internal import CProcess
package import EchoText
internal import Foundation
internal import Synchronization

/// The worker's side: answers a program's requests with the models of a loader.
package struct EngineWorkerServer: Sendable {
    private let loader: any AcousticModelLoader
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - loader: Opens the one voice this worker will be asked for.
    ///   - confinement: What limits each request's processor time; `nil` for none.
    package init(loader: any AcousticModelLoader, confinement: WorkerConfinement? = nil) {
        self.loader = loader
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
        let session = EngineSession(loader: loader, confinement: confinement, output: output)
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
        var hasOpened = false
        var model: (any AcousticModel)?
        /// Each removes itself when it has answered.
        var tasks: [UInt32: Task<Void, Never>] = [:]
        /// Requests the engine is at.
        var running = 0
    }

    private let loader: any AcousticModelLoader
    private let confinement: WorkerConfinement?
    private let output: FrameOutput
    private let state = Mutex(State())

    init(loader: any AcousticModelLoader, confinement: WorkerConfinement?, output: FrameOutput) {
        self.loader = loader
        self.confinement = confinement
        self.output = output
    }

    /// - Returns: Whether to go on.
    func take(_ frame: Frame) throws(WorkerError) -> Bool {
        switch try EngineCommand(frame) {
        case .open(let folder, let lanes, let layout):
            let isFirst = state.withLock { state in
                defer { state.hasOpened = true }
                return !state.hasOpened
            }
            guard isFirst else { throw .protocolViolation }
            start(frame.request) { try await self.open(folder, lanes: lanes, layout: layout, as: frame.request) }
        case .speak(let request): start(frame.request) { try await self.speak(request, as: frame.request) }
        case .cancel: state.withLock { $0.tasks[frame.request]?.cancel() }
        case .shutdown: return false
        }
        return true
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
            try await self.loader.open(folder, lanes: lanes, layout: layout)
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
                case .samples(let samples): self.send(samples, of: request)
                }
            }
        }
        output.send(.done, request: request)
    }

    private func send(_ samples: [Float], of request: UInt32) {
        var rest = samples[...]
        while !rest.isEmpty {
            output.send(rest.prefix(EngineReply.longestAudio), request: request)
            rest = rest.dropFirst(EngineReply.longestAudio)
        }
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
        confinement?.allow(requests: running)
        return try await EngineProgress.observed(by: { self.output.send(.alive, request: request) }, work)
    }
}

extension FrameOutput {
    fileprivate func send(_ reply: EngineReply, request: UInt32) {
        send(reply.frame(request: request).encoded)
    }

    /// Sends a stretch of sound, at most ``EngineReply/longestAudio`` samples.
    fileprivate func send(_ samples: ArraySlice<Float>, request: UInt32) {
        send(samples.withUnsafeBytes { Frame.encoded(.audio, request: request, payload: $0) })
    }
}
