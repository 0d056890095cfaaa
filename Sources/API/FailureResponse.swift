package import EchoText

/// A failure: next to its subject, or as the whole answer.
package struct FailureResponse: Encodable, Equatable, Sendable {
    /// Stable and dotted, for programs to match on.
    package let code: String
    /// English; the page translates it by the code.
    package let message: String
    @Nullable package var suggestion: String?
    /// Seconds until a retry is useful.
    package var retryAfter: Double?
    /// The file that was sent or named and that it is about.
    package private(set) var file: String?
    /// In a command's list: the voice that it is about.
    package private(set) var voice: String?
    /// In a command's answer: the one of several names that it is about, as it was typed.
    package private(set) var name: String?

    package init(_ failure: Failure) {
        (code, message, suggestion) = (failure.code, failure.message, failure.suggestion)
    }

    package init(_ failure: Failure, file: String?) {
        self.init(failure)
        self.file = file
    }

    package init(_ failure: Failure, voice: String) {
        self.init(failure)
        self.voice = voice
    }

    package init(_ failure: Failure, name: String) {
        self.init(failure)
        self.name = name
    }
}
