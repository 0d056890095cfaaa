import API
import EchoText
import Foundation

/// The files that a person names to a command, which takes them one after the other.
struct FilesInTurn {
    let paths: [String]
    /// Whether the answer names the files and their failures, so that standard error does not.
    let isAnswered: Bool

    /// Takes each file; of several, those that fail are named and skipped.
    ///
    /// - Parameter work: Takes a file by its path; the heading is its name, behind its number where there are several.
    /// - Returns: The results and the failures, in the order of the files.
    /// - Throws: The ``FileFailure`` of a single file, and of any file what is no ``UserFacingError``, or a ``VaultError``.
    func take<Output>(
        _ work: (_ path: String, _ heading: String) async throws -> Output
    ) async throws -> (results: [Output], failures: [FailureResponse]) {
        var results: [Output] = []
        var failures: [FailureResponse] = []
        for (index, path) in paths.enumerated() {
            let name = CommandOutput.harmless((path as NSString).lastPathComponent, isLine: true)
            let heading = paths.count > 1 ? "\(index + 1) of \(paths.count): \(name)" : name
            if paths.count > 1, !isAnswered { EchoTextCommand.say(heading) }
            do {
                results.append(try await work(path, heading))
            } catch let error as any UserFacingError where !(error is VaultError) {
                let failure = FileFailure(path: path, cause: error)
                guard paths.count > 1 else { throw failure }
                if !isAnswered { EchoTextCommand.report(failure) }
                failures.append(FailureResponse(error.failure.inTerminal, file: path))
            }
        }
        return (results, failures)
    }
}
