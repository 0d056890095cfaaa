/// What went wrong, as a person and a program are shown it.
///
/// Neither string may hold document text, a file's path or a secret: both end up in terminals, logs and bug reports.
package struct Failure: Sendable, Hashable {
    package let kind: FailureKind

    /// A stable, dotted name for programs to match on, never translated: `voice.not-installed`.
    package let code: String

    /// What went wrong, in one sentence that blames nobody; empty where only the code is known.
    package let message: String

    /// What to do about it, or `nil` when nothing the person does would help.
    package private(set) var suggestion: String?

    /// How long to wait before it is worth trying again, where that is known.
    package private(set) var retryAfter: Duration?

    package init(_ kind: FailureKind, _ code: String, _ message: String) {
        (self.kind, self.code, self.message) = (kind, code, message)
    }

    /// The failure of `error`; one without words of its own says nothing but that.
    package init(_ error: any Error) {
        let known = error as? any UserFacingError
        self = known?.failure ?? Failure(.internal, "unexpected", "Something went wrong inside EchoText.")
    }

    /// The same failure with what to do about it.
    package func suggesting(_ suggestion: String?) -> Failure {
        var failure = self
        failure.suggestion = suggestion
        return failure
    }

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
    }

    /// Reads also what has no kind, or one of another version: both become ``FailureKind/internal``.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try fields.decodeIfPresent(String.self, forKey: .kind).flatMap(FailureKind.init(rawValue:))
        self.init(
            kind ?? .internal,
            try fields.decode(String.self, forKey: .code),
            try fields.decode(String.self, forKey: .message)
        )
        suggestion = try fields.decodeIfPresent(String.self, forKey: .suggestion)
    }
}

/// What sort of failure it is; it chooses the status of an HTTP answer and the exit status of a command.
///
/// A new error is a case of its subject's ``UserFacingError``, where ``UserFacingError/failure`` says its kind, code and words;
/// the English words are in the page's catalogues by the code. A new kind is a case here, and a row in each of the two maps,
/// `HTTPResponse.Status` in `WebApp` and `ExitStatus` in `EchoTextCLI`, without which they do not compile.
package enum FailureKind: String, Sendable, Hashable, Codable, CaseIterable {
    // MARK: What was asked

    /// An option, a parameter or a field is missing or not allowed.
    case invalidRequest
    /// The text or file that was given cannot be used.
    case invalidContent
    /// The text or file that is needed was not given, or cannot be read.
    case missingInput
    /// What was sent has more bytes than are taken.
    case tooLarge
    /// What was sent is of a media type that is not taken.
    case unsupportedMediaType
    /// The request was sent to a name that is not the server's.
    case misdirected
    /// The request belongs to no session.
    case unauthenticated
    /// The sender has no right to it, such as after a wrong passcode.
    case forbidden

    // MARK: What is there

    /// Nothing in the library, and no address of the API, has that id or name.
    case notFound
    /// No voice that is installed or offered has that name.
    case voiceNotFound
    /// The present state does not allow it.
    case conflict
    /// The person has said that nothing may connect.
    case offline
    /// Another program, or another task, has it just now.
    case busy
    /// Too much is waiting, or was tried, already.
    case tooManyRequests
    /// After wrong passcodes none is tried for a while.
    case lockedOut

    // MARK: The machine

    /// A voice, an engine or another part of the machine that it needs is missing or unusable.
    case unavailable
    /// The library is locked, or a secret that opens it is missing or unsafe.
    case locked
    /// The library is of another version, or needs what this machine lacks to open.
    case incompatible
    /// Damage keeps the library from opening.
    case libraryDamaged
    /// Something that is kept is damaged or lost; the rest can be used.
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
    /// One of EchoText's own processes could not start, failed or gave no sign of life; trying again may help.
    case processFailed
    /// The person stopped it.
    case interrupted
    /// Anything else, such as a fault of EchoText's own.
    case `internal`
}

/// A failure that can be put in front of the person using EchoText.
///
/// Each error is an enum for a subject, and ``failure`` one switch over it, in which every case says its kind, its code and its
/// words. The command line prints the words; the web answers with the code and the words.
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
