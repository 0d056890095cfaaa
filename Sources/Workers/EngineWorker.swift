internal import EchoText
internal import Logging
internal import Synchronization

/// A child process that loads one voice, or the rule-based engine, and answers requests to it.
///
/// Requests may overlap; each is answered independently. After the process has ended, every request fails.
final class EngineWorker: Sendable {
    private struct State {
        var ledger = RequestLedger()
        var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
        var waiting: [UInt32: CheckedContinuation<RequestLedger.Settlement, any Error>] = [:]
        /// Receive the sound of requests that are being spoken.
        var listeners: [UInt32: @Sendable (RequestLedger.Event) -> Void] = [:]
        var process: WorkerProcess?
        var fault: Fault?
        var hasExited = false
        var isRetiring = false
        var watchdog: Watchdog?
        /// Watches for a missing response while a request is pending.
        var watch: Task<Void, Never>?
        /// Waits for the worker to end cancelled requests.
        var cancellationTimeout: Task<Void, Never>?
        var exitWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let timing: WorkerTiming
    private let clock: any Clock<Duration>

    /// The worker ended during another request, before it started this one; the next worker can run it.
    struct RequestNotStarted: Error {}

    /// The worker ended after the engine had finished with this request, before all of the reply had arrived.
    struct ReplyLost: Error {}

    private init(timing: WorkerTiming, clock: any Clock<Duration>) {
        self.timing = timing
        self.clock = clock
    }

    /// Starts the process.
    ///
    /// - Throws: ``WorkerError/cannotStart``.
    static func start(
        _ launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        timing: WorkerTiming,
        clock: any Clock<Duration>,
        logger: Logger
    ) async throws -> EngineWorker {
        let worker = EngineWorker(timing: timing, clock: clock)
        let hasStarted = await withCheckedContinuation { continuation in
            WorkerProcess.start(launch, in: isolation, logger: logger) { bytes in
                worker.receive(bytes)
            } started: { process in
                worker.begin(process)
                continuation.resume(returning: process != nil)
            } ended: { end in
                worker.processEnded(end)
            }
        }
        guard hasStarted else { throw WorkerError.cannotStart }
        return worker
    }

    var fault: Fault? { state.withLock { $0.fault } }
    /// Whether the process has exited and its resources are freed.
    var hasExited: Bool { state.withLock { $0.hasExited } }

    /// Loads a voice; call it once, before any other request.
    ///
    /// - Throws: What the worker's loader threw; ``VoiceFolderError/badModel(_:)`` when the engine ended its own
    ///   process while it loaded the voice, as sherpa-onnx does with some models; ``WorkerError``,
    ///   ``SynthesisError/timedOut(_:phase:seconds:)`` or `CancellationError`.
    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> OpenedVoice {
        do {
            let settled = try await perform(.open(folder, lanes: lanes, layout: layout), .opening)
            guard case .opened(let voice) = settled else { throw WorkerError.protocolViolation }
            return voice
        } catch WorkerError.died(signal: nil) {
            throw VoiceFolderError.badModel(folder.modelFile)
        }
    }

    /// - Parameters:
    ///   - request: The phonemes to synthesize.
    ///   - take: Called with each piece in order, before this returns; must not block.
    /// - Throws: What the worker's model threw, ``WorkerError``, ``SynthesisError/timedOut(_:phase:seconds:)`` or
    ///   `CancellationError`.
    func speak(_ request: PhonemeRequest, take: @escaping @Sendable (AcousticPiece) -> Void) async throws {
        let settled = try await perform(.speak(request), .speaking) { if case .piece(let piece) = $0 { take(piece) } }
        guard case .spoken = settled else { throw WorkerError.protocolViolation }
    }

    /// Loads the rule-based engine; call it once, before any other request.
    ///
    /// - Throws: What the worker's engine threw, ``WorkerError``, ``SynthesisError/timedOut(_:phase:seconds:)`` or
    ///   `CancellationError`, like the two methods below.
    func introduce() async throws -> EngineIntroduction {
        guard case .introduced(let introduction) = try await perform(.introduce, .introducing) else {
            throw WorkerError.protocolViolation
        }
        return introduction
    }

    /// - Throws: ``RequestNotStarted``, ``ReplyLost``, and the errors of ``introduce()``.
    func pronounce(_ texts: [String], language: String) async throws -> [String] {
        let settled = try await perform(.pronounce(texts, language: language), .pronouncing(texts.count))
        guard case .pronounced(let phonemes) = settled else { throw WorkerError.protocolViolation }
        return phonemes
    }

