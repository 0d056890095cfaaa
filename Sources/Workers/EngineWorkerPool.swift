package import EchoText
internal import Foundation
package import Logging
internal import Synchronization

/// Opens voices in worker processes: one for each voice, kept ready between utterances, and one for the rule-based
/// engine.
///
/// A request fails only when two workers in a row die during it. A voice whose workers keep dying is quarantined until
/// ``forgive(_:)`` is called or its files change.
package actor EngineWorkerPool: AcousticModelLoader {
    /// What a worker loads.
    enum Role: Hashable {
        case voice(VoiceFolder)
        case rules

        /// The folders in which distributions install espeak-ng's data, if not next to the libraries.
        private static let rulesPaths = ["/usr/share/espeak-ng-data", "/usr/local/share/espeak-ng-data"]

        /// The voice's folder; `nil` for the rule-based engine.
        fileprivate var folder: VoiceFolder? {
            if case .voice(let folder) = self { folder } else { nil }
        }

        fileprivate var readablePaths: [String] {
            switch self {
            case .voice(let folder): [folder.path]
            case .rules: Self.rulesPaths.filter(FileManager.default.fileExists)
            }
        }
    }

    struct Slot {
        /// The deaths of a voice's workers; `nil` for the rule-based engine, which is never quarantined.
        var record: WorkerRecord?
        var worker: ReadyWorker?
        var starting: Task<ReadyWorker, any Error>?
        /// The layout of a voice's model, once it is known.
        var layout: ModelLayout?
        /// Requests to a voice that the worker has answered.
        var answers = 0
        /// Calls that use the worker at the moment.
        var users = 0
        /// The number of the pool's call that used the worker last.
        var lastUse = 0
        /// Ends the worker after its idle time.
        var idling: Task<Void, Never>?

        fileprivate init(for role: Role) {
            record = role.folder.map { WorkerRecord(VoiceStamp(of: $0)) }
        }
    }

    private let launch: WorkerLaunch
    private let timing: WorkerTiming
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let elapsed: @Sendable () -> Duration
    private let executor = BlockingExecutor(label: "echotext.workers")

    private let isolation: IsolationDetector
    private var slots: [Role: Slot] = [:]
    /// Workers that are no longer in a slot but may not have exited yet; ``endAll()`` waits for them.
    private var retiring: [EngineWorker] = []
    private var uses = 0
    /// The version and voices of the rule-based engine when it was last loaded.
    private(set) var lastIntroduction: EngineIntroduction?

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
    }

    package func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        precondition(lanes >= 1, "a voice needs a lane, got \(lanes)")
        let role = Role.voice(folder)
        if refresh(role) { dismissWorker(of: role) }
        if let layout { slots[role, default: Slot(for: role)].layout = layout }
        let loaded = try await use(folder, lanes: min(lanes, EngineCommand.maximumLanes)) { $0.loaded }
        guard case .voice(let voice) = loaded else { throw WorkerError.protocolViolation }
        return PooledModel(voice: voice, folder: folder, lanes: lanes, pool: self)
    }

    /// Lifts the quarantine of a voice, as if its workers had never died.
    package func forgive(_ folder: VoiceFolder) {
        slots[.voice(folder)]?.record = WorkerRecord(VoiceStamp(of: folder))
    }

    /// Ends every worker at once and returns when all have exited; their requests are cancelled.
    ///
    /// The pool starts new ones when it is used again.
    package func endAll() async {
        var going = retiring
        for role in slots.keys {
            slots[role]?.starting?.cancel()
            if let worker = slots[role]?.worker { going.append(worker.worker) }
            dismissWorker(of: role)
        }
        let starting = slots.values.compactMap(\.starting)
        for worker in going { worker.end() }
        for start in starting { _ = await start.result }
        for worker in going { await worker.waitForExit() }
        retiring.removeAll { $0.hasExited }
    }

    /// The voice's worker, if one is ready.
    func readyWorker(of folder: VoiceFolder) -> EngineWorker? { slots[.voice(folder)]?.worker?.worker }

    /// The place of the rule-based engine's worker.
    var pronouncer: Slot { slots[.rules] ?? Slot(for: .rules) }

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

/// A worker that has loaded a voice or the rule-based engine.
struct ReadyWorker: Sendable {
    enum Loaded: Sendable {
        case voice(OpenedVoice)
        case rules(EngineIntroduction)
    }

