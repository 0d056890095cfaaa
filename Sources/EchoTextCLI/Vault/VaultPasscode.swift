import ArgumentParser
import EchoText
import LibraryStore

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
