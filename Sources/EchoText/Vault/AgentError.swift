import Foundation

/// Why the unlock agent, which keeps a library unlocked between commands, cannot be started or reached.
package enum AgentError: UserFacingError, Equatable {
    /// Its process could not be started, or ended before it was ready.
    case cannotStart(errno: Int32?)
    /// Another agent holds this library already.
    case alreadyRunning
    /// It is running, but does not respond.
    case notAnswering
    /// A message violates the protocol.
    case protocolViolation
    /// It belongs to another version of EchoText.
    case otherVersion
    /// The agent serves the most clients that it can.
    case tooManyLeases
    /// The socket belongs to another user's program.
    case foreignPeer

    package var failure: Failure {
        switch self {
        case .cannotStart(.some(let errno)):
            Failure(
                .processFailed,
                "agent.cannot-start",
                "What keeps the library unlocked could not be started: \(String(cString: strerror(errno)))."
            )
            .suggesting("Try again; single commands can still ask for the passcode.")
        case .cannotStart(nil):
            Failure(.processFailed, "agent.cannot-start", "What keeps the library unlocked could not be started.")
                .suggesting("Try again; single commands can still ask for the passcode.")
        case .alreadyRunning:
            Failure(.busy, "agent.already-running", "The library is unlocked already.")
        case .notAnswering:
            Failure(.processFailed, "agent.not-answering", "What keeps the library unlocked does not answer.")
                .suggesting("End the process “echotext vault agent”, and unlock the library again.")
        case .protocolViolation:
            Failure(
                .processFailed,
                "agent.protocol-violation",
                "What keeps the library unlocked sent something that makes no sense."
            )
            .suggesting("End the process “echotext vault agent”, and unlock the library again.")
        case .otherVersion:
            Failure(.unavailable, "agent.other-version", "The library was unlocked by another version of EchoText.")
                .suggesting(
                    "Lock it with that version, or end the process “echotext vault agent”, and unlock it again."
                )
        case .tooManyLeases:
            Failure(.busy, "agent.too-many-leases", "Too many EchoText programs use the library at once.")
                .suggesting("Wait until one of them is done, and try again.")
        case .foreignPeer:
            Failure(
                .unavailable,
                "agent.foreign-peer",
                "What claims to keep the library unlocked belongs to someone else, so it is not used."
            )
            .suggesting("See who owns the folder in which programs keep their sockets.")
        }
    }
}
