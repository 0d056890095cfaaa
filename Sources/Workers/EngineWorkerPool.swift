package import EchoText
package import Logging
internal import Synchronization

/// Opens voices in processes of their own: one for each voice, kept ready between utterances, and one for the engine of rules.
///
/// A worker that dies takes one request with it at most, and that only when it dies twice over it. A voice whose workers
/// keep dying is set aside until ``forgive(_:)`` or until its files change.
package actor EngineWorkerPool: AcousticModelLoader {
    private struct Slot {
        var record: WorkerRecord
        var worker: ReadyWorker?
        var starting: Task<ReadyWorker, any Error>?
        /// How the model is run, once that is known.
        var layout: ModelLayout?
        /// Requests that the worker has answered.
        var answers = 0
        /// Calls that use the voice at the moment.
        var users = 0
        /// When it was last used, in calls of the pool.
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

    let isolation: IsolationFinder
    private var slots: [VoiceFolder: Slot] = [:]
    /// Workers on their way out that ``endAll()`` must see off.
    private var leaving: [EngineWorker] = []
    /// The worker with the engine of rules.
    var pronouncer = PronouncerSlot()
    private var uses = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - launch: What to start; the voice's folder is added to what it may read.
    ///   - isolation: What to start it in, or `nil` to find out with the first worker.
    ///   - timing: How long things may take.
    ///   - clock: What measures that.
    ///   - logger: For what becomes of workers.
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
        self.isolation = IsolationFinder(isolation, logger: logger)
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
        let voice = try await use(folder, lanes: min(lanes, EngineCommand.mostLanes)) { $0.voice }
        return PooledModel(voice: voice, folder: folder, lanes: lanes, pool: self)
    }

    /// Tries a voice that was set aside again, as if its workers had never died.
    package func forgive(_ folder: VoiceFolder) {
        slots[folder]?.record = WorkerRecord(VoiceStamp(of: folder))
    }

    /// Ends every worker, whatever it is doing, and returns when all are gone; what they had begun is cancelled.
    ///
    /// The pool starts new ones when it is used again.
    package func endAll() async {
        var going = leaving
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
        for worker in going { await worker.gone() }
        leaving.removeAll { $0.isGone }
    }

    /// The voice's worker, where one is ready.
    func readyWorker(of folder: VoiceFolder) -> EngineWorker? { slots[folder]?.worker?.worker }

    /// Says a request; what a worker that died had said of it already is not said again by the next.
    func speak(
        _ request: PhonemeRequest,
        in folder: VoiceFolder,
        lanes: Int,
        take: @escaping @Sendable (AcousticPiece) -> Void
    ) async throws {
        let heard = Mutex(HeardPieces())
        try await use(folder, lanes: lanes) { ready in
            heard.withLock { $0.begin() }
            try await ready.worker.speak(request) { piece in
                if let new = heard.withLock({ $0.new(piece) }) { take(new) }
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
    /// Does `work` with the voice's worker, and once more with the next one when that dies over it.
    private func use<Result: Sendable>(
        _ folder: VoiceFolder,
        lanes: Int,
        _ work: (ReadyWorker) async throws -> Result
    ) async throws -> Result {
        arrive(at: folder)
        defer { depart(from: folder) }
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

    private func arrive(at folder: VoiceFolder) {
        uses += 1
        var slot = slots[folder] ?? Slot(record: WorkerRecord(VoiceStamp(of: folder)))
        slot.users += 1
        slot.lastUse = uses
        slot.idling?.cancel()
        slot.idling = nil
        slots[folder] = slot
    }

    private func depart(from folder: VoiceFolder) {
        slots[folder]?.users -= 1
        endSurplus()
        guard let slot = slots[folder], slot.users == 0, slot.worker != nil else { return }
        slots[folder]?.idling = Task { [weak self, clock, timing] in
            // Thrown only when the voice is used again.
            guard (try? await clock.sleep(for: timing.idle)) != nil else { return }
            await self?.endIdle(folder, since: slot.lastUse)
        }
    }

    private func endIdle(_ folder: VoiceFolder, since use: Int) {
        guard let slot = slots[folder], slot.users == 0, slot.lastUse == use else { return }
        dismissWorker(of: folder)
    }

    /// Ends those of the workers beyond the number kept that are not in use, the longest unused first.
    private func endSurplus() {
        let ready = slots.filter { $0.value.worker != nil }
        let unused = ready.filter { $0.value.users == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (folder, _) in unused.prefix(max(0, ready.count - timing.mostWarm)) { dismissWorker(of: folder) }
    }

    /// Sends the voice's worker away; it finishes what it has begun.
    private func dismissWorker(of folder: VoiceFolder) {
        guard let worker = slots[folder]?.worker?.worker else { return }
        slots[folder]?.worker = nil
        slots[folder]?.idling?.cancel()
        slots[folder]?.idling = nil
        retire(worker)
    }

    /// Sends a worker away that is in no slot any more.
    func retire(_ worker: EngineWorker) {
        leaving.removeAll { $0.isGone }
        leaving.append(worker)
        worker.retire()
    }

    /// - Returns: Whether the voice's files are others than they were.
    private func refresh(_ folder: VoiceFolder) -> Bool {
        let isAnother = slots[folder]?.record.look(at: VoiceStamp(of: folder)) ?? false
        if isAnother { slots[folder]?.layout = nil }
        return isAnother
    }
}

// MARK: Starting

extension EngineWorkerPool {
    /// The voice's worker, started when there is none that lives and answers as many requests at once.
    private func worker(for folder: VoiceFolder, lanes: Int) async throws -> ReadyWorker {
        while true {
            try Task.checkCancellation()
            if let ready = slots[folder]?.worker {
                if ready.worker.fault != nil {
                    // Without a pending request it died unused, which says nothing about the voice.
                    noteFault(of: ready.worker, in: folder, counts: slots[folder]?.users ?? 0 > 1)
                } else if ready.lanes >= lanes, slots[folder]?.answers ?? 0 < timing.mostRequests {
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
            await worker.gone()
            throw error
        }
    }

    /// Takes note of a worker's end, once.
    private func noteFault(of worker: EngineWorker, in folder: VoiceFolder, counts: Bool = true) {
        guard let fault = worker.fault, slots[folder]?.worker?.worker === worker else { return }
        slots[folder]?.worker = nil
        leaving.removeAll { $0.isGone }
        if !worker.isGone { leaving.append(worker) }
        if counts { record(fault, of: folder) }
    }

    private func record(_ fault: EngineWorker.Fault, of folder: VoiceFolder) {
        guard fault.isOfVoice else { return }
        slots[folder]?.record.died(at: elapsed(), timing)
        let deaths = slots[folder]?.record.deaths ?? 0
        logger.warning("a voice's worker died", metadata: ["fault": "\(fault)", "deaths": "\(deaths)"])
    }
}
