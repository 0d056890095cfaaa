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

    private static let report: @Sendable (VaultFinding) -> Void = { finding in
        EchoTextCommand.say("warning: \(finding.message)")
    }
}

extension Settings {
    /// Makes the vault of this person's library.
    var vault: LibraryVault {
        LibraryVault(
            VaultPaths(library: libraryFolder, device: deviceFolder, runtime: runtimeFolder),
            KeyStore.Surroundings(chip: chip.map(TPMChip.init))
        )
    }
}
