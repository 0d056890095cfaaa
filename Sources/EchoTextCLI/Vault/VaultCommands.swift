import API
import ArgumentParser
import EchoText
import Foundation
import LibraryStore

/// `echotext vault`: the keys of the library, and its maintenance.
struct VaultCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Lock, unlock, check and save the encrypted library.",
        discussion: """
            The library is always encrypted. Without a passcode it opens by itself on this machine and on no other; with one it \
            needs this machine and the passcode. The recovery code opens it anywhere. Nobody can open a library whose \
            passcode and recovery code are both lost.

            Secrets are asked for at the terminal, or read as one line from a file descriptor: \
            echotext vault unlock --passcode-fd 3 3< file
            """,
        subcommands: [
            VaultStatusCommand.self, VaultUnlock.self, VaultLock.self, VaultPasscode.self, VaultRecover.self,
            VaultRecoveryCode.self, VaultCheck.self, VaultRekey.self, VaultBackup.self, VaultExportIdentity.self,
            VaultDoctorCommand.self, VaultAgent.self,
        ],
        defaultSubcommand: VaultStatusCommand.self
    )
}

/// `echotext vault agent`: the process that keeps a library unlocked between commands.
struct VaultAgent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Hold the secret that comes on standard input for other EchoText processes.",
        shouldDisplay: false
    )

    func run() async throws { try await AgentProcess.run() }
}

/// A command that works on the vault as a whole.
protocol VaultCommand: JSONCommand {
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

    func run(on vault: LibraryVault) async throws {
        let status = try await vault.status()
        let answer = VaultStatusResponse.answer(about: status)
        if json { return try CommandOutput.json(answer) }
        var lines = [status.words + (answer.until.map { " until \(CommandOutput.date($0))" } ?? "")]
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
        try CommandOutput.text(lines.joined(separator: "\n"))
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
    fileprivate var words: String {
        switch self {
        case .uninitialised: "there is no library yet; the first thing kept makes it"
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .lockedOut: "locked, and takes no passcode"
        case .recoveryNeeded: "this machine's secret cannot be used: only the recovery code opens the library"
        case .readOnly: "can only be read"
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

    func run(on vault: LibraryVault) async throws {
        try await vault.unlock(with: try await SecretInput.passcode(of: vault, from: passcode.passcodeFd))
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

    /// Reads the passcode that opens the vault.
    ///
    /// - Throws: ``VaultError/noPasscode`` where none does, and as ``needsPasscode(_:)`` and ``passcode(from:asking:)``.
    static func passcode(
        of vault: LibraryVault,
        from descriptor: Int32?,
        asking question: String = "Passcode: "
    ) async throws -> Passcode {
        guard try await needsPasscode(vault) else { throw VaultError.noPasscode }
        return try await passcode(from: descriptor, asking: question)
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

    func run(on vault: LibraryVault) async throws {
        let old = try await SecretInput.passcode(of: vault, from: passcode.passcodeFd, asking: "Passcode now: ")
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

    func run(on vault: LibraryVault) async throws {
        try await vault.removePasscode(try await SecretInput.passcode(of: vault, from: passcode.passcodeFd))
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

    func run(on vault: LibraryVault) async throws {
        let code = try RecoveryCode(typed: try await SecretInput.text(from: codeFd, asking: "Recovery code: "))
        let typed = try await SecretInput.text(from: newPasscodeFd, asking: "New passcode, or nothing for none: ")
        var passcode: Passcode?
        if !typed.isEmpty {
            if newPasscodeFd == nil {
                let again = try await SecretInput.text(from: nil, asking: "Repeat it: ")
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

    func run(on vault: LibraryVault) async throws {
        let current = try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd)
        let code = try await SecretInput.confirmedRecoveryCode(of: vault, from: codeFd)
        try await vault.renewRecoveryCode(code, passcode: current)
        if !json { EchoTextCommand.say("this is the recovery code from now on") }
    }
}

/// Reads a secret from the terminal or from a file descriptor.
enum SecretInput {
    /// - Parameters:
    ///   - descriptor: The file descriptor, or `nil` for the terminal.
    ///   - question: The question on the terminal.
    /// - Returns: The input, without its line end.
    /// - Throws: ``CommandError``, `CancellationError`.
    static func text(from descriptor: Int32?, asking question: String) async throws -> String {
        var bytes =
            if let descriptor {
                try await TerminalInput.bytes(from: descriptor)
            } else {
                try await TerminalInput.secret(asking: question)
            }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: As ``text(from:asking:)``, and ``VaultError/weakPasscode(_:)`` for an empty passcode.
    static func passcode(from descriptor: Int32?, asking question: String = "Passcode: ") async throws -> Passcode {
        try Passcode(typed: try await text(from: descriptor, asking: question))
    }

    /// Reads a new passcode; at the terminal it is asked for twice.
    ///
    /// - Throws: As ``passcode(from:asking:)``, and ``VaultError/passcodesDiffer``.
    static func newPasscode(from descriptor: Int32?) async throws -> Passcode {
        let first = try await text(from: descriptor, asking: "New passcode: ")
        if descriptor == nil {
            let second = try await text(from: nil, asking: "Repeat it: ")
            guard first == second else { throw VaultError.passcodesDiffer }
        }
        let passcode = try Passcode(typed: first)
        if let weakness = try passcode.weakness() { throw VaultError.weakPasscode(weakness) }
        return passcode
    }

    /// Reads the current passcode, if the vault has one.
    ///
    /// - Throws: As ``passcode(from:asking:)``.
    static func currentPasscode(of vault: LibraryVault, from descriptor: Int32?) async throws -> Passcode? {
        let protection = try await vault.status().protection
        guard protection != nil, protection != .device else { return nil }
        return try await passcode(from: descriptor)
    }

    /// Shows a new recovery code once and has it typed back.
    ///
    /// - Parameters:
    ///   - vault: The vault that the code is for.
    ///   - descriptor: Where the repeated code is read, or `nil` for the terminal.
    /// - Returns: The confirmed code.
    /// - Throws: ``VaultError/recoveryCodeNotConfirmed``, ``CommandError``, `CancellationError`.
    static func confirmedRecoveryCode(of vault: LibraryVault, from descriptor: Int32?) async throws
        -> ConfirmedRecoveryCode
    {
        let code = vault.proposeRecoveryCode()
        EchoTextCommand.say(
            "Write this recovery code down, on paper. It opens the library when the passcode or this machine is"
        )
        EchoTextCommand.say("lost, it is shown only now, and nobody can make it again:")
        EchoTextCommand.say("")
        EchoTextCommand.say("    \(try code.revealed())")
        EchoTextCommand.say("")
        let typed =
            if let descriptor {
                String(decoding: try await TerminalInput.bytes(from: descriptor), as: UTF8.self)
            } else {
                try await TerminalInput.line(asking: "Type it back: ")
            }
        return try code.confirmed(by: typed)
    }
}

/// The option of commands that ask for a passcode.
struct PasscodeOption: ParsableArguments {
    @Option(help: ArgumentHelp("Read the passcode from this file descriptor.", valueName: "n"))
    var passcodeFd: Int32?
}
