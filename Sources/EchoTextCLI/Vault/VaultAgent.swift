import ArgumentParser
import EchoText
import LibraryStore

/// `echotext vault agent`: what the program starts itself as, to keep a library unlocked between commands.
struct VaultAgent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Hold the secret that comes on standard input for other EchoText processes.",
        shouldDisplay: false
    )

    func run() async throws { try await AgentProcess.run() }
}
