package import EchoText
package import Logging
internal import Synchronization

/// Opens voices in worker processes: one for each voice, kept ready between utterances, and one for the rule-based
/// engine.
///
/// A request fails only when two workers in a row die during it. A voice whose workers keep dying is quarantined until
/// ``forgive(_:)`` is called or its files change.
package actor EngineWorkerPool: AcousticModelLoader {
    private struct Slot {
        var record: WorkerRecord
        var worker: ReadyWorker?
        var starting: Task<ReadyWorker, any Error>?
        /// The model's layout, once it is known.
        var layout: ModelLayout?
        /// Requests that the worker has answered.
        var answers = 0
        /// Calls that use the voice at the moment.
        var users = 0
        /// The number of the pool's call that used the voice last.
        var lastUse = 0
        /// Ends the worker after its idle time.
        var idling: Task<Void, Never>?
    }

    let launch: WorkerLaunch
    let timing: WorkerTiming
    let clock: any Clock<Duration>
    let logger: Logger
    private let elapsed: @Sendable () -> Duration
    private let executor = BlockingExecutor(label: "echotext.workers")

    let isolation: IsolationDetector
    private var slots: [VoiceFolder: Slot] = [:]
    /// Workers that are no longer in a slot but may not have exited yet; ``endAll()`` waits for them.
    private var retiring: [EngineWorker] = []
    /// The worker with the rule-based engine.
    var pronouncer = PronouncerSlot()
    private var uses = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - launch: The program to start; the voice's folder is added to the readable paths.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - timing: The timeouts and limits.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers end.
    package init(
        _ launch: WorkerLaunch,
        isolation: WorkerIsolation? = nil,
        timing: WorkerTiming = WorkerTiming(),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.launch = launch
        self.timing = timing
        self.clock = clock
        self.logger = logger
        elapsed = clock.stopwatch()
        self.isolation = IsolationDetector(isolation, logger: logger)
    }

    deinit {
        for slot in slots.values { slot.worker?.worker.end() }
        pronouncer.worker?.worker.end()
    }

    package func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        precondition(lanes >= 1, "a voice needs a lane, got \(lanes)")
        if refresh(folder) { dismissWorker(of: folder) }
        if let layout {
            slots[folder, default: Slot(record: WorkerRecord(VoiceStamp(of: folder)))].layout = layout
        }
        let voice = try await use(folder, lanes: min(lanes, EngineCommand.maximumLanes)) { $0.voice }
        return PooledModel(voice: voice, folder: folder, lanes: lanes, pool: self)
    }

    /// Lifts the quarantine of a voice, as if its workers had never died.
    package func forgive(_ folder: VoiceFolder) {
        slots[folder]?.record = WorkerRecord(VoiceStamp(of: folder))
    }

    /// Ends every worker at once and returns when all have exited; their requests are cancelled.
    ///
    /// The pool starts new ones when it is used again.
    package func endAll() async {
        var going = retiring
        for folder in slots.keys {
            slots[folder]?.starting?.cancel()
            if let worker = slots[folder]?.worker { going.append(worker.worker) }
            dismissWorker(of: folder)
        }
        let starting = slots.values.compactMap(\.starting)
        let pronouncerStart = pronouncer.starting
        pronouncerStart?.cancel()
        if let worker = dismissPronouncer() { going.append(worker) }
        for worker in going { worker.end() }
        for start in starting { _ = await start.result }
        _ = await pronouncerStart?.result
        for worker in going { await worker.waitForExit() }
        retiring.removeAll { $0.hasExited }
    }

    /// The voice's worker, if one is ready.
    func readyWorker(of folder: VoiceFolder) -> EngineWorker? { slots[folder]?.worker?.worker }

    /// Speaks a request; the sound that a worker delivered before it died is not delivered again by the next.
    func speak(
        _ request: PhonemeRequest,
        in folder: VoiceFolder,
        lanes: Int,
        take: @escaping @Sendable (AcousticPiece) -> Void
    ) async throws {
        let delivered = Mutex(DeliveryProgress())
        try await use(folder, lanes: lanes) { ready in
            delivered.withLock { $0.begin() }
            try await ready.worker.speak(request) { piece in
                if let new = delivered.withLock({ $0.new(piece) }) { take(new) }
            }
        }
    }
}

/// A worker with its voice loaded.
private struct ReadyWorker: Sendable {
    let worker: EngineWorker
    let voice: OpenedVoice
    let lanes: Int
}

// MARK: Using

extension EngineWorkerPool {
    /// Does `work` with the voice's worker, and retries it once with the next worker if the first dies during it.
    private func use<Result: Sendable>(
        _ folder: VoiceFolder,
        lanes: Int,
        _ work: (ReadyWorker) async throws -> Result
    ) async throws -> Result {
        beginUse(of: folder)
        defer { endUse(of: folder) }
        do {
            return try await attempt(folder, lanes: lanes, work)
        } catch WorkerError.died {
            try Task.checkCancellation()
            return try await attempt(folder, lanes: lanes, work)
        }
    }

    private func attempt<Result: Sendable>(
        _ folder: VoiceFolder,
        lanes: Int,
        _ work: (ReadyWorker) async throws -> Result
    ) async throws -> Result {
        let ready = try await worker(for: folder, lanes: lanes)
        do {
            let result = try await work(ready)
            slots[folder]?.record.answered(timing)
            slots[folder]?.answers += 1
            return result
        } catch {
            noteFault(of: ready.worker, in: folder)
            throw error
        }
    }

