package import EchoText
internal import Foundation
package import Logging
internal import Synchronization

/// Opens voices in worker processes: one for each voice, kept ready between utterances, and one for the rule-based
/// engine.
///
/// A request fails only when two workers in a row die during it. A voice whose workers keep dying is disabled until
/// ``enable(_:)`` is called or its files change.
package actor EngineWorkerPool: AcousticModelLoader {
    /// The model or engine that a worker loads.
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
        /// The deaths of a voice's workers; `nil` for the rule-based engine, which is never disabled.
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

    /// Enables a disabled voice, as if its workers had never died.
    package func enable(_ folder: VoiceFolder) {
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

    /// Speaks a request, and finishes the stream of its sound; what a worker delivered before it died is not delivered
    /// again by the next.
    fileprivate func speak(
        _ request: PhonemeRequest,
        in folder: VoiceFolder,
        lanes: Int,
        to listener: AsyncStream<AcousticPiece>.Continuation
    ) async throws {
        defer { listener.finish() }
        let delivered = Mutex(DeliveryProgress())
        try await use(folder, lanes: lanes) { ready in
            delivered.withLock { $0.begin() }
            try await ready.worker.speak(request) { piece in
                if let new = delivered.withLock({ $0.new(piece) }) { listener.yield(new) }
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
    /// - Throws: ``VoiceFolderError/disabled(_:deaths:)``.
    private func delay(of role: Role) throws -> Duration {
        guard let folder = role.folder else { return .zero }
        guard let record = slots[role]?.record, !record.isDisabled(timing) else {
            throw VoiceFolderError.disabled(folder.modelFile, deaths: slots[role]?.record?.deaths ?? 0)
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

    private func record(_ fault: ConnectionFault, of role: Role) {
        guard role != .rules else {
            return logger.warning("the worker of the engine of rules ended", metadata: ["fault": "\(fault)"])
        }
        guard fault.isOfVoice else { return }
        slots[role]?.record?.died(at: elapsed(), timing)
        let deaths = slots[role]?.record?.deaths ?? 0
        logger.warning("a voice's worker died", metadata: ["fault": "\(fault)", "deaths": "\(deaths)"])
    }
}

/// The rule-based engine in a process of its own, separate from the voices that read its phonemes.
///
/// A voice's worker could make the phonemes itself. This would save one exchange between processes: 0.1 ms for a
/// phrase that takes 100 ms to speak. But a text that crashes the engine would then also end the loaded voice, which
/// takes a second to load again, and would count as a failure of that voice. Each voice's process would hold another
/// copy of the engine's data, and the engine's own voices would still need a process without a voice. A phrase and
/// all its words are one request, so there is one exchange for each phrase.
///
/// The worker reports the start of each request, so the pool knows which of several pending requests ended it. That
/// request is tried once more and then fails. The others are sent to the next worker, including those whose sound had
/// not arrived completely.
extension EngineWorkerPool: Phonemizer {
    /// How often a request is sent again because another request ended the worker.
    private static let maximumUnstarted = 20
    /// How often a request is sent again whose reply was lost with the worker: the request itself may have damaged the process.
    private static let maximumLostReplies = 3

    package func introduction() async throws -> EngineIntroduction {
        if let lastIntroduction { return lastIntroduction }
        guard case .rules(let introduction) = try await pronouncing({ $0.loaded }) else {
            throw WorkerError.protocolViolation
        }
        return introduction
    }

    package func phonemes(of texts: [String], in language: String) async throws -> [String] {
        try await pronouncing { try await $0.worker.pronounce(texts, language: language) }
    }

    package func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech {
        try await pronouncing { ready in
            guard case .rules(let introduction) = ready.loaded, let rate = introduction.sampleRate(of: voice) else {
                throw SynthesisError.voiceNotInstalled(voice)
            }
            let (samples, marks) = try await ready.worker.say(phrase, by: voice, prosody: prosody)
            return PhraseSpeech(samples: samples, sampleRate: rate, marks: marks)
        }
    }

    /// Does `work` with the worker, and retries it once with the next worker if the first died during it.
    private func pronouncing<Result: Sendable>(
        _ work: (ReadyWorker) async throws -> Result
    ) async throws -> Result {
        beginUse(of: .rules)
        defer { endUse(of: .rules) }
        var (deaths, unstarted, lostReplies) = (0, 0, 0)
        while true {
            var ready: ReadyWorker?
            do {
                let pronouncer = try await worker(for: .rules, lanes: 1)
                ready = pronouncer
                return try await work(pronouncer)
            } catch {
                if let ready { noteFault(of: ready.worker, in: .rules) }
                switch error {
                case is EngineWorker.RequestNotStarted: unstarted += 1
                case is EngineWorker.ReplyLost: lostReplies += 1
                case WorkerError.died: deaths += 1
                default: throw error
                }
            }
            guard deaths < 2, unstarted < Self.maximumUnstarted, lostReplies < Self.maximumLostReplies else {
                throw SynthesisError.engineDied(.espeakNG)
            }
            try Task.checkCancellation()
        }
    }
}

extension EngineIntroduction {
    /// The sample rate of a voice, or of the voice that it is a variant of.
    fileprivate func sampleRate(of voice: Voice.ID) -> Int? {
        let plain = voice.rawValue.prefix { $0 != "+" }
        return voices.first { $0.id.rawValue == plain }?.sampleRate
    }
}

/// The deaths of a voice's workers; reset after enough answers or when the voice's files change.
struct WorkerRecord: Sendable, Equatable {
    private(set) var deaths = 0
    private var answersSince = 0
    /// The earliest start of the next worker, on the clock of the record's owner.
    private(set) var notBefore: Duration = .zero
    /// The stamp of the voice's files.
    private var files: VoiceStamp

    init(_ files: VoiceStamp) {
        self.files = files
    }

    mutating func died(at now: Duration, _ timing: WorkerTiming) {
        deaths += 1
        answersSince = 0
        let doublings = min(deaths - 1, 20)
        notBefore = now + min(timing.firstBackOff * (1 << doublings), timing.longestBackOff)
    }

    mutating func answered(_ timing: WorkerTiming) {
        guard deaths > 0 else { return }
        answersSince += 1
        if answersSince >= timing.answersToReset { self = WorkerRecord(files) }
    }

    /// Resets the record if the files have changed.
    ///
    /// - Returns: Whether they have changed.
    mutating func update(files: VoiceStamp) -> Bool {
        guard files != self.files else { return false }
        self = WorkerRecord(files)
        return true
    }

    func isDisabled(_ timing: WorkerTiming) -> Bool { deaths >= timing.maximumDeaths }
}

/// A voice of a pool, whose worker may be replaced between requests.
struct PooledModel: AcousticModel {
    let voice: OpenedVoice
    let folder: VoiceFolder
    let lanes: Int
    let pool: EngineWorkerPool

    var sampleRate: Int { voice.sampleRate }
    var speakers: Int { voice.speakers }

    var layout: ModelLayout { voice.layout }

    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        guard request.phonemes.count <= PhonemeRequest.longest else {
            throw SynthesisError.engineFailed(.piper, status: nil)
        }
        let (pieces, listener) = AsyncStream.makeStream(
            of: AcousticPiece.self,
            bufferingPolicy: .unbounded  // It holds one request at most, whose size the worker's ledger bounds.
        )
        async let spoken: Void = pool.speak(request, in: folder, lanes: lanes, to: listener)
        for await piece in pieces { try await deliver(piece) }
        // The stream ends early when its consumer is cancelled.
        try Task.checkCancellation()
        try await spoken
    }
}
