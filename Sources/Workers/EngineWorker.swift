internal import EchoText
internal import Logging
internal import Synchronization

/// A child process with a voice in it, or on its way there.
///
/// Requests overlap; each is answered for itself. Once it has ended, for whatever reason, every request fails.
final class EngineWorker: Sendable {
    private struct State {
        var ledger = RequestLedger()
        var decoder = FrameDecoder(accepting: Frame.Kind.ofWorker)
        var waiting: [UInt32: CheckedContinuation<RequestLedger.Settlement, any Error>] = [:]
        /// Where the sound of requests goes that are being spoken.
        var listeners: [UInt32: @Sendable (RequestLedger.Event) -> Void] = [:]
        var process: WorkerProcess?
        var fault: Fault?
        var isGone = false
        var isRetiring = false
        var watchdog: Watchdog?
        /// Watches for a missing response while a request is pending.
        var watch: Task<Void, Never>?
        /// Waits for the worker to end cancelled requests.
        var patience: Task<Void, Never>?
        var mourners: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let timing: WorkerTiming
    private let clock: any Clock<Duration>

    /// The worker ended while it was at another request; this one may be asked of the next.
    struct Untouched: Error {}

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
                worker.bury(end)
            }
        }
        guard hasStarted else { throw WorkerError.cannotStart }
        return worker
    }

    var fault: Fault? { state.withLock { $0.fault } }
    /// Whether the process and all that belonged to it are gone.
    var isGone: Bool { state.withLock { $0.isGone } }

    /// Loads a voice; to be done once, before anything else.
    ///
    /// - Throws: What the worker's loader threw; ``VoiceFolderError/badModel(_:)`` when the engine ended its process
    ///   of its own accord over the voice, which is how sherpa-onnx refuses some models; ``WorkerError``,
    ///   ``SynthesisError/timedOut(_:phase:seconds:)`` or `CancellationError`.
    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> OpenedVoice {
        do {
            let settled = try await settle(.open(folder, lanes: lanes, layout: layout), .opening)
            guard case .opened(let voice) = settled else { throw WorkerError.protocolViolation }
            return voice
        } catch WorkerError.died(signal: nil) {
            throw VoiceFolderError.badModel(folder.modelFile)
        }
    }

    /// - Parameters:
    ///   - request: What to say.
    ///   - take: Called with each piece in order, before this returns; must not block.
    /// - Throws: What the worker's model threw, ``WorkerError``, ``SynthesisError/timedOut(_:phase:seconds:)`` or
    ///   `CancellationError`.
    func speak(_ request: PhonemeRequest, take: @escaping @Sendable (AcousticPiece) -> Void) async throws {
        let settled = try await settle(.speak(request), .speaking) { if case .piece(let piece) = $0 { take(piece) } }
        guard case .spoken = settled else { throw WorkerError.protocolViolation }
    }

    /// Has the engine of rules loaded; to be done once, before anything else.
    ///
    /// - Throws: What the worker's engine threw, ``WorkerError``, ``SynthesisError/timedOut(_:phase:seconds:)`` or `CancellationError`;
    ///   as the two below.
    func introduce() async throws -> EngineIntroduction {
        guard case .introduced(let introduction) = try await settle(.introduce, .introducing) else {
            throw WorkerError.protocolViolation
        }
        return introduction
    }

    /// - Throws: ``Untouched`` beside the others.
    func pronounce(_ texts: [String], language: String) async throws -> [String] {
        let settled = try await settle(.pronounce(texts, language: language), .pronouncing(texts.count))
        guard case .pronounced(let phonemes) = settled else { throw WorkerError.protocolViolation }
        return phonemes
    }

    /// - Parameters:
    ///   - phrase: What to say.
    ///   - voice: One that the engine introduced, or a variant of one.
    ///   - prosody: How.
    /// - Returns: The sound, and the times of what is written in `phrase`.
    /// - Throws: ``Untouched`` beside the others.
    func say(
        _ phrase: SpokenText,
        by voice: Voice.ID,
        prosody: Prosody
    ) async throws -> (samples: [Int16], marks: [SpeechFragment.Mark]) {
        let sound = Mutex<[Int16]>([])
        let settled = try await settle(.say(phrase, voice: voice, prosody: prosody), .saying) { event in
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

    /// Ends the process at once; what is awaited fails as `fault` says, or as the fault it already has.
    func end(_ fault: Fault = .dismissed) {
        let process = state.withLock { state in
            state.fault = state.fault ?? fault
            return state.process
        }
        process?.kill()
    }

    /// Ends the process once nothing is awaited of it.
    func retire() {
        let isIdle = state.withLock { state in
            state.isRetiring = true
            return !state.ledger.isAwaited
        }
        if isIdle { end() }
    }

    /// Returns when the process is gone and nothing of it is left.
    func gone() async {
        await withCheckedContinuation { continuation in
            let isGone = state.withLock { state in
                if !state.isGone { state.mourners.append(continuation) }
                return state.isGone
            }
            if isGone { continuation.resume() }
        }
    }
}

extension EngineWorker {
    /// Asks and waits.
    ///
    /// - Parameters:
    ///   - command: The request.
    ///   - work: What that is for the ledger.
    ///   - take: Called with each stretch of sound.
    /// - Returns: How it ended.
    /// - Throws: As ``speak(_:take:)``.
    private func settle(
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
                    enlist(continuation, take, for: frame, work, as: request)
                    // The handler may have run before there was anything to cancel.
                    if Task.isCancelled { abandon(request) }
                }
            } onCancel: {
                abandon(request)
            }
        } catch  where work.isOneAtATime && wasUntouched(request) {
            throw Untouched()
        }
    }

    /// Whether the worker ended through no fault of `request`, which it had not begun with.
    private func wasUntouched(_ request: UInt32) -> Bool {
        state.withLock { ($0.fault?.isOfVoice ?? false) && $0.ledger.isWaiting(request) }
    }

    private func enlist(
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
        let isInnocent = work.isOneAtATime && fault.isOfVoice
        continuation.resume(throwing: isInnocent ? Untouched() : fault.error(timing))
    }

    private func abandon(_ request: UInt32) {
        let continuation = state.withLock { state -> CheckedContinuation<RequestLedger.Settlement, any Error>? in
            guard state.ledger.abandon(request) else { return nil }
            state.process?.send(EngineCommand.cancel.frame(request: request).encoded)
            if state.patience == nil {
                state.patience = Task { [weak self, clock, timing] in
                    var kept: Set<UInt32>? = [request]
                    while let before = kept, !before.isEmpty {
                        // Thrown only when the worker has gone.
                        guard (try? await clock.sleep(for: timing.cancelGrace)) != nil else { return }
                        kept = self?.losePatience(since: before)
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
        let isDoomed = state.withLock { state in
            state.process = process
            if process == nil { state.fault = .notStarted }
            return state.fault != nil
        }
        guard let process else { return finish() }
        process.send(FrameFormat.preamble)
        if isDoomed { process.kill() }
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

    /// - Returns: Whether there was one.
    private func receiveFrame() throws(WorkerError) -> Bool {
        typealias Answer = (CheckedContinuation<RequestLedger.Settlement, any Error>, RequestLedger.Settlement)
        let (hadFrame, answer) = try state.withLock { state throws(WorkerError) -> (Bool, Answer?) in
            guard let frame = try state.decoder.next() else { return (false, nil) }
            state.watchdog?.heard()
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
        let isToGo = state.withLock { state in
            guard !state.ledger.isAwaited else { return false }
            state.watch?.cancel()
            state.watch = nil
            state.watchdog = nil
            return state.isRetiring
        }
        if isToGo { end() }
    }
}

extension EngineWorker {
    private func watch(_ state: inout State) {
        let watchdog = Watchdog(timeout: timing.responseTimeout, clock: clock)
        state.watch?.cancel()  // of a request that was answered a moment ago, and has not been taken back yet
        state.watchdog = watchdog
        state.watch = Task { [weak self] in
            // Thrown only when there is nothing to watch any more.
            guard (try? await watchdog.expiration()) != nil else { return }
            self?.fallSilent()
        }
    }

    private func fallSilent() {
        let occupation = state.withLock { $0.ledger.isAwaited ? $0.ledger.occupation : nil }
        if let occupation { end(.unresponsive(occupation.engine, occupation.phase)) }
    }

    /// Ends the worker when it does not give up a cancelled request and does nothing else.
    ///
    /// - Returns: What it still keeps; empty when there is nothing to wait for any more.
    private func losePatience(since before: Set<UInt32>) -> Set<UInt32> {
        let (kept, isDeaf) = state.withLock { state in
            let kept = state.ledger.abandoned
            let isDeaf = !kept.isDisjoint(with: before) && !state.ledger.isAtWork
            if kept.isEmpty || isDeaf { state.patience = nil }
            return (kept, isDeaf)
        }
        if isDeaf { end(.deaf) }
        return isDeaf ? [] : kept
    }

    private func bury(_ end: WorkerEnd) {
        state.withLock { state in
            state.fault = state.fault ?? .died(end, hasGreeted: state.decoder.hasGreeted)
        }
        finish()
    }

    private func finish() {
        let (waiting, mourners, fault) = state.withLock { state in
            defer {
                state.waiting = [:]
                state.listeners = [:]
                state.mourners = []
            }
            state.isGone = true
            state.process = nil
            state.watch?.cancel()
            state.patience?.cancel()
            return (state.waiting.values, state.mourners, state.fault)
        }
        for continuation in waiting { continuation.resume(throwing: (fault ?? .dismissed).error(timing)) }
        for mourner in mourners { mourner.resume() }
    }
}
