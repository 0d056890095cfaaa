import EchoText
import FileSystem
import Foundation

/// A client's end of the socket of an agent.
///
/// Its calls block, each for as long as its timeout lasts at most.
final class AgentConnection: Sendable {
    let descriptor: Int32

    /// An agent answers within milliseconds, or has been stopped.
    static let timeout = Duration.seconds(5)

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// - Parameters:
    ///   - address: The agent's address.
    ///   - timeout: The time limit of each step.
    /// - Returns: `nil` when no agent listens there.
    /// - Throws: ``AgentError/foreignPeer``, ``AgentError/notAnswering``, ``VaultError``.
    static func open(at address: AgentAddress, timeout: Duration) throws -> AgentConnection? {
        guard let folder = try AgentFolder.open(at: address, making: false) else { return nil }
        return try open(address.socket, in: folder, timeout: timeout)
    }

    /// Checks whether an agent of this user listens on the socket `name`.
    ///
    /// - Parameters:
    ///   - name: The socket's name.
    ///   - folder: The folder of the socket.
    ///   - timeout: The time limit, above 0.
    /// - Returns: Whether one does, even if it is too busy to respond.
    /// - Throws: ``VaultError/system(errno:)`` when that is unknown.
    static func reaches(_ name: String, in folder: AgentFolder, timeout: Duration) throws -> Bool {
        do {
            return try open(name, in: folder, timeout: timeout) != nil
        } catch AgentError.notAnswering {
            return true
        } catch AgentError.foreignPeer {
            return false
        }
    }

    private static func open(_ name: String, in folder: AgentFolder, timeout: Duration) throws -> AgentConnection? {
        guard let identity = folder.identity(of: name) else { return nil }
        guard identity.isSocket, identity.owner == geteuid() else { throw AgentError.foreignPeer }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw VaultError.system(errno: errno) }
        let connection = AgentConnection(descriptor)
        try connection.limit(to: timeout)
        guard folder.withAddress(of: name, { connect(descriptor, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ECONNREFUSED: return nil
            case EAGAIN: throw AgentError.notAnswering
            default: throw VaultError.system(errno: errno)
            }
        }
        guard try AgentPeer(of: descriptor).isTrusted(by: geteuid()) else { throw AgentError.foreignPeer }
        return connection
    }

    private func limit(to timeout: Duration) throws(VaultError) {
        let (seconds, attoseconds) = timeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            let size = socklen_t(MemoryLayout<timeval>.size)
            guard setsockopt(descriptor, SOL_SOCKET, option, &limit, size) == 0 else { throw .system(errno: errno) }
        }
    }

    /// Sends `request`, and takes the answer's head.
    ///
    /// - Returns: `nil` when the agent has ended.
    /// - Throws: ``AgentError``.
    func ask(_ request: AgentRequest) throws(AgentError) -> AgentAnswer? {
        let bytes = request.encoded
        // An agent that refuses has responded before the request; its response can still be read.
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard let head = try receive(AgentAnswer.length) else { return nil }
        let magic = AgentProtocol.magic
        guard Array(head.prefix(magic.count)) == magic else { throw .protocolViolation }
        guard head[magic.count] == AgentProtocol.version else { throw .otherVersion }
        guard let answer = AgentAnswer(rawValue: head[magic.count + 1]) else { throw .protocolViolation }
        switch answer {
        case .busy: throw .tooManyLeases
        case .otherVersion: throw .otherVersion
        case .secret, .status, .locked: return answer
        }
    }

    /// Exactly `count` bytes, or `nil` when the agent ends before the last.
    ///
    /// - Throws: ``AgentError/notAnswering``.
    func receive(_ count: Int) throws(AgentError) -> [UInt8]? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        return try receive(into: buffer) ? Array(buffer) : nil
    }

    /// Fills `buffer`.
    ///
    /// - Returns: Whether the agent sent enough bytes before it ended.
    /// - Throws: ``AgentError/notAnswering``.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(AgentError) -> Bool {
        var taken = 0
        while taken < buffer.count {
            let count = recv(descriptor, buffer.baseAddress?.advanced(by: taken), buffer.count - taken, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw .notAnswering }
            guard count > 0 else { return false }
            taken += count
        }
        return true
    }
}