    /// - Parameters:
    ///   - phrase: The text to synthesize.
    ///   - voice: A voice that ``introduce()`` returned, or a variant of one.
    ///   - prosody: The speed and pitch.
    /// - Returns: The sound, and the times of the words of `phrase`.
    /// - Throws: ``RequestNotStarted``, ``ReplyLost``, and the errors of ``introduce()``.
    func say(
        _ phrase: SpokenText,
        by voice: Voice.ID,
        prosody: Prosody
    ) async throws -> (samples: [Int16], marks: [SpeechFragment.Mark]) {
        let sound = Mutex<[Int16]>([])
        let settled = try await perform(.say(phrase, voice: voice, prosody: prosody), .saying) { event in
            if case .sound(let samples) = event { sound.withLock { $0 += samples } }
        }
        let written = phrase.extent
        guard case .said(let marks) = settled, marks.allSatisfy({ written.contains($0.source) }) else {
            throw WorkerError.protocolViolation
        }
        let samples = sound.withLock { sound in
            defer { sound = [] }
            return sound
        }
        return (samples, marks)
    }

    /// Ends the process at once; pending requests fail with the worker's first fault, which is `fault` if there was
    /// none.
    func end(_ fault: Fault = .dismissed) {
        let process = state.withLock { state in
            state.fault = state.fault ?? fault
            return state.process
        }
        process?.kill()
    }

    /// Ends the process as soon as no request is pending.
    func retire() {
        let isIdle = state.withLock { state in
            state.isRetiring = true
            return !state.ledger.isAwaited
        }
        if isIdle { end() }
    }

    /// Returns when the process has exited and its resources are freed.
    func waitForExit() async {
        await withCheckedContinuation { continuation in
            let hasExited = state.withLock { state in
                if !state.hasExited { state.exitWaiters.append(continuation) }
                return state.hasExited
            }
            if hasExited { continuation.resume() }
        }
    }
}

extension EngineWorker {
    /// Sends a request and waits for its result.
    ///
    /// - Parameters:
    ///   - command: The request to send.
    ///   - work: The kind of request, for the ledger.
    ///   - take: Called with each piece of sound.
    /// - Returns: The result.
    /// - Throws: As ``speak(_:take:)``.
    private func perform(
        _ command: EngineCommand,
        _ work: RequestLedger.Work,
        take: (@Sendable (RequestLedger.Event) -> Void)? = nil
    ) async throws -> RequestLedger.Settlement {
        try Task.checkCancellation()
        let request = state.withLock { $0.ledger.takeNumber() }
        let frame = command.frame(request: request)
        guard frame.payload.count <= frame.kind.longestPayload else {
            throw SynthesisError.engineFailed(work.engine, status: nil)
        }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    register(continuation, take, for: frame, work, as: request)
                    // The handler may have run before there was anything to cancel.
                    if Task.isCancelled { cancel(request) }
                }
            } onCancel: {
                cancel(request)
            }
        } catch {
            throw work.isSerial ? (reasonToRetry(request) ?? error) : error
        }
    }

    /// Why `request` can be sent to the next worker; `nil` if this worker may have ended because of it.
    private func reasonToRetry(_ request: UInt32) -> (any Error)? {
        state.withLock { state in
            guard state.fault?.sparesOtherRequests ?? false else { return nil }
            return switch state.ledger.progress(of: request) {
            case .waiting?: RequestNotStarted()
            case .finished?: ReplyLost()
            case .atWork?, nil: nil
            }
        }
    }

    private func register(
        _ continuation: CheckedContinuation<RequestLedger.Settlement, any Error>,
        _ take: (@Sendable (RequestLedger.Event) -> Void)?,
        for frame: Frame,
        _ work: RequestLedger.Work,
        as request: UInt32
    ) {
        let fault = state.withLock { state in
            guard state.fault == nil else { return state.fault }
            if !state.ledger.isAwaited { watch(&state) }
            state.ledger.begin(work, as: request)
            state.waiting[request] = continuation
            state.listeners[request] = take
            state.process?.send(frame.encoded)
            return nil
        }
        guard let fault else { return }
        let isUnstarted = work.isSerial && fault.sparesOtherRequests
        continuation.resume(throwing: isUnstarted ? RequestNotStarted() : fault.error(timing))
    }

    private func cancel(_ request: UInt32) {
        let continuation = state.withLock { state -> CheckedContinuation<RequestLedger.Settlement, any Error>? in
            guard state.ledger.cancel(request) else { return nil }
            state.process?.send(EngineCommand.cancel.frame(request: request).encoded)
            if state.cancellationTimeout == nil {
                state.cancellationTimeout = Task { [weak self, clock, timing] in
                    var kept: Set<UInt32>? = [request]
                    while let before = kept, !before.isEmpty {
                        // This throws only when the worker has ended.
                        guard (try? await clock.sleep(for: timing.cancelGrace)) != nil else { return }
                        kept = self?.expireCancellation(since: before)
                    }
                }
            }
            state.listeners[request] = nil
            return state.waiting.removeValue(forKey: request)
        }
        continuation?.resume(throwing: CancellationError())
        afterSettling()
    }

    private func begin(_ process: WorkerProcess?) {
        let hasFault = state.withLock { state in
            state.process = process
            if process == nil { state.fault = .notStarted }
            return state.fault != nil
        }
        guard let process else { return finish() }
        process.send(FrameFormat.preamble)
        if hasFault { process.kill() }
    }

    /// - Returns: Whether to continue listening.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            state.withLock { $0.decoder.append(bytes) }
            while try receiveFrame() {}
            return true
        } catch {
            state.withLock { $0.fault = $0.fault ?? .broken(error) }
            return false
        }
    }

    /// - Returns: Whether there was a complete frame.
    private func receiveFrame() throws(WorkerError) -> Bool {
        typealias Answer = (CheckedContinuation<RequestLedger.Settlement, any Error>, RequestLedger.Settlement)
        let (hadFrame, answer) = try state.withLock { state throws(WorkerError) -> (Bool, Answer?) in
            guard let frame = try state.decoder.next() else { return (false, nil) }
            state.watchdog?.heartbeat()
            guard let event = try state.ledger.receive(frame) else { return (true, nil) }
            switch event {
            case .piece, .sound: state.listeners[frame.request]?(event)
            case .settled(let settlement):
                state.listeners[frame.request] = nil
                guard let continuation = state.waiting.removeValue(forKey: frame.request) else { break }
                return (true, (continuation, settlement))
            }
            return (true, nil)
        }
        guard let (continuation, settlement) = answer else { return hadFrame }
        if case .failed(let error) = settlement {
            continuation.resume(throwing: error)
        } else {
            continuation.resume(returning: settlement)
        }
        afterSettling()
        return true
    }

    /// Stops watching when no request is pending, and ends the worker if that was requested.
    private func afterSettling() {
        let shouldEnd = state.withLock { state in
            guard !state.ledger.isAwaited else { return false }
            state.watch?.cancel()
            state.watch = nil
            state.watchdog = nil
            return state.isRetiring
        }
        if shouldEnd { end() }
    }
}