    private func beginUse(of folder: VoiceFolder) {
        uses += 1
        var slot = slots[folder] ?? Slot(record: WorkerRecord(VoiceStamp(of: folder)))
        slot.users += 1
        slot.lastUse = uses
        slot.idling?.cancel()
        slot.idling = nil
        slots[folder] = slot
    }

    private func endUse(of folder: VoiceFolder) {
        slots[folder]?.users -= 1
        endSurplus()
        guard let slot = slots[folder], slot.users == 0, slot.worker != nil else { return }
        slots[folder]?.idling = Task { [weak self, clock, timing] in
            // This throws only when the voice is used again.
            guard (try? await clock.sleep(for: timing.idle)) != nil else { return }
            await self?.endIdle(folder, since: slot.lastUse)
        }
    }

    private func endIdle(_ folder: VoiceFolder, since use: Int) {
        guard let slot = slots[folder], slot.users == 0, slot.lastUse == use else { return }
        dismissWorker(of: folder)
    }

    /// Ends unused workers beyond ``WorkerTiming/maximumWarm``, least recently used first.
    private func endSurplus() {
        let ready = slots.filter { $0.value.worker != nil }
        let unused = ready.filter { $0.value.users == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (folder, _) in unused.prefix(max(0, ready.count - timing.maximumWarm)) { dismissWorker(of: folder) }
    }

    /// Retires the voice's worker; it finishes its pending requests.
    private func dismissWorker(of folder: VoiceFolder) {
        guard let worker = slots[folder]?.worker?.worker else { return }
        slots[folder]?.worker = nil
        slots[folder]?.idling?.cancel()
        slots[folder]?.idling = nil
        retire(worker)
    }

    /// Retires a worker that has been removed from its slot.
    func retire(_ worker: EngineWorker) {
        retiring.removeAll { $0.hasExited }
        retiring.append(worker)
        worker.retire()
    }

    /// - Returns: Whether the voice's files have changed.
    private func refresh(_ folder: VoiceFolder) -> Bool {
        let isAnother = slots[folder]?.record.update(files: VoiceStamp(of: folder)) ?? false
        if isAnother { slots[folder]?.layout = nil }
        return isAnother
    }
}

// MARK: Starting

extension EngineWorkerPool {
    /// The voice's worker; starts one if none is running or it handles too few requests at once.
    private func worker(for folder: VoiceFolder, lanes: Int) async throws -> ReadyWorker {
        while true {
            try Task.checkCancellation()
            if let ready = slots[folder]?.worker {
                if ready.worker.fault != nil {
                    // A worker that died without a pending request was unused, so the voice is not the cause.
                    noteFault(of: ready.worker, in: folder, counts: slots[folder]?.users ?? 0 > 1)
                } else if ready.lanes >= lanes, slots[folder]?.answers ?? 0 < timing.maximumRequests {
                    return ready
                } else {
                    dismissWorker(of: folder)
                }
            }
            let start = try slots[folder]?.starting ?? self.start(folder, lanes: lanes)
            let ready = try await start.valueUnlessCancelled
            if ready.worker.fault == nil, ready.lanes >= lanes { return ready }
        }
    }

    private func start(_ folder: VoiceFolder, lanes: Int) throws -> Task<ReadyWorker, any Error> {
        _ = refresh(folder)
        guard let record = slots[folder]?.record, !record.isSetAside(timing) else {
            throw VoiceFolderError.setAside(folder.modelFile, deaths: slots[folder]?.record.deaths ?? 0)
        }
        let wait = record.notBefore - elapsed()
        let task = Task {
            defer { slots[folder]?.starting = nil }
            if wait > .zero { try await clock.sleep(for: wait) }
            let ready = try await makeWorker(for: folder, lanes: lanes)
            slots[folder]?.worker = ready
            slots[folder]?.answers = 0
            endSurplus()
            return ready
        }
        slots[folder]?.starting = task
        return task
    }

    private func makeWorker(for folder: VoiceFolder, lanes: Int) async throws -> ReadyWorker {
        var launch = launch
        launch.readablePaths.append(folder.path)
        let isolation = await isolation.isolation
        try Task.checkCancellation()
        let worker = try await EngineWorker.start(launch, in: isolation, timing: timing, clock: clock, logger: logger)
        do {
            let voice = try await worker.open(folder, lanes: lanes, layout: slots[folder]?.layout)
            slots[folder]?.layout = voice.layout
            try Task.checkCancellation()
            return ReadyWorker(worker: worker, voice: voice, lanes: lanes)
        } catch {
            if let fault = worker.fault { record(fault, of: folder) }
            worker.end()
            await worker.waitForExit()
            throw error
        }
    }

    /// Removes a worker that has ended from its slot, and counts the fault.
    private func noteFault(of worker: EngineWorker, in folder: VoiceFolder, counts: Bool = true) {
        guard let fault = worker.fault, slots[folder]?.worker?.worker === worker else { return }
        slots[folder]?.worker = nil
        retiring.removeAll { $0.hasExited }
        if !worker.hasExited { retiring.append(worker) }
        if counts { record(fault, of: folder) }
    }

    private func record(_ fault: WorkerFault, of folder: VoiceFolder) {
        guard fault.isOfVoice else { return }
        slots[folder]?.record.died(at: elapsed(), timing)
        let deaths = slots[folder]?.record.deaths ?? 0
        logger.warning("a voice's worker died", metadata: ["fault": "\(fault)", "deaths": "\(deaths)"])
    }
}
