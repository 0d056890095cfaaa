import ArgumentParser
import EchoText
import LibraryStore

/// A command that reads or changes what is kept.
protocol LibraryCommand: AsyncParsableCommand, Sendable {
    /// Whether the answer, or what went wrong, is printed for programs.
    var json: Bool { get }

    /// Asks for what has to be asked before the library is opened.
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
                try await OpenedLibrary.use { try await run(in: $0) }
            }
        }
    }
}

/// The option of every command that answers.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print the answer, or what went wrong, as JSON.")
    var json = false
}
