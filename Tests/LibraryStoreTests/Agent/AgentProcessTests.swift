import CProcess
import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@testable import LibraryStore

@Suite("Process of an unlock agent", .endsInTime)
struct AgentProcessTests {
    private let environment: AgentEnvironment

    init() throws {
        environment = try AgentEnvironment()
    }

    @Test("it lends the secret, and locks on request")
    func servesAndLocks() async throws {
        try await withProcess { _ in
            let lease = try #require(try await environment.client.lease())
            try #expect(lease.secret.plain == environment.plainSecret)
            #expect(try await environment.client.lock())
            #expect(await lease.waitUntilLocked())
        }
    }

    @Test("a signal locks it and clears its socket away", arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
    func locksOnSignals(signal: Int32) async throws {
        try await withProcess { process in
            let lease = try #require(try await environment.client.lease())
            kill(process, signal)
            #expect(await lease.waitUntilLocked())
            try #expect(!FileManager.default.fileExists(atPath: environment.socketPath))
        }
    }

    @Test("its sudden death locks its clients, and the next agent takes its place")
    func survivesDeath() async throws {
        try await withProcess { process in
            let lease = try #require(try await environment.client.lease())
            kill(process, SIGKILL)
            #expect(await lease.waitUntilLocked())
            #expect(lease.secret.isWiped)
            #expect(try await environment.client.lease() == nil)
            try #expect(FileManager.default.fileExists(atPath: environment.socketPath))
        }
        try await withProcess { _ in
            let lease = try #require(try await environment.client.lease())
            try #expect(lease.secret.plain == environment.plainSecret)
        }
    }

    @Test("one that was stopped is distinguished from one that does not exist, and locks when it is continued")
    func noticesSilence() async throws {
        try await withProcess { process in
            let lease = try #require(try await environment.client.lease())
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            var status: Int32 = 0
            try #require(waitpid(process, &status, WUNTRACED) == process)  // Waits until all threads are stopped.
            let client = AgentClient(at: try environment.address, timeout: .milliseconds(50))
            await #expect(throws: AgentError.notAnswering) { try await client.lease() }
            await #expect(throws: AgentError.notAnswering) { try await client.lock() }
            kill(process, SIGCONT)
            #expect(await lease.waitUntilLocked())
        }
    }

    @Test("of several that are started at once, one remains")
    func isTheOnlyOne() async throws {
        let (address, secret) = (try environment.address, environment.secret)
        let outcomes = try await withThrowingTaskGroup(of: AgentLauncher.Outcome.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await AgentEnvironment.launcher.launch(holding: secret, at: address, lockingAfter: nil)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .alreadyRunning } == 3)
        #expect(try await environment.client.lock())
        #expect(try await environment.client.lock() == false)
    }

    /// The confinements of a client process: how it is launched, and which of the kernel's guards it applies.
    static let confinements: [(name: String, launcher: [String], guards: String)] = {
        let (landlock, filter) = (Int32(guard_landlock.rawValue), Int32(guard_filter.rawValue))
        let missing = ~kernel_guards()
        let sets = [0, landlock, filter, landlock | filter].filter { $0 & missing == 0 }
        let entered = sets.map { (name: "guards", launcher: [String](), guards: "\($0)") }
        let sandbox = ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--unshare-user", "--unshare-pid", "--proc", "/proc"]
        return entered + (Bubblewrap.canSandbox ? [("sandbox", sandbox, "none"), ("sandbox", sandbox, "0")] : [])
    }()

    @Test("it answers no process that is confined, whatever confines it", arguments: confinements)
    func refusesTheConfined(_ confinement: (name: String, launcher: [String], guards: String)) async throws {
        try await withProcess { _ in
            try #expect(asks(confinement.launcher, confinement.guards) == 1, "\(confinement.name)")
            try #expect(asks([], "none") == 0, "the question must be a fair one")
        }
    }

    /// How the fixture ends that asks for the secret: 0 when it got it.
    private func asks(_ launcher: [String], _ guards: String) throws -> Int32 {
        let words =
            launcher + [AgentEnvironment.launcher.executable, "ask"]
            + [environment.library, environment.deviceFolder, environment.runtimeFolder, guards]
        let process = try Process.run(URL(filePath: words[0]), arguments: Array(words.dropFirst()))
        process.waitUntilExit()
        return process.terminationStatus
    }

    static let statuses: [(String, Bool, Int)] = [
        ("Name:\tx\nNSpid:\t812\nSeccomp:\t0\nSeccomp_filters:\t0\n", false, 0),
        ("NSpid:\t812\t2\nSeccomp:\t2\nSeccomp_filters:\t3\n", true, 3),
        ("NSpid:\t812\nSeccomp:\t2\n", false, 1), ("", false, 0), ("::\n\n:", false, 0),
    ]

