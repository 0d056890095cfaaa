import CProcess
import EchoText
import EchoTextTesting
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import Workers

/// A way of confining a worker.
private struct Layers: OptionSet, CustomStringConvertible {
    let rawValue: Int

    static let bubblewrap = Layers(rawValue: 1)
    static let landlock = Layers(rawValue: 2)
    static let filter = Layers(rawValue: 4)

    /// Landlock, where its version is at least this.
    static func landlock(from version: Int32) -> Layers { landlock_version() >= version ? .landlock : [] }

    /// Every combination that this machine supports.
    static let available: [Layers] = {
        let guards = KernelGuards.ofThisKernel
        var all: Layers = Bubblewrap.canSandbox ? .bubblewrap : []
        if guards.contains(.landlock) { all.insert(.landlock) }
        if guards.contains(.filter) { all.insert(.filter) }
        return (0..<8).map { Layers(rawValue: $0) }.filter { $0.isSubset(of: all) }
    }()

    var isolation: WorkerIsolation {
        let guards: KernelGuards = [contains(.landlock) ? .landlock : [], contains(.filter) ? .filter : []]
        let mode = contains(.bubblewrap) ? WorkerIsolation.bubblewrap.mode : .open(.switchedOff)
        return WorkerIsolation(mode, guards: guards)
    }

