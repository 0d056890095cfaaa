/// Why a child process could not do its work.
package enum WorkerError: UserFacingError, Equatable {
    case cannotStart
    /// It ended in the middle of its work; `signal` is the one that ended it, if one did.
    case died(signal: Int32?)
    /// It said something the protocol does not allow.
    case protocolViolation
    case incompatibleVersion(found: Int, wanted: Int)

    package var code: String {
        switch self {
        case .cannotStart: "worker.cannot-start"
        case .died: "worker.died"
        case .protocolViolation: "worker.protocol-violation"
        case .incompatibleVersion: "worker.incompatible-version"
        }
    }

    package var message: String {
        switch self {
        case .cannotStart: "The engine's own process could not be started."
        case .died: "The engine's own process ended unexpectedly."
        case .protocolViolation: "The engine's own process gave an answer that makes no sense."
        case .incompatibleVersion: "The engine's own process is of another version of EchoText."
        }
    }

    package var suggestion: String? {
        switch self {
        case .cannotStart: "Check that the machine has memory and processes to spare."
        case .died, .protocolViolation: "Try again, or choose another voice."
        case .incompatibleVersion: "Build or install EchoText again, as a whole."
        }
    }
}
