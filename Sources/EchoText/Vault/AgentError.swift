import Foundation

/// Why the unlock agent, which keeps a library unlocked between commands, cannot be started or asked.
package enum AgentError: UserFacingError, Equatable {
    /// Its process could not be started, or ended before it was ready.
    case cannotStart(errno: Int32?)
    /// Another agent holds this library already.
    case alreadyRunning
    /// It is running, but does not answer.
    case notAnswering
    /// A message violates the protocol.
    case protocolViolation
    /// It was started by another version of EchoText.
    case otherVersion
    /// The agent serves the most clients that it can.
    case tooManyLeases
    /// The socket leads to a program of another person.
    case foreignPeer

    package var code: String {
        switch self {
        case .cannotStart: "agent.cannot-start"
        case .alreadyRunning: "agent.already-running"
        case .notAnswering: "agent.not-answering"
        case .protocolViolation: "agent.protocol-violation"
        case .otherVersion: "agent.other-version"
        case .tooManyLeases: "agent.too-many-leases"
        case .foreignPeer: "agent.foreign-peer"
        }
    }

    package var message: String {
        switch self {
        case .cannotStart(.some(let errno)):
            "What keeps the library unlocked could not be started: \(String(cString: strerror(errno)))."
        case .cannotStart(nil): "What keeps the library unlocked could not be started."
        case .alreadyRunning: "The library is unlocked already."
        case .notAnswering: "What keeps the library unlocked does not answer."
        case .protocolViolation: "What keeps the library unlocked sent something that makes no sense."
        case .otherVersion: "The library was unlocked by another version of EchoText."
        case .tooManyLeases: "Too many EchoText programs use the library at once."
        case .foreignPeer: "What claims to keep the library unlocked belongs to someone else, so it is not used."
        }
    }

    package var suggestion: String? {
        switch self {
        case .cannotStart: "Try again; single commands can still ask for the passcode."
        case .alreadyRunning: nil
        case .notAnswering, .protocolViolation:
            "End the process “echotext vault agent”, and unlock the library again."
        case .otherVersion: "Lock it with that version, or end the process “echotext vault agent”, and unlock it again."
        case .tooManyLeases: "Wait until one of them is done, and try again."
        case .foreignPeer: "See who owns the folder in which programs keep their sockets."
        }
    }
}
