import ArgumentParser
import EchoText
import LibraryStore

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

    var json: Bool { answer.json }

    func run(on vault: LibraryVault) async throws {
        let current = try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd)
        let code = try await SecretInput.confirmedRecoveryCode(of: vault, from: codeFd)
        try await vault.renewRecoveryCode(code, passcode: current)
        if !json { EchoTextCommand.say("this is the recovery code from now on") }
    }
}
