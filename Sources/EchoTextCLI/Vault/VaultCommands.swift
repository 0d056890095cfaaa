import ArgumentParser
import EchoText
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
