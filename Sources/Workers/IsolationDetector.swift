internal import Logging

/// How the workers of one kind are started, isolated and timed.
struct WorkerSurroundings: Sendable {
    var launch: WorkerLaunch
    let clock: any Clock<Duration>
    let logger: Logger
    private let detector: IsolationDetector

    /// - Parameters:
    ///   - launch: The program to start.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    init(_ launch: WorkerLaunch, isolation: WorkerIsolation?, clock: any Clock<Duration>, logger: Logger) {
        (self.launch, self.clock, self.logger) = (launch, clock, logger)
        detector = IsolationDetector(isolation, logger: logger)
    }

    /// The isolation to start a worker in.
    ///
    /// - Throws: `notConfined` if it is not enough.
    func isolation(orThrow notConfined: any Error) async throws -> WorkerIsolation {
        let isolation = await detector.isolation
        guard isolation.isEnough(for: launch) else { throw notConfined }
        return isolation
    }
}

/// Probes for the isolation of workers: once if there is a sandbox, and again for each worker while there is none.
///
/// A probe can fail for a temporary reason, such as a lack of memory or processes.
actor IsolationDetector {
    private let probe: @Sendable () async -> WorkerIsolation
    private let logger: Logger
    private var known: WorkerIsolation?
    private var probing: Task<WorkerIsolation, Never>?

    /// - Parameters:
    ///   - known: The isolation, or `nil` to probe for it.
    ///   - logger: Logs why there is no sandbox.
    ///   - probe: Determines the isolation.
    init(
        _ known: WorkerIsolation?,
        logger: Logger,
        probe: @escaping @Sendable () async -> WorkerIsolation = { await WorkerIsolation.probe() }
    ) {
        self.known = known
        self.logger = logger
        self.probe = probe
    }

    var isolation: WorkerIsolation {
        get async {
            if let known { return known }
            if let probing { return await probing.value }
            let task = Task { [probe] in await probe() }
            probing = task
            let found = await task.value
            probing = nil
            switch found.surroundings {
            case .bubblewrap: known = found
            case .open(let reason):
                logger.notice(
                    "there is no sandbox for workers",
                    metadata: ["reason": "\(reason)", "kernel confines": "\(found.confines)"]
                )
            }
            return found
        }
    }
}
