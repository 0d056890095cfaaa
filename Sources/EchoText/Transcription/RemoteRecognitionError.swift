/// Why a service elsewhere has not recognised speech.
///
/// `host` is a server's bare name, never an address with a path.
package enum RemoteRecognitionError: RecoverableError, Equatable {
    /// The person has forbidden all connections.
    case offline
    /// The person has not allowed it, or not to this server.
    case notAllowed(host: String)
    /// The person has removed the service, or changed its address or key, while it was used.
    case changed(host: String)

    // MARK: These pass

    case unreachable(host: String)
    /// The connection ended before the answer was whole.
    case interrupted(host: String)
    case timedOut(host: String)
    /// `wait` is the time that the server requests, if any.
    case tooManyRequests(host: String, wait: Duration?)
    case serverFailed(host: String, status: Int)

    // MARK: These stay until a person does something

    /// The server's identity cannot be verified.
    case untrusted(host: String)
    case keyRefused(host: String)
    case quotaSpent(host: String)
    /// The server has no such model, or the address is not that of a service.
    case notThere(host: String)
    case soundTooLarge(host: String)
    /// The server takes something that was asked for to be wrong, such as the language.
    case refused(host: String, status: Int)
    /// The response is not a transcription.
    case badAnswer(host: String)

    /// The longest that a service is waited for because it asks for it.
    package static let longestWait = Duration.seconds(3_600)

    package var isWorthRetrying: Bool {
        switch self {
        case .unreachable, .interrupted, .timedOut, .serverFailed: true
        case .tooManyRequests(_, let wait): (wait ?? .zero) <= Self.longestWait
        case .offline, .notAllowed, .changed, .untrusted, .keyRefused, .quotaSpent, .notThere, .soundTooLarge, .refused,
            .badAnswer:
            false
        }
    }

    package var needsNetwork: Bool {
        guard case .unreachable(let host) = self else { return false }
        return !HostName(host).isThisMachine
    }

    package var failure: Failure {
        switch self {
        case .offline:
            Failure(.offline, "service.offline", "EchoText is set to stay offline, so nothing was sent.")
                .suggesting("Turn the setting “outbound.offline” off, or use a recogniser on this machine.")
        case .notAllowed(let host):
            Failure(.forbidden, "service.not-allowed", "Sending to “\(host)” was not allowed, so nothing was sent.")
                .suggesting("Start the transcription again and allow it, or use a recogniser on this machine.")
        case .changed(let host):
            Failure(
                .conflict,
                "service.changed",
                "The service at “\(host)” was changed or removed in the settings while it was used, so the sending ended."
            )
            .suggesting(
                "Start the transcription again with the service as it is now, or use another recogniser; what was already sent cannot be taken back."
            )
        case .unreachable(let host):
            Failure(.remoteFailed, "service.unreachable", "The service at “\(host)” cannot be reached.")
                .suggesting("See whether this machine is connected, and whether the service runs.")
        case .interrupted(let host):
            Failure(.remoteFailed, "service.interrupted", "The service at “\(host)” broke off before its answer ended.")
                .suggesting(Self.later)
        case .timedOut(let host):
            Failure(.remoteTimedOut, "service.timed-out", "The service at “\(host)” has stopped answering.")
                .suggesting(Self.later)
        case .tooManyRequests(let host, let wait?) where wait > Self.longestWait:
            Failure(
                .tooManyRequests,
                "service.rests",
                "The service at “\(host)” asks for a pause of \(Int((wait / .seconds(3_600)).rounded(.up))) hours."
            )
            .suggesting("Try again then, or use another recogniser; what was heard is kept.")
            .retrying(after: wait)
        case .tooManyRequests(let host, let wait):
            Failure(.tooManyRequests, "service.too-many-requests", "The service at “\(host)” has been asked too often.")
                .suggesting("It is asked again when it allows it; what was heard is kept.")
                .retrying(after: wait)
        case .serverFailed(let host, let status):
            Failure(
                .remoteFailed,
                "service.failed",
                "The service at “\(host)” reported an internal error (status \(status))."
            )
            .suggesting(Self.later)
        case .untrusted(let host):
            Failure(
                .remoteRefused,
                "service.untrusted",
                "The server “\(host)” cannot prove that it is the one it says it is."
            )
            .suggesting("See that the address and this machine's clock are right; nothing was sent.")
        case .keyRefused(let host):
            Failure(.remoteRefused, "service.key-refused", "The service at “\(host)” does not accept the key.")
                .suggesting("Enter the service's key again, and see that it may transcribe.")
        case .quotaSpent(let host):
            Failure(.remoteRefused, "service.quota-spent", "The quota at “\(host)” is used up.")
                .suggesting("Look at your account there, or use another recogniser.")
        case .notThere(let host):
            Failure(.remoteRefused, "service.not-there", "The service at “\(host)” has no such model or address.")
                .suggesting("See that the service's address and model are right.")
        case .soundTooLarge(let host):
            Failure(
                .remoteRefused,
                "service.sound-too-large",
                "The sound is larger than the service at “\(host)” takes."
            )
            .suggesting("Use another recogniser.")
        case .refused(let host, let status):
            Failure(
                .remoteRefused,
                "service.refused",
                "The service at “\(host)” does not accept the request (status \(status))."
            )
            .suggesting("See that its model knows the language and that its settings are right.")
        case .badAnswer(let host):
            Failure(.remoteRefused, "service.bad-answer", "The answer of “\(host)” is not a transcript.")
                .suggesting("See that the address is that of a transcription service.")
        }
    }

    private static let later = "Try again later; what was heard is kept."
}