    let worker: EngineWorker
    let loaded: Loaded
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
        let role = Role.voice(folder)
        beginUse(of: role)
        defer { endUse(of: role) }
        do {
            return try await attempt(role, lanes: lanes, work)
        } catch WorkerError.died {
            try Task.checkCancellation()
            return try await attempt(role, lanes: lanes, work)
        }
    }

    private func attempt<Result: Sendable>(
        _ role: Role,
        lanes: Int,
        _ work: (ReadyWorker) async throws -> Result
    ) async throws -> Result {
        let ready = try await worker(for: role, lanes: lanes)
        do {
            let result = try await work(ready)
            slots[role]?.record?.answered(timing)
            slots[role]?.answers += 1
            return result
        } catch {
            noteFault(of: ready.worker, in: role)
            throw error
        }
    }

    func beginUse(of role: Role) {
        uses += 1
        var slot = slots[role] ?? Slot(for: role)
        slot.users += 1
        slot.lastUse = uses
        slot.idling?.cancel()
        slot.idling = nil
        slots[role] = slot
    }

    func endUse(of role: Role) {
        slots[role]?.users -= 1
        endSurplus()
        guard let slot = slots[role], slot.users == 0, slot.worker != nil else { return }
        slots[role]?.idling = Task { [weak self, clock, timing] in
            // This throws only when the worker is used again.
            guard (try? await clock.sleep(for: timing.idle)) != nil else { return }
            await self?.endIdle(role, since: slot.lastUse)
        }
    }

    private func endIdle(_ role: Role, since use: Int) {
        guard let slot = slots[role], slot.users == 0, slot.lastUse == use else { return }
        dismissWorker(of: role)
    }

    /// Ends unused workers of voices beyond ``WorkerTiming/maximumWarm``, least recently used first.
    private func endSurplus() {
        let ready = slots.filter { $0.key != .rules && $0.value.worker != nil }
        let unused = ready.filter { $0.value.users == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (role, _) in unused.prefix(max(0, ready.count - timing.maximumWarm)) { dismissWorker(of: role) }
    }

    /// Retires a worker; it finishes its pending requests.
    private func dismissWorker(of role: Role) {
        guard let worker = slots[role]?.worker?.worker else { return }
        slots[role]?.worker = nil
        slots[role]?.idling?.cancel()
        slots[role]?.idling = nil
        retiring.removeAll { $0.hasExited }
        retiring.append(worker)
        worker.retire()
    }

    /// - Returns: Whether a voice's files have changed.
    private func refresh(_ role: Role) -> Bool {
        guard let folder = role.folder else { return false }
        let isAnother = slots[role]?.record?.update(files: VoiceStamp(of: folder)) ?? false
        if isAnother { slots[role]?.layout = nil }
        return isAnother
    }
}

// MARK: Starting

extension EngineWorkerPool {
    /// The running worker; starts one if there is none or it handles too few requests at once.
    func worker(for role: Role, lanes: Int) async throws -> ReadyWorker {
        while true {
            try Task.checkCancellation()
            if let ready = slots[role]?.worker {
                if ready.worker.fault != nil {
                    // A worker that died without a pending request was unused, so the voice is not the cause.
                    noteFault(of: ready.worker, in: role, counts: role == .rules || slots[role]?.users ?? 0 > 1)
                } else if ready.lanes >= lanes, slots[role]?.answers ?? 0 < timing.maximumRequests {
                    return ready
                } else {
                    dismissWorker(of: role)
                }
            }
            let start = try slots[role]?.starting ?? self.start(role, lanes: lanes)
            let ready = try await start.valueUnlessCancelled
            if ready.worker.fault == nil, ready.lanes >= lanes { return ready }
        }
    }

    private func start(_ role: Role, lanes: Int) throws -> Task<ReadyWorker, any Error> {
        _ = refresh(role)
        let wait = try delay(of: role)
        let task = Task {
            defer { slots[role]?.starting = nil }
            if wait > .zero { try await clock.sleep(for: wait) }
            let ready = try await makeWorker(for: role, lanes: lanes)
            slots[role]?.worker = ready
            slots[role]?.answers = 0
            endSurplus()
            return ready
        }
        slots[role]?.starting = task
        return task
    }

    /// How long to wait before the next start.
    ///
    /// - Throws: ``VoiceFolderError/setAside(_:deaths:)``.
    private func delay(of role: Role) throws -> Duration {
        guard let folder = role.folder else { return .zero }
        guard let record = slots[role]?.record, !record.isSetAside(timing) else {
            throw VoiceFolderError.setAside(folder.modelFile, deaths: slots[role]?.record?.deaths ?? 0)
        }
        return record.notBefore - elapsed()
    }

    private func makeWorker(for role: Role, lanes: Int) async throws -> ReadyWorker {
        var launch = launch
        launch.readablePaths += role.readablePaths
        let isolation = await isolation.isolation
        try Task.checkCancellation()
        let worker = try await EngineWorker.start(launch, in: isolation, timing: timing, clock: clock, logger: logger)
        do {
            let loaded = try await load(role, lanes: lanes, in: worker)
            try Task.checkCancellation()
            return ReadyWorker(worker: worker, loaded: loaded, lanes: lanes)
        } catch {
            if let fault = worker.fault { record(fault, of: role) }
            worker.end()
            await worker.waitForExit()
            throw error
        }
    }

    private func load(_ role: Role, lanes: Int, in worker: EngineWorker) async throws -> ReadyWorker.Loaded {
        switch role {
        case .voice(let folder):
            let voice = try await worker.open(folder, lanes: lanes, layout: slots[role]?.layout)
            slots[role]?.layout = voice.layout
            return .voice(voice)
        case .rules:
            let introduction = try await worker.introduce()
            lastIntroduction = introduction
            return .rules(introduction)
        }
    }

    /// Removes a worker that has ended from its slot, and counts the fault.
    func noteFault(of worker: EngineWorker, in role: Role, counts: Bool = true) {
        guard let fault = worker.fault, slots[role]?.worker?.worker === worker else { return }
        slots[role]?.worker = nil
        retiring.removeAll { $0.hasExited }
        if !worker.hasExited { retiring.append(worker) }
        if counts { record(fault, of: role) }
    }

    private func record(_ fault: WorkerFault, of role: Role) {
        guard role != .rules else {
            return logger.warning("the worker of the engine of rules ended", metadata: ["fault": "\(fault)"])
        }
        guard fault.isOfVoice else { return }
        slots[role]?.record?.died(at: elapsed(), timing)
        let deaths = slots[role]?.record?.deaths ?? 0
        logger.warning("a voice's worker died", metadata: ["fault": "\(fault)", "deaths": "\(deaths)"])
    }
}
