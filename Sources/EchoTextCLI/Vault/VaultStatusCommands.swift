import ArgumentParser
import EchoText
import Foundation
import LibraryStore

/// A command that works on the vault as a whole.
protocol VaultCommand: AsyncParsableCommand, Sendable {
    /// Whether the answer, or what went wrong, is printed for programs.
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
                    usesSecurityChip: status.usesSecurityChip
                )
            )
        }
        var lines = [status.state.words + (until.map { " until \(Answer.date($0))" } ?? "")]
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
        try Answer.text(lines.joined(separator: "\n"))
    }
}

extension VaultState {
    /// For programs.
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
    /// Whether a passcode opens the vault, and may be tried now.
    ///
    /// - Throws: ``VaultError`` when the vault cannot be looked at.
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

/// `echotext vault passcode`.
struct VaultPasscode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode",
        abstract: "Set, change or remove the passcode.",
        discussion: """
            4 to 6 digits keep people at this keyboard out: wrong ones make waits up to 24 hours. They do not stop someone who \
            copies the disk and tries all of them, which takes hours, unless the machine has a security chip (TPM), which \
            takes 50 at most. A password of 12 characters or more does.
            """,
        subcommands: [VaultPasscodeSet.self, VaultPasscodeChange.self, VaultPasscodeRemove.self]
    )
}

/// `echotext vault passcode set`.
struct VaultPasscodeSet: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a passcode, and make the recovery code."
    )

    @OptionGroup
    var passcode: PasscodeOption

    @Option(help: ArgumentHelp("Read the recovery code, typed back, from this file descriptor.", valueName: "n"))
    var codeFd: Int32?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        guard try await !SecretInput.needsPasscode(vault) else { throw VaultError.passcodeExists }
        let new = try await SecretInput.newPasscode(from: passcode.passcodeFd)
        let hasChip = Settings.ofThisProcess.chip != nil
        if new.kind == .pin, !hasChip { EchoTextCommand.say(VaultFinding(.shortPasscode).message) }
        let code = try await SecretInput.confirmedRecoveryCode(of: vault, from: codeFd)
        try await vault.setPasscode(new, recoveryCode: code)
        if new.kind == .pin, hasChip, try await !vault.status().usesSecurityChip {
            EchoTextCommand.say(VaultFinding(.shortPasscode).message)
        }
        if !json {
            EchoTextCommand.say("the passcode is set, and the library is locked; “echotext vault unlock” opens it")
        }
    }
}

/// `echotext vault passcode change`.
struct VaultPasscodeChange: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "change", abstract: "Change the passcode.")

    @OptionGroup
    var passcode: PasscodeOption

    @Option(help: ArgumentHelp("Read the new passcode from this file descriptor.", valueName: "n"))
    var newPasscodeFd: Int32?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        guard try await SecretInput.needsPasscode(vault) else { throw VaultError.noPasscode }
        let old = try await SecretInput.passcode(from: passcode.passcodeFd, asking: "Passcode now: ")
        let new = try await SecretInput.newPasscode(from: newPasscodeFd)
        try await vault.changePasscode(from: old, to: new)
        if !json { EchoTextCommand.say("the passcode is changed; the recovery code stays") }
    }
}

/// `echotext vault passcode remove`.
struct VaultPasscodeRemove: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the passcode: the library opens by itself on this machine."
    )

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        guard try await SecretInput.needsPasscode(vault) else { throw VaultError.noPasscode }
        try await vault.removePasscode(try await SecretInput.passcode(from: passcode.passcodeFd))
        if !json { EchoTextCommand.say("the library has no passcode any more") }
    }
}

/// `echotext vault recover`.
struct VaultRecover: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Open the library with its recovery code, and make it this machine's.",
        discussion: "Asks for a new passcode; an empty one means none."
    )

    @Option(help: ArgumentHelp("Read the recovery code from this file descriptor.", valueName: "n"))
    var codeFd: Int32?

    @Option(
        help: ArgumentHelp("Read the new passcode from this file descriptor; an empty line means none.", valueName: "n")
    )
    var newPasscodeFd: Int32?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        let code = try RecoveryCode(typed: try await SecretInput.text(from: codeFd, asking: "Recovery code: "))
        let typed = try await SecretInput.text(from: newPasscodeFd, asking: "New passcode, or nothing for none: ")
        var passcode: Passcode?
        if !typed.isEmpty {
            if newPasscodeFd == nil {
                let again = try await SecretInput.text(from: nil, asking: "The same again: ")
                guard typed == again else { throw VaultError.passcodesDiffer }
            }
            passcode = try Passcode(typed: typed)
        }
        try await vault.recover(with: code, newPasscode: passcode)
        if !json { EchoTextCommand.say("the library is this machine's again; the recovery code stays") }
    }
}

/// `echotext vault recovery-code`.
struct VaultRecoveryCode: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-code",
        abstract: "Make a new recovery code; the one before opens nothing any more."
    )

    @OptionGroup
    var passcode: PasscodeOption

    @Option(help: ArgumentHelp("Read the recovery code, typed back, from this file descriptor.", valueName: "n"))
    var codeFd: Int32?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        let current = try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd)
        let code = try await SecretInput.confirmedRecoveryCode(of: vault, from: codeFd)
        try await vault.renewRecoveryCode(code, passcode: current)
        if !json { EchoTextCommand.say("this is the recovery code from now on") }
    }
}
