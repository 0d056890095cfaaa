/// Why a child process could not do its work.
package enum WorkerError: UserFacingError, Equatable {
    case cannotStart
    /// It ended in the middle of its work; `signal` is the signal that killed it, if any.
    case died(signal: Int32?)
    /// It said something the protocol does not allow.
    case protocolViolation
    case incompatibleVersion(found: Int, wanted: Int)

    package var failure: Failure {
        switch self {
        case .cannotStart:
            Failure(.processFailed, "worker.cannot-start", "The engine's own process could not be started.")
                .suggesting("Check that the machine has memory and processes to spare.")
        case .died:
            Failure(.processFailed, "worker.died", "The engine's own process ended unexpectedly.")
                .suggesting("Try again, or choose another voice.")
        case .protocolViolation:
            Failure(
                .processFailed,
                "worker.protocol-violation",
                "The engine's own process gave an answer that makes no sense."
            )
            .suggesting("Try again, or choose another voice.")
        case .incompatibleVersion:
            Failure(
                .unavailable,
                "worker.incompatible-version",
                "The engine's own process is of another version of EchoText."
            )
            .suggesting("Build or install EchoText again, as a whole.")
        }
    }
}
