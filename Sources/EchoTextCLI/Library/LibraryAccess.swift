import ArgumentParser
import EchoText
import Foundation
import LibraryStore
import Outbound

/// The library, opened for one command.
enum LibraryAccess {
    /// Opens the library, passes it to `work`, and closes it.
    ///
    /// - Throws: ``VaultError`` when it does not open, and what `work` throws.
    static func use<Output: Sendable>(
        _ work: @escaping @Sendable (Library) async throws -> Output
    ) async throws -> Output {
        let settings = Settings.ofThisProcess
        return try await settings.vault.use(reporting: report) { library in
            // A library that cannot be written to keeps the voice it has.
            try? await library.profiles.suggest(settings.standardVoice)
            try? await settings.outboundNotes.move(into: library.outbound)
            let output = try await work(library)
            await remind(in: library, settings.vault)
            return output
        }
    }

    /// Prints a reminder that is due, if standard error is a terminal.
    ///
    /// It ignores errors of the library, because they must not make the command fail.
    private static func remind(in library: Library, _ vault: LibraryVault) async {
        guard isatty(STDERR_FILENO) == 1, let status = try? await vault.status(),
            (try? await RecoveryReminder.isDue(in: library, status)) == true
        else { return }
        let finding = VaultFinding(.noRecoveryCode)
        report(finding)
        if let suggestion = finding.suggestion { EchoTextCommand.say("hint: \(suggestion)") }
        try? await RecoveryReminder.noteSeen(in: library)
    }

    /// Prints a notice about the library.
    static let report: @Sendable (VaultFinding) -> Void = { finding in
        EchoTextCommand.say("warning: \(finding.message)")
    }
}

extension Settings {
    /// Makes the vault of this person's library.
    var vault: LibraryVault {
        LibraryVault(
            VaultPaths(library: libraryFolder, device: deviceFolder, runtime: runtimeFolder),
            KeyStore.Environment(chip: chip.map(TPMChip.init))
        )
    }
}

/// A command that prints its answer, or what went wrong, as JSON if it is asked to.
protocol JSONCommand: AsyncParsableCommand, Sendable {
    var answer: JSONOption { get }
}

extension JSONCommand {
    var json: Bool { answer.json }
}

/// A command that reads or changes the library.
protocol LibraryCommand: JSONCommand {
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

/// The library, for a command that also works without one.
enum OptionalLibrary {
    /// Passes the library to `work` if it exists and opens without a passcode; never creates one.
    ///
    /// - Returns: What `work` returned; `nil` when the library is not open. If it should have opened, its error is
    ///   printed.
    /// - Throws: What `work` throws, `CancellationError`.
    static func use<Output: Sendable>(
        _ work: @escaping @Sendable (Library) async throws -> Output
    ) async throws -> Output? {
        let outcome: Result<Output, any Error>
        do {
            let state = try await Settings.ofThisProcess.vault.status().state
            guard state != .uninitialised, state.isOpen else { return nil }
            outcome = try await LibraryAccess.use { library in
                do {
                    return .success(try await work(library))
                } catch {
                    return .failure(error)
                }
            }
        } catch let error as any UserFacingError {
            EchoTextCommand.say("warning: This continues without your library. \(error.message)")
            return nil
        }
        return try outcome.get()
    }
}

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
        let answer = try await TerminalInput.line(asking: "\(CommandOutput.harmless(question)) [y/N] ")
        guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.notConfirmed }
    }

    /// Refuses to delete unasked what is named by the beginning of its name only: where what is called so is gone already,
    /// another thing is found by it.
    ///
    /// - Parameters:
    ///   - references: What the person has typed.
    ///   - found: The ids and names of what was found by them.
    /// - Throws: ``CommandError/contradiction(_:hint:)``.
    func requireWholeNames(_ references: [String], of found: [(id: String, name: ItemName)]) throws(CommandError) {
        let areNamed = found.allSatisfy { thing in
            references.contains { TypedName($0, for: thing.id, thing.name).isWhole }
        }
        try require(areNamed)
    }

    /// As ``requireWholeNames(_:of:)``.
    func requireWhole(_ typed: TypedName?) throws(CommandError) { try require(typed?.isWhole ?? true) }

    private func require(_ areNamed: Bool) throws(CommandError) {
        guard yes, !areNamed else { return }
        throw .contradiction(
            "With --yes nothing is deleted by the beginning of its name.",
            hint: "Give the whole name, or the id."
        )
    }
}
