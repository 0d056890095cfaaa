import ArgumentParser
import EchoText
import Foundation

/// The option of commands that cannot be undone.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Do it without asking.")
    var yes = false

    /// Returns when the person agrees.
    ///
    /// - Throws: ``CommandError/notConfirmed``.
    func confirm(_ question: String) async throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else { throw CommandError.notConfirmed }
        let answer = try await TerminalInput.line(asking: "\(Answer.harmless(question)) [y/N] ")
        guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.notConfirmed }
    }
}
