internal import EchoText
internal import Glibc

extension EngineWorker {
    /// Why the worker has ended or is about to end.
    enum Fault: Sendable, Equatable {
        /// The process ended by itself; `hasGreeted` is whether it ever sent anything valid.
        case died(WorkerEnd, hasGreeted: Bool)
        case broken(WorkerError)
        /// The worker reported no progress for longer than the watchdog allows.
        case unresponsive(Voice.Engine, SynthesisError.Phase)
        /// The worker did not end a cancelled request in time.
        case ignoredCancellation
        /// The program ended the worker.
        case dismissed
        case notStarted
    }
}

extension EngineWorker.Fault {
    /// Whether the voice may be the cause.
    var isOfVoice: Bool {
        switch self {
        case .died(_, let hasGreeted): hasGreeted
        case .broken, .unresponsive: true
        case .ignoredCancellation, .dismissed, .notStarted: false
        }
    }

    /// Whether serial requests that the engine did not work on are unaffected.
    var sparesOtherRequests: Bool { isOfVoice || self == .ignoredCancellation }

    /// The error of a request that was pending when this fault occurred.
    func error(_ timing: WorkerTiming) -> any Error {
        switch self {
        case .died(_, hasGreeted: false), .notStarted: WorkerError.cannotStart
        case .died(let end, hasGreeted: true): WorkerError.died(signal: end.signal)
        case .broken(let error): error
        case .unresponsive(let engine, let phase):
            SynthesisError.timedOut(engine, phase: phase, seconds: timing.responseTimeout / .seconds(1))
        case .ignoredCancellation: WorkerError.died(signal: SIGKILL)
        case .dismissed: CancellationError()
        }
    }
}
