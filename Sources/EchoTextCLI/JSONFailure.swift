import EchoText
import Foundation

/// A failure as JSON: `{"error": {"code": …, "message": …, "suggestion": …, "file": …}}`.
struct JSONFailure: Encodable {
    /// The parts of a failure, printed alone or in a list.
    struct Content: Encodable {
        let code: String
        let message: String
        let suggestion: String?
        /// The file that it is about, where the person named one.
        var file: String?

        init(_ failure: Failure) {
            (code, message, suggestion) = (failure.code, failure.message, failure.suggestion)
        }
    }

    /// A failure in a list, as `{"file": …, "code": …, "message": …, "suggestion": …}`.
    struct Entry: Encodable {
        /// The thing that failed.
        enum Subject {
            case file(String)
            case voice(String)
        }

        private enum CodingKeys: CodingKey {
            case file, voice
        }

        private let subject: Subject
        private let content: Content

        init(of subject: Subject, _ error: any UserFacingError) {
            (self.subject, content) = (subject, Content(error.failure))
        }

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            switch subject {
            case .file(let path): try fields.encode(path, forKey: .file)
            case .voice(let id): try fields.encode(id, forKey: .voice)
            }
        }
    }

    private let error: Content

    init(_ error: any UserFacingError) {
        var content = Content(error.failure)
        content.file = (error as? FileFailure)?.path
        self.error = content
    }

    /// Runs `work`, and prints its error as JSON before rethrowing it.
    ///
    /// - Parameters:
    ///   - isWanted: Whether anything is printed.
    ///   - work: The work that may fail.
    /// - Throws: What `work` throws.
    static func printed(if isWanted: Bool, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            let failure = error is CancellationError ? CommandError.interrupted : error as? any UserFacingError
            // If standard output itself failed, the message on standard error and the exit status have to suffice.
            if isWanted, let failure { _ = try? EchoTextCommand.answer(try JSONFailure(failure).json()) }
            throw error
        }
    }

    private func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
