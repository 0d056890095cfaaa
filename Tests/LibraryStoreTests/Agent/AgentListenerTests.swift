import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@testable import LibraryStore

@Suite("An agent's place", .endsInTime)
struct AgentListenerTests {
    private let environment: AgentEnvironment
    private let address: AgentAddress
    private let folder: AgentFolder

    /// Longer than the time limit: an event only at its end would be too late.
    private static let timeout = Duration.seconds(7_200)

    init() throws {
        environment = try AgentEnvironment()
        address = try environment.address
        folder = try #require(try AgentFolder.open(at: address, making: true))
    }

    enum End: CaseIterable {
        case gone, freed, removed
    }

    @Test("is taken as soon as the one before frees its lock, silently or not, or loses it", arguments: End.allCases)
    func waits(for end: End) async throws {
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var held: LockableFile? = LockableFile(descriptor)
        try #require(try held?.take() == true)
        let starting = Task { try await start() }
        try await waitUntilLockIsWanted()
        switch end {
        case .gone: held = nil
        case .freed: flock(descriptor, LOCK_UN)  // The file itself does not change, as when its holder is killed.
        case .removed: try folder.remove(address.lock)
        }
        let listener = try await starting.value
        #expect(try AgentConnection.reaches(address.socket, in: folder, timeout: Self.timeout))
        listener.leave()
        #expect(folder.identity(of: address.socket) == nil)
        withExtendedLifetime(held) {}
    }

    @Test("is left to one that is about to listen")
    func isLeftToAnother() async throws {
        let held = try folder.openLock(address.lock)
        try #require(try held.take())
        let other = try listen(as: address.newSocket)
        defer { close(other) }
        let starting = Task { try await start() }
        try await waitUntilLockIsWanted()
        try folder.rename(address.newSocket, to: address.socket)
        await #expect(throws: AgentError.alreadyRunning) { try await starting.value }
        withExtendedLifetime(held) {}
    }

    @Test("is left to one that listens, though its lock was removed")
    func isLeftWithoutLock() async throws {
        let agent = try await environment.agent()
        try folder.remove(address.lock)
        await #expect(throws: AgentError.alreadyRunning) { try await environment.agent() }
        #expect(try await environment.client.lock())
        await agent.waitUntilEnded()
    }

    @Test("is not taken for another's because something is there that is no agent", arguments: [true, false])
    func isBlocked(byLink isLink: Bool) async throws {
        let path = try environment.socketPath
        #expect(isLink ? symlink("/dev/null", path) == 0 : FileManager.default.createFile(atPath: path, contents: nil))
        let held = try folder.openLock(address.lock)
        try #require(try held.take())
        await #expect(throws: AgentError.notAnswering) { try await start(timeout: .zero) }
        withExtendedLifetime(held) {}
    }

    @Test("is cleared of what is there and is no agent", arguments: [true, false])
    func isCleared(ofLink isLink: Bool) async throws {
        let path = try environment.socketPath
        #expect(isLink ? symlink("/dev/null", path) == 0 : FileManager.default.createFile(atPath: path, contents: nil))
        let listener = try await start(timeout: .zero)
        #expect(try AgentConnection.reaches(address.socket, in: folder, timeout: Self.timeout))
        listener.leave()
    }

    @Test("is not taken over by renaming")
    func isNotReplaced() throws {
        let (living, late) = (try listen(as: address.socket), try listen(as: address.newSocket))
        defer { for socket in [living, late] { close(socket) } }
        let identity = folder.identity(of: address.socket)
        #expect(throws: VaultError.system(errno: EEXIST)) {
            try folder.rename(address.newSocket, to: address.socket)
        }
        #expect(folder.identity(of: address.socket) == identity)
    }

    @Test("is waited for without a watch of its folder")
    func waitsUnwatched() async throws {
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let (held, wanted) = (LockableFile(descriptor), try folder.openLock(address.lock))
        try #require(try held.take())
        let waiter = try LockWaiter(noting: nil)
        waiter.ask(for: wanted)
        try await waitUntilLockIsWanted()
        flock(descriptor, LOCK_UN)
        try await onBlockingThread { waiter.wait(until: .now.advanced(by: Self.timeout)) }
        #expect(try wanted.take())
        withExtendedLifetime(held) {}
    }

    private func start(timeout: Duration = Self.timeout) async throws -> AgentListener {
        try await onBlockingThread { [address] in try AgentListener(at: address, timeout: timeout) }
    }

    private var lockPath: String { "\(environment.socketFolder)/\(address.lock)" }

    /// A socket that is listened at, and answers nobody.
    private func listen(as name: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(folder.withAddress(of: name) { bind(descriptor, $0, $1) } == 0)
        try #require(Glibc.listen(descriptor, 1) == 0)
        return descriptor
    }

    /// Waits until somebody waits for the lock, which proc(5) shows by the inode of its file, behind an arrow.
    private func waitUntilLockIsWanted() async throws {
        var status = stat()
        try #require(stat(lockPath, &status) == 0)
        let mark = ":\(status.st_ino) "
        func isWanted() throws -> Bool {
            let locks = try String(kernelFile: "/proc/locks")
            return locks.split(separator: "\n").contains { $0.contains("->") && $0.contains(mark) }
        }
        while try !isWanted() {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
