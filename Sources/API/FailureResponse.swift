package import EchoText

/// A failure: next to its subject, or as the whole answer.
package struct FailureResponse: Encodable, Equatable, Sendable {
    package let code: String
    package let message: String
    @Nullable package var suggestion: String?
    /// In an answer of its own: seconds until a retry is useful.
    package var retryAfter: Double?
    /// In an answer or a list of its own: the file that was sent or named and that it is about.
    package private(set) var file: String?
    /// In a list of its own: the voice that it is about.
    package private(set) var voice: String?

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
}
