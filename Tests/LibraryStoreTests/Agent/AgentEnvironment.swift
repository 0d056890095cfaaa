import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

/// A library's folder and the folders around it, removed with the test.
final class AgentEnvironment: Sendable {
    let path: String
    /// 32 bytes that are found nowhere else.
    let plainSecret = (0..<32).map { _ in UInt8.random(in: 0...255) }

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/echotext-agent-" + UUID().uuidString
        for folder in ["library", "runtime"] {
            try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
        }
        chmod("\(path)/runtime", 0o700)
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may have removed it itself

    var secret: SecretBytes { SecretBytes(copying: plainSecret) }
    var library: String { "\(path)/library" }
    var runtimeFolder: String { "\(path)/runtime" }
    var deviceFolder: String { "\(path)/device" }
    /// The folder of the sockets of ``address``.
    var socketFolder: String { "\(runtimeFolder)/echotext" }

    var address: AgentAddress {
        get throws {
            try AgentAddress(library: library, deviceFolder: deviceFolder, runtimeFolder: runtimeFolder)
        }
    }

    /// A client whose timeout a busy machine does not reach.
    var client: AgentClient { get throws { AgentClient(at: try address, timeout: .seconds(90)) } }
    var socketPath: String { get throws { "\(socketFolder)/\(try address.socket)" } }

    /// An agent in this process.
    func agent(
        holding secret: SecretBytes? = nil,
        lockingAfter idleTime: Duration? = nil,
        clock: ManualClock = ManualClock()
    ) async throws -> UnlockAgent {
        try await UnlockAgent.start(
            holding: secret ?? self.secret,
            at: try address,
            lockingAfter: idleTime,
            clock: clock
        )
    }

    /// Starts the fixture as an agent.
    static let launcher: AgentLauncher = {
        var launcher = AgentLauncher(executable: BuiltPackage.program("AgentFixture"))
        launcher.arguments = ["agent"]
        return launcher
    }()

    /// The last bits of the mode of the file at `path`.
    static func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & 0o7777
    }
}

extension SecretBytes {
    /// A copy that can be compared.
    var plain: [UInt8] { get throws { try withUnsafeBytes { Array($0) } } }

    /// Whether it was wiped.
    var isWiped: Bool { (try? withUnsafeBytes { _ in }) == nil }
}

/// A client that sends arbitrary bytes.
final class RawClient: Sendable {
    let descriptor: Int32

    init(_ environment: AgentEnvironment) throws {
        let folder = try #require(try AgentFolder.open(at: try environment.address, making: false))
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(folder.withAddress(of: try environment.address.socket) { connect(descriptor, $0, $1) } == 0)
    }

    deinit { close(descriptor) }

    /// Bytes that the agent does not accept are lost.
    func say(_ bytes: [UInt8]) { send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Reads exactly `count` bytes, or fewer up to the end, or when none come any more.
    func hear(_ count: Int) -> [UInt8] {
        var received: [UInt8] = []
        while received.count < count {
            var piece = [UInt8](repeating: 0, count: count - received.count)
            var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&end, 1, 90_000) == 0 { break }
            let taken = recv(descriptor, &piece, piece.count, 0)
            if taken < 0, errno == EINTR { continue }
            guard taken > 0 else { break }
            received += piece.prefix(taken)
        }
        return received
    }

    /// Everything up to the end of the connection.
    func hearAll() -> [UInt8] { hear(1 << 16) }
}