    var description: String {
        let names = [(Layers.bubblewrap, "bubblewrap"), (.landlock, "Landlock"), (.filter, "filter")]
        return isEmpty ? "nothing" : names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// An attack by a compromised worker, and the guards that prevent it.
private struct Attempt {
    let question: String
    let stoppedBy: Layers
}

@Suite("A worker that was taken over", .endsInTime)
struct WorkerConfinementTests {
    @Test("gets at nothing that a layer stands before, with every other taken away", arguments: Layers.available)
    fileprivate func attempts(layers: Layers) async throws {
        let person = try TemporaryVoice()
        let (tcp, udp, agent) = (
            try LoopbackSocket(SOCK_STREAM), try LoopbackSocket(SOCK_DGRAM), try UnixListener(in: person.folder.path)
        )
        let victim = Process()
        (victim.executableURL, victim.arguments) = (URL(filePath: "/bin/sleep"), ["600"])
        // Whoever reads what the tests print would wait for it, should they end before it.
        (victim.standardOutput, victim.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try victim.run()
        let number = victim.processIdentifier
        // Foundation starts processes with the signals of its own threads blocked.
        defer { kill(number, SIGKILL) }
        // A worker of root has no privileges of root once it has entered a guard.
        let powers: Layers = geteuid() == 0 ? [.landlock, .filter] : .landlock
        let attempts = [
            Attempt(question: "opens \(person.folder.model)", stoppedBy: [.bubblewrap, .landlock]),
            Attempt(question: "opens /proc/\(number)/environ", stoppedBy: powers.union(.bubblewrap)),
            Attempt(question: "opens /proc/\(number)/root/etc/passwd", stoppedBy: powers.union(.bubblewrap)),
            Attempt(question: "opens /proc/self/root/etc/passwd", stoppedBy: [.bubblewrap, .landlock]),
            Attempt(question: "creates \(person.folder.path)/new", stoppedBy: [.bubblewrap, .landlock, .filter]),
            Attempt(question: "unlinks \(person.folder.tokens)", stoppedBy: [.bubblewrap, .landlock, .filter]),
            Attempt(question: "tcp \(tcp.port)", stoppedBy: [.bubblewrap, .landlock(from: 4), .filter]),
            Attempt(question: "udp \(udp.port)", stoppedBy: [.bubblewrap, .filter]),
            Attempt(question: "unix \(agent.path)", stoppedBy: [.bubblewrap, .filter]),
            Attempt(question: "forks", stoppedBy: .filter),
            Attempt(question: "namespace", stoppedBy: [.bubblewrap, .filter]),
            Attempt(question: "traces \(number)", stoppedBy: [.bubblewrap, .landlock, .filter]),
            Attempt(question: "memory \(number)", stoppedBy: [.bubblewrap, .landlock, .filter]),
            Attempt(question: "signals \(number)", stoppedBy: [.bubblewrap, .landlock(from: 6), .filter]),
            Attempt(question: "owns \(number)", stoppedBy: [.bubblewrap, .filter]),
            Attempt(question: "outlives", stoppedBy: .filter),
        ]
        let voice = try TemporaryVoice()
        var launch = WorkerLaunch.fixture
        launch.readablePaths = [voice.folder.path]
        let worker = try await EngineWorker.fixture(launch, in: layers.isolation)
        _ = try await worker.open(voice.folder, lanes: 1)
        #expect(try await worker.speak(PhonemeRequest("probe opens \(voice.folder.model)")) == [1], "its own files")
        for attempt in attempts {
            let succeeded = try await worker.speak(PhonemeRequest("probe \(attempt.question)")) == [1]
            #expect(succeeded == layers.isDisjoint(with: attempt.stoppedBy), "\(attempt.question)")
        }
        // Only Landlock and the filter prevent `exec` of another program, which would then be confined in the same
        // way.
        let execution = Task { try await worker.speak(PhonemeRequest("probe executes /usr/bin/true")) }
        if layers.isDisjoint(with: [.landlock, .filter]) {
            // The program ends by itself, or because it violates the protocol.
            await #expect(throws: WorkerError.self) { try await execution.value }
        } else {
            #expect(try await execution.value == [0])
        }
        worker.end()
        await worker.waitForExit()
    }

    @Test("counts as confined where bubblewrap, or both of the kernel's guards, stand before it")
    func countsAsShut() {
        let confining = Layers.available.filter { $0.isolation.confines }
        let expected = Layers.available.filter {
            $0.contains(.bubblewrap) || $0.isSuperset(of: [.landlock, .filter])
        }
        #expect(confining == expected)
    }

    @Test("has no more processor time than its life's, whatever it asks for", arguments: WorkerIsolation.available)
    func processorTime(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        var launch = WorkerLaunch.fixture
        launch.readablePaths = [voice.folder.path]
        launch.limits.processorSeconds = 600
        launch.limits.lifeSeconds = 2
        let worker = try await EngineWorker.fixture(launch, in: isolation)
        _ = try await worker.open(voice.folder, lanes: 1)
        // The kernel also ends a process that handles the warning signal, as a compromised one would.
        await #expect(throws: WorkerError.died(signal: SIGKILL)) {
            try await worker.speak(PhonemeRequest("spin-on"))
        }
        await worker.waitForExit()
    }

    @Test("is not started where it cannot confine itself as requested")
    func notStartedWhere() async throws {
        let voice = try TemporaryVoice()
        let program = WorkerLaunch.fixture
        // Landlock is requested on a kernel without it.
        var launch = WorkerLaunch(executable: program.executable)
        launch.arguments = ["without-landlock", program.executable] + program.arguments
        let worker = try await EngineWorker.fixture(launch, in: WorkerIsolation(.open(.switchedOff), guards: .landlock))
        await #expect(throws: WorkerError.cannotStart) { try await worker.open(voice.folder, lanes: 1) }
        await worker.waitForExit()
    }

    @Test("is refused where nothing confines it, unless that is allowed")
    func refusedWhereNothing() {
        var launch = WorkerLaunch.fixture
        let nothing = WorkerIsolation(.open(.sandboxRefused), guards: [])
        #expect(nothing.isEnough(for: launch))
        launch.needsConfinement = true
        for guards in [[], KernelGuards.landlock, .filter] {
            #expect(!WorkerIsolation(.open(.bubblewrapMissing), guards: guards).isEnough(for: launch))
        }
        #expect(WorkerIsolation(.open(.bubblewrapMissing), guards: .all).isEnough(for: launch))
        #expect(WorkerIsolation(.bubblewrap(path: "/usr/bin/bwrap", nests: true), guards: []).isEnough(for: launch))
    }
}

@Suite("The search for a sandbox", .endsInTime)
struct IsolationDetectorTests {
    @Test("is tried again after it failed, and not after it succeeded")
    func triedAgainAfter() async {
        let found = Mutex<[WorkerIsolation]>([
            .kernelOnly(.sandboxRefused), .kernelOnly(.bubblewrapMissing), .bubblewrap, .kernelOnly(.sandboxRefused),
        ])
        let finder = IsolationDetector(nil, logger: .quiet) { found.withLock { $0.removeFirst() } }
        #expect(await finder.isolation == .kernelOnly(.sandboxRefused))
        #expect(await finder.isolation == .kernelOnly(.bubblewrapMissing))
        for _ in 0..<3 { #expect(await finder.isolation == .bubblewrap) }
    }

    @Test("reports each failure as a notice")
    func tellsEachFailure() async {
        let log = LevelLog()
        let logger = Logger(label: "finder") { _ in log }
        let finder = IsolationDetector(nil, logger: logger) { .kernelOnly(.sandboxRefused) }
        for _ in 0..<2 { _ = await finder.isolation }
        #expect(log.levels == [.notice, .notice])
    }

    @Test(
        "leaves nothing behind when its program is killed",
        .enabled(if: Bubblewrap.canSandbox, "needs bubblewrap")
    )
    func residue() async throws {
        // A link of this test's own distinguishes its processes from others.
        let folder = FileManager.default.temporaryDirectory.appending(path: "echotext-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "bwrap").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: WorkerIsolation.bubblewrapPath)
        for turn in 0..<60 {
            let parent = await RunningFixture(.fixture("probe", link))
            var output = parent.output.makeAsyncIterator()
            _ = await output.next()
            // At another moment of the search each time; yielding would take its time from the other tests.
            try await Task.sleep(for: .microseconds(turn * 300))
            parent.process?.kill()
            while await output.next() != nil {}
        }
        try await waitUntil("nothing is left behind") { !Self.isRunning(link) }
    }

    /// Whether a process has `path` as its program's name.
    private static func isRunning(_ path: String) -> Bool {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        return numbers.contains { number in
            // A process may have ended since the listing.
            let line = try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))
            return line?.starts(with: Array(path.utf8)) ?? false
        }
    }
}

/// Records the levels of logged messages.
private final class LevelLog: LogHandler {
    private let reported = Mutex<[Logger.Level]>([])
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var levels: [Logger.Level] { reported.withLock { $0 } }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { reported.withLock { $0.append(event.level) } }
}

/// A socket in a folder, such as an unlock agent has.
private final class UnixListener: Sendable {
    let path: String
    private let socket: Int32

    init(in folder: String) throws {
        path = "\(folder)/s"
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let socket = socket
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isListening = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(socket, 8) == 0
            }
        }
        try #require(isListening)
    }

    deinit { close(socket) }
}
