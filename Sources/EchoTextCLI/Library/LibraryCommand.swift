import ArgumentParser
import EchoText
import LibraryStore

/// A command that reads or changes the library.
protocol LibraryCommand: AsyncParsableCommand, Sendable {
    /// Whether the answer, or the error, is printed as JSON.
    var json: Bool { get }

    /// Asks the questions that have to be answered before the library is opened.
    ///
    /// - Throws: ``UserFacingError``s, or `CancellationError` after an interruption.
    func prepare(_ vault: LibraryVault) async throws

    /// Does its work on the open library.
    ///
    /// - Throws: ``UserFacingError``s, or `CancellationError` after an interruption.
    func run(in library: Library) async throws
}

extension LibraryCommand {
    func prepare(_ vault: LibraryVault) async throws {}

    func run() async throws {
        try await JSONFailure.printed(if: json) {
            try await TerminationSignals.cancelling {
                try await prepare(Settings.ofThisProcess.vault)
                try await LibraryAccess.use { try await run(in: $0) }
            }
        }
    }
}

/// The `--json` option of every command that prints an answer.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print the answer, or what went wrong, as JSON.")
    var json = false
}
