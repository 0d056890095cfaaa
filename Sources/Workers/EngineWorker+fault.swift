internal import EchoText
internal import Glibc

extension EngineWorker {
    /// Why it has ended, or is about to.
    enum Fault: Sendable, Equatable {
        /// Its process ended by itself; `hasGreeted` is whether it ever sent anything valid.
        case died(WorkerEnd, hasGreeted: Bool)
        case broken(WorkerError)
        /// It gave no sign of life for longer than the watchdog allows.
        case unresponsive(Voice.Engine, SynthesisError.Phase)
        /// It did not end a cancelled request.
        case deaf
        /// It was asked to end.
        case dismissed
        case notStarted
    }
}

extension EngineWorker.Fault {
    /// Whether the voice may be to blame.
    var isOfVoice: Bool {
        switch self {
        case .died(_, let hasGreeted): hasGreeted
        case .broken, .unresponsive: true
        case .deaf, .dismissed, .notStarted: false
        }
    }

    /// What becomes of a request that was not answered for this.
    func error(_ timing: WorkerTiming) -> any Error {
        switch self {
        case .died(_, hasGreeted: false), .notStarted: WorkerError.cannotStart
        case .died(let end, hasGreeted: true): WorkerError.died(signal: end.signal)
        case .broken(let error): error
        case .unresponsive(let engine, let phase):
            SynthesisError.timedOut(engine, phase: phase, seconds: timing.responseTimeout / .seconds(1))
        case .deaf: WorkerError.died(signal: SIGKILL)
        case .dismissed: CancellationError()
        }
    }
}