extension EngineWorker {
    private func watch(_ state: inout State) {
        let watchdog = Watchdog(timeout: timing.responseTimeout, clock: clock)
        state.watch?.cancel()  // It may remain from a request that was answered a moment ago.
        state.watchdog = watchdog
        state.watch = Task { [weak self] in
            // This throws only when no request is pending any more.
            guard (try? await watchdog.expiration()) != nil else { return }
            self?.responseTimedOut()
        }
    }

    private func responseTimedOut() {
        let occupation = state.withLock { $0.ledger.isAwaited ? $0.ledger.occupation : nil }
        if let occupation { end(.unresponsive(occupation.engine, occupation.phase)) }
    }

    /// Ends the worker if it still holds a cancelled request after the grace period and is working on no other.
    ///
    /// - Returns: The cancelled requests that the worker still holds; empty when the wait is over.
    private func expireCancellation(since before: Set<UInt32>) -> Set<UInt32> {
        let (kept, isStuck) = state.withLock { state in
            let kept = state.ledger.cancelled
            let isStuck = !kept.isDisjoint(with: before) && !state.ledger.isAtWork
            if kept.isEmpty || isStuck { state.cancellationTimeout = nil }
            return (kept, isStuck)
        }
        if isStuck { end(.ignoredCancellation) }
        return isStuck ? [] : kept
    }

    private func processEnded(_ end: WorkerEnd) {
        state.withLock { state in
            state.fault = state.fault ?? .died(end, hasGreeted: state.decoder.hasGreeted)
        }
        finish()
    }

    private func finish() {
        let (waiting, exitWaiters, fault) = state.withLock { state in
            defer {
                state.waiting = [:]
                state.listeners = [:]
                state.exitWaiters = []
            }
            state.hasExited = true
            state.process = nil
            state.watch?.cancel()
            state.cancellationTimeout?.cancel()
            return (state.waiting.values, state.exitWaiters, state.fault)
        }
        for continuation in waiting { continuation.resume(throwing: (fault ?? .dismissed).error(timing)) }
        for waiter in exitWaiters { waiter.resume() }
    }
}
