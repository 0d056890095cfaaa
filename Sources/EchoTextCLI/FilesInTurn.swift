import API
import EchoText
import Foundation

/// The files that a person names to a command, which takes them one after the other.
struct FilesInTurn {
    let paths: [String]
    /// Whether the answer names the files and their failures, so that standard error does not.
    let isAnswered: Bool

    /// The results of the files, and the failures.
    struct Taken<Output> {
        /// In the order of the files.
        fileprivate(set) var results: [Output] = []
        /// In the order of the files.
        fileprivate(set) var failures: [FailureResponse] = []
        /// How the command ends; `nil` without failures.
        fileprivate(set) var status: ExitStatus?
    }

    /// Takes each file; of several, those that fail are named and skipped.
    ///
    /// Where the library itself fails, an answer still has what was taken before, and the other files among the failures.
    ///
    /// - Parameter work: Takes a file by its path; the heading is its name, behind its number where there are several.
    /// - Returns: The results and the failures.
    /// - Throws: The ``FileFailure`` of a single file, and of any file what is no ``UserFacingError``; a ``VaultError`` of a
    ///   single file, or where there is no answer.
    func take<Output>(
        _ work: (_ path: String, _ heading: String) async throws -> Output
    ) async throws -> Taken<Output> {
        var taken = Taken<Output>()
        for (index, path) in paths.enumerated() {
            let name = CommandOutput.harmless((path as NSString).lastPathComponent, isLine: true)
            let heading = paths.count > 1 ? "\(index + 1) of \(paths.count): \(name)" : name
            if paths.count > 1, !isAnswered { EchoTextCommand.say(heading) }
            do {
                taken.results.append(try await work(path, heading))
            } catch let error as VaultError where isAnswered && paths.count > 1 {
                let failure = error.failure.inTerminal
                taken.failures += paths[index...].map { FailureResponse(failure, file: $0) }
                taken.status = ExitStatus(of: error.failure.kind)
                break
            } catch let error as any UserFacingError where !(error is VaultError) {
                let failure = FileFailure(path: path, cause: error)
                guard paths.count > 1 else { throw failure }
                if !isAnswered { EchoTextCommand.report(failure) }
                taken.failures.append(FailureResponse(error.failure.inTerminal, file: path))
                taken.status = .badInput
            }
        }
        return taken
    }
}
