import ArgumentParser
import EchoText
import Foundation
import LibraryStore

/// A command that works on the vault as a whole.
protocol VaultCommand: AsyncParsableCommand, Sendable {
    /// Whether the answer, or the error, is printed as JSON.
    var json: Bool { get }

    /// Does its work.
    ///
    /// - Throws: ``UserFacingError``s, or `CancellationError` after an interruption.
    func run(on vault: LibraryVault) async throws
}

extension VaultCommand {
    func run() async throws {
        try await JSONFailure.printed(if: json) {
            try await TerminationSignals.cancelling { try await run(on: Settings.ofThisProcess.vault) }
        }
    }
}

/// `echotext vault status`.
struct VaultStatusCommand: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether the library is locked, and what opens it."
    )

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Report: Encodable {
        let state: String
        let until: Date?
        let protection: VaultStatus.Protection?
        let hasRecoveryCode: Bool
        let usesSecurityChip: Bool
        let folder: String?
        let deviceFolder: String?
    }

    func run(on vault: LibraryVault) async throws {
        let status = try await vault.status()
        var until: Date?
        if case .lockedOut(let date) = status.state { until = date }
        if json {
            return try Answer.json(
                Report(
                    state: status.state.name,
                    until: until,
                    protection: status.protection,
                    hasRecoveryCode: status.hasRecoveryCode,
                    usesSecurityChip: status.usesSecurityChip,
                    folder: status.folder,
                    deviceFolder: status.deviceFolder
                )
            )
        }
        var lines = [status.words + (until.map { " until \(Answer.date($0))" } ?? "")]
        switch status.protection {
        case .device: lines.append("opens by itself on this machine")
        case .shortPasscode: lines.append("opens with this machine and 4 to 6 digits")
        case .password: lines.append("opens with this machine and a password")
        case nil: break
        }
        if status.usesSecurityChip { lines.append("has this machine's secret in the security chip") }
        if status.protection != nil {
            lines.append(status.hasRecoveryCode ? "has a recovery code" : "has no recovery code")
        }
        if let folder = status.folder { lines.append("is in \(folder)") }
        if let folder = status.deviceFolder { lines.append("has this machine's secret in \(folder)") }
        try Answer.text(lines.joined(separator: "\n"))
    }
}

extension VaultStatus {
    fileprivate var words: String {
        state == .recoveryNeeded && !hasRecoveryCode
            ? "this machine's secret cannot be used, and no recovery code was ever made: nobody can open the library until the secret is back"
            : state.words
    }
}

extension VaultState {
    /// The name that programs match.
    fileprivate var name: String {
        switch self {
        case .uninitialised: "uninitialised"
        case .locked: "locked"
        case .unlocking: "unlocking"
        case .unlocked: "unlocked"
        case .locking: "locking"
        case .lockedOut: "locked-out"
        case .recoveryNeeded: "recovery-needed"
        case .readOnly: "read-only"
        case .migrating: "migrating"
        }
    }

    fileprivate var words: String {
        switch self {
        case .uninitialised: "there is no library yet; the first thing kept makes it"
        case .locked: "locked"
        case .unlocking: "being unlocked"
        case .unlocked: "unlocked"
        case .locking: "being locked"
        case .lockedOut: "locked, and takes no passcode"
        case .recoveryNeeded: "this machine's secret cannot be used: only the recovery code opens the library"
        case .readOnly: "can only be read"
        case .migrating: "being brought up to date"
        }
    }
}

/// `echotext vault unlock`.
struct VaultUnlock: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the library for all commands, until it is locked or has been unused for long.",
        discussion: "The setting vault.lock-after limits the idle time."
    )

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        guard try await SecretInput.needsPasscode(vault) else { throw VaultError.noPasscode }
        try await vault.unlock(with: try await SecretInput.passcode(from: passcode.passcodeFd))
        if !json { EchoTextCommand.say("unlocked") }
    }
}

extension SecretInput {
    /// Returns whether a passcode opens the vault and may be tried now.
    ///
    /// - Throws: ``VaultError`` when the vault's state cannot be read.
    static func needsPasscode(_ vault: LibraryVault) async throws -> Bool {
        let protection = try await vault.status().protection
        return protection != nil && protection != .device
    }
}

/// `echotext vault lock`.
struct VaultLock: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the library now; commands that use it end."
    )

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        let wasUnlocked = try await vault.lock()
        if !json { EchoTextCommand.say(wasUnlocked ? "locked" : "it was locked already") }
    }
}