    @Test("it reads from the kernel's word what confines a process", arguments: statuses)
    func readsStatus(_ text: String, isNested: Bool, filters: Int) {
        let status = ProcessStatus(text)
        #expect(status.isNested == isNested)
        #expect(status.filters == filters)
    }

    @Test("it has a session of its own, no core file, and nothing of the secret where others can read")
    func leaksNothing() async throws {
        try await withProcess { process in
            #expect(getsid(process) == process)
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
            #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
            try expectNothing(in: "cmdline", of: process)
            // Hardened, it shows the rest to the system's administrator alone.
            #expect((access("/proc/\(process)/environ", R_OK) == 0) == (geteuid() == 0))
            if geteuid() == 0 { try expectNothing(in: "environ", of: process) }
        }
    }

    @Test(
        "it keeps nothing open but its own, and no folder in use",
        .enabled(if: geteuid() == 0, "only the system's administrator can look into a hardened process")
    )
    func holdsNothingOpen() async throws {
        try await withProcess { process in
            let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
            #expect(folder == "/")
            for stream in 0...2 { #expect(file(stream, of: process) == "/dev/null") }
            let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap {
                Int($0)
            }
            // A descriptor may have been closed since the listing.
            for file in numbers.compactMap({ file($0, of: process) }) {
                let isOwn = ["socket:", "pipe:", "anon_inode:"].contains { file.hasPrefix($0) }
                #expect(isOwn || file == "/dev/null" || file.hasPrefix(environment.socketFolder))
            }
        }
    }

    @Test("its folder, lock and socket are its owner's alone, whatever the mask", arguments: ["000", "277"])
    func closesItsFiles(mask: String) async throws {
        var launcher = AgentLauncher(executable: "/bin/sh")
        launcher.arguments = ["-c", "umask \(mask); exec '\(AgentEnvironment.launcher.executable)' agent"]
        try await withProcess(launcher) { _ in
            try #expect(AgentEnvironment.mode(of: environment.socketFolder) == 0o700)
            try #expect(AgentEnvironment.mode(of: environment.socketPath) == 0o600)
            let lock = "\(environment.socketFolder)/\(try environment.address.lock)"
            try #expect(AgentEnvironment.mode(of: lock) == 0o600)
        }
    }

    @Test("what cannot be started says so", arguments: ["/nowhere/echotext", "/bin/false", "/bin/cat"])
    func failsWithWords(program: String) async throws {
        let launcher = AgentLauncher(executable: program)
        let errno = program == "/nowhere/echotext" ? ENOENT : nil
        let (address, secret) = (try environment.address, environment.secret)
        await #expect(throws: AgentError.cannotStart(errno: errno)) {
            try await launcher.launch(holding: secret, at: address, lockingAfter: nil)
        }
    }

    @Test("a folder that is a link is refused by the process too")
    func refusesLinks() async throws {
        let (address, secret) = (try environment.address, environment.secret)
        try FileManager.default.createSymbolicLink(
            atPath: environment.socketFolder,
            withDestinationPath: environment.library
        )
        await #expect(throws: VaultError.unsafeFolder) {
            try await AgentEnvironment.launcher.launch(holding: secret, at: address, lockingAfter: nil)
        }
    }

    /// The target of the descriptor `number` of `process`; `nil` when it is closed.
    private func file(_ number: Int, of process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(number)")
    }

    /// Searches the system's information about `process` for the secret in three forms, and for the library's folder.
    private func expectNothing(in name: String, of process: Int32) throws {
        let secret = Data(environment.plainSecret)
        let hexadecimal = environment.plainSecret.map { String(format: "%02x", $0) }.joined()
        let shown = try Data(kernelFile: "/proc/\(process)/\(name)")
        #expect(!shown.isEmpty)
        for form in [secret, Data(hexadecimal.utf8), Data(secret.base64EncodedString().utf8)] {
            #expect(shown.range(of: form) == nil)
        }
        #expect(shown.range(of: Data(environment.library.utf8)) == nil)
    }

    /// Starts an agent, and locks it when `body` has not.
    private func withProcess(
        _ launcher: AgentLauncher = AgentEnvironment.launcher,
        _ body: (Int32) async throws -> Void
    ) async throws {
        let outcome = try await launcher.launch(
            holding: environment.secret,
            at: try environment.address,
            lockingAfter: .seconds(3_600)
        )
        guard case .started(let process) = outcome else {
            Issue.record("another agent runs")
            return
        }
        do {
            try await body(process)
            try await environment.client.lock()
        } catch {
            try await environment.client.lock()
            throw error
        }
    }
}
