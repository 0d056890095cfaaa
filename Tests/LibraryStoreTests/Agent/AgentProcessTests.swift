import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Process of an unlock agent")
struct AgentProcessTests {
    private let surroundings: AgentSurroundings

    init() throws {
        surroundings = try AgentSurroundings()
    }

    @Test("it lends the secret, and locks when it is told to")
    func servesAndLocks() async throws {
        try await withProcess { _ in
            let lease = try #require(try await surroundings.client.lease())
            try #expect(lease.secret.plain == surroundings.plainSecret)
            #expect(try await surroundings.client.lock())
            #expect(await lease.waitUntilLocked())
        }
    }

    @Test("a signal locks it and clears its socket away", arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
    func locksOnSignals(signal: Int32) async throws {
        try await withProcess { process in
            let lease = try #require(try await surroundings.client.lease())
            kill(process, signal)
            #expect(await lease.waitUntilLocked())
            try #expect(!FileManager.default.fileExists(atPath: surroundings.socketPath))
        }
    }

    @Test("its sudden death locks its clients, and the next agent takes its place")
    func survivesDeath() async throws {
        try await withProcess { process in
            let lease = try #require(try await surroundings.client.lease())
            kill(process, SIGKILL)
            #expect(await lease.waitUntilLocked())
            #expect(lease.secret.isWiped)
            #expect(try await surroundings.client.lease() == nil)
            try #expect(FileManager.default.fileExists(atPath: surroundings.socketPath))
        }
        try await withProcess { _ in #expect(try await surroundings.client.lease() != nil) }
    }

    @Test("of several that are started at once, one remains")
    func isTheOnlyOne() async throws {
        let (address, secret) = (try surroundings.address, surroundings.secret)
        let outcomes = try await withThrowingTaskGroup(of: AgentLauncher.Outcome.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await AgentSurroundings.launcher.launch(holding: secret, at: address, lockingAfter: nil)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .alreadyRunning } == 3)
        #expect(try await surroundings.client.lock())
        #expect(try await surroundings.client.lock() == false)
    }

    @Test("it has a session of its own, nothing of ours open, and the secret in nothing others can read")
    func leaksNothing() async throws {
        try await withProcess { process in
            #expect(getsid(process) == process)
            try #expect(FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
            for stream in 0...2 {
                try #expect(file(stream, of: process) == "/dev/null")
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap {
                Int($0)
            }
            for file in try files.map({ try self.file($0, of: process) }) {
                let isOwn = file.hasPrefix("socket:") || file.hasPrefix("pipe:") || file.hasPrefix("anon_inode:")
                #expect(isOwn || file == "/dev/null" || file.hasPrefix(surroundings.socketFolder))
            }
            let hexadecimal = surroundings.plainSecret.map { String(format: "%02x", $0) }.joined()
            let base64 = Data(surroundings.plainSecret).base64EncodedString()
            for name in ["cmdline", "environ", "status"] {
                let shown = try Data(contentsOf: URL(filePath: "/proc/\(process)/\(name)"))
                #expect(!shown.isEmpty)
                for form in [Data(surroundings.plainSecret), Data(hexadecimal.utf8), Data(base64.utf8)] {
                    #expect(shown.range(of: form) == nil)
                }
                #expect(shown.range(of: Data(surroundings.library.utf8)) == nil)
            }
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
            #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        }
    }

    @Test("its folder, lock and socket are its owner's alone, whatever the mask", arguments: ["000", "277"])
    func closesItsFiles(mask: String) async throws {
        var launcher = AgentLauncher(executable: "/bin/sh")
        launcher.arguments = ["-c", "umask \(mask); exec '\(AgentSurroundings.launcher.executable)' agent"]
        try await withProcess(launcher) { _ in
            try #expect(AgentSurroundings.mode(of: surroundings.socketFolder) == 0o700)
            try #expect(AgentSurroundings.mode(of: surroundings.socketPath) == 0o600)
            let lock = "\(surroundings.socketFolder)/\(try surroundings.address.lock)"
            try #expect(AgentSurroundings.mode(of: lock) == 0o600)
        }
    }

    @Test("what cannot be started says so", arguments: ["/nowhere/echotext", "/bin/false", "/bin/cat"])
    func failsWithWords(program: String) async throws {
        let launcher = AgentLauncher(executable: program)
        let errno = program == "/nowhere/echotext" ? ENOENT : nil
        let (address, secret) = (try surroundings.address, surroundings.secret)
        await #expect(throws: AgentError.cannotStart(errno: errno)) {
            try await launcher.launch(holding: secret, at: address, lockingAfter: nil)
        }
    }

    @Test("a folder that is a link is refused by the process too")
    func refusesLinks() async throws {
        let (address, secret) = (try surroundings.address, surroundings.secret)
        try FileManager.default.createSymbolicLink(
            atPath: surroundings.socketFolder,
            withDestinationPath: surroundings.library
        )
        await #expect(throws: VaultError.unsafeFolder) {
            try await AgentSurroundings.launcher.launch(holding: secret, at: address, lockingAfter: nil)
        }
    }

    /// Where the descriptor `number` of `process` leads.
    private func file(_ number: Int, of process: Int32) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(number)")
    }

    /// Starts an agent, and locks it when `body` has not.
    private func withProcess(
        _ launcher: AgentLauncher = AgentSurroundings.launcher,
        _ body: (Int32) async throws -> Void
    ) async throws {
        let outcome = try await launcher.launch(
            holding: surroundings.secret,
            at: try surroundings.address,
            lockingAfter: .seconds(3_600)
        )
        guard case .started(let process) = outcome else {
            Issue.record("another agent runs")
            return
        }
        do {
            try await body(process)
            try await surroundings.client.lock()
        } catch {
            try await surroundings.client.lock()
            throw error
        }
    }
}
