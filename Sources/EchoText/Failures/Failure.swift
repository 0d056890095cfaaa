/// A failure as it is reported to people and programs.
///
/// Neither string may hold document text, a file's path or a secret: both end up in terminals, logs and bug reports.
package struct Failure: Sendable, Hashable {
    package let kind: FailureKind

    /// A stable, dotted name for programs to match on, never translated: `voice.not-installed`.
    package let code: String

    /// A sentence about the failure that blames nobody; empty where only the code is known.
    package let message: String

    /// An action that would help, or `nil` when none of the person's would.
    ///
    /// It names a command only where the page has nothing that does the same.
    package private(set) var suggestion: String?

    /// A terminal shows it in place of ``suggestion``: the command or the option that helps.
    private var terminalSuggestion: String?

    /// How long to wait before it is worth trying again, where that is known.
    package private(set) var retryAfter: Duration?

    package init(_ kind: FailureKind, _ code: String, _ message: String) {
        (self.kind, self.code, self.message) = (kind, code, message)
    }

    /// The failure of `error`; an error without a message is reported as such.
    package init(_ error: any Error) {
        let known = error as? any UserFacingError
        self = known?.failure ?? Failure(.internal, "unexpected", "Something went wrong inside EchoText.")
    }

    /// Replaces the suggestion.
    ///
    /// - Parameters:
    ///   - suggestion: For every reader.
    ///   - terminalSuggestion: Replaces it in a terminal; `nil` where it suits one too.
    /// - Returns: The failure with these.
    package func suggesting(_ suggestion: String?, inTerminal terminalSuggestion: String? = nil) -> Failure {
        var failure = self
        (failure.suggestion, failure.terminalSuggestion) = (suggestion, terminalSuggestion)
        return failure
    }

    /// The failure as a command reports it.
    package var inTerminal: Failure { suggesting(terminalSuggestion ?? suggestion) }

    /// The same failure with how long to wait.
    package func retrying(after wait: Duration?) -> Failure {
        var failure = self
        failure.retryAfter = wait
        return failure
    }
}

extension Failure: UserFacingError {
    package var failure: Failure { self }
}

/// As libraries keep it: without the wait, which has passed when it is read.
extension Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case code
        case message
        case suggestion
        case terminalSuggestion
    }

    /// Also decodes failures without a kind, or with one of another version: both become ``FailureKind/internal``.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try fields.decodeIfPresent(String.self, forKey: .kind).flatMap(FailureKind.init(rawValue:))
        self.init(
            kind ?? .internal,
            try fields.decode(String.self, forKey: .code),
            try fields.decode(String.self, forKey: .message)
        )
        suggestion = try fields.decodeIfPresent(String.self, forKey: .suggestion)
        terminalSuggestion = try fields.decodeIfPresent(String.self, forKey: .terminalSuggestion)
    }
}

/// The kind of a failure, which decides the status of an HTTP response and the exit status of a command.
///
/// A new error is a case of its subject's ``UserFacingError``, where ``UserFacingError/failure`` gives its kind, code
/// and message, which the page shows in English and translates by code into its other languages. A new kind is a case
/// here, and a row in each of the two maps, `HTTPResponse.Status` in `WebApp` and `ExitStatus` in `EchoTextCLI`, without
/// which they do not compile.
package enum FailureKind: String, Sendable, Hashable, Codable, CaseIterable {
    // MARK: What was asked

    /// An option, a parameter or a field is missing or not allowed.
    case invalidRequest
    /// The text or file that was given cannot be used.
    case invalidContent
    /// The text or file that is needed was not given, or cannot be read.
    case missingInput
    /// The request is larger than the limit.
    case tooLarge
    /// The request has an unsupported media type.
    case unsupportedMediaType
    /// The request was sent to a name that is not the server's.
    case misdirected
    /// The request belongs to no session.
    case unauthenticated
    /// The sender has no right to it, such as after a wrong passcode.
    case forbidden

    // MARK: What is there

    /// The library, or the API, has nothing with that id, name or address.
    case notFound
    /// No voice that is installed or offered has that name.
    case voiceNotFound
    /// The present state does not allow it.
    case conflict
    /// The person has forbidden all connections.
    case offline
    /// Another program or task is using it.
    case busy
    /// Too much is waiting, or was tried, already.
    case tooManyRequests
    /// After wrong passcodes none is tried for a while.
    case lockedOut

    // MARK: The machine

    /// A voice, an engine or another required part of the machine is missing or unusable.
    case unavailable
    /// The library is locked, or a secret that opens it is missing or unsafe.
    case locked
    /// The library is of another version, or cannot be opened on this machine.
    case incompatible
    /// Damage keeps the library from opening.
    case libraryDamaged
    /// Stored data is damaged or lost; the rest is usable.
    case damaged
    /// The output cannot be created there.
    case cannotCreate
    /// Reading or writing failed on the way, as on a full disk.
    case inputOutput

    // MARK: Other programs

    /// Another server refuses it, or cannot be trusted.
    case remoteRefused
    /// Another server cannot be reached, or broke off; trying again may help.
    case remoteFailed
    /// Another server has stopped answering.
    case remoteTimedOut
    /// A process of EchoText could not start, failed or did not respond; trying again may help.
    case processFailed
    /// The person stopped it.
    case interrupted
    /// Anything else, such as a fault of EchoText's own.
    case `internal`
}

/// An error that can be shown to the person.
///
/// Each error is an enum for a subject, and ``failure`` is a switch over it that gives each case its kind, code and
/// message. The command line prints the message; the web server responds with the code and the message.
package protocol UserFacingError: Error, CustomStringConvertible {
    var failure: Failure { get }
}

extension UserFacingError {
    package var kind: FailureKind { failure.kind }
    package var code: String { failure.code }
    package var message: String { failure.message }
    package var suggestion: String? { failure.suggestion }
    package var description: String { "\(code): \(message)" }
}

/// A failure that may pass by itself.
package protocol RecoverableError: UserFacingError {
    /// Whether the operation may succeed later without any action of the person.
    var isWorthRetrying: Bool { get }

    /// Whether a missing network may be the cause, so that waiting for one is best.
    var needsNetwork: Bool { get }
}

extension RecoverableError {
    package var needsNetwork: Bool { false }
}

extension RecognitionError: RecoverableError {
    package var isWorthRetrying: Bool {
        switch self {
        case .recognizerDied, .cannotStart, .tooSlow: true
        default: false
        }
    }
}

extension BinaryInteger {
    /// The number as messages have it, with a comma before each three digits: `10,000`.
    package var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
