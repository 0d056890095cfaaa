import API
import EchoText
import Foundation

/// A failure as JSON: `{"error": {"code": …, "message": …, "suggestion": …, "file": …}}`.
struct JSONFailure: Encodable {
    private let error: FailureResponse

    init(_ error: any UserFacingError) {
        self.error = FailureResponse(error.failure, file: (error as? FileFailure)?.path)
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
