import Foundation
import NIOCore

/// The owner of one end of a local connection.
///
/// The kernel looks up that connection alone, so the time does not depend on the number of connections.
///
/// - SeeAlso: sock_diag(7).
enum SocketOwner: Equatable {
    case user(uid_t)
    /// The connection no longer exists.
    case nobody
    /// The kernel does not answer such questions.
    case unknown

    /// - Parameters:
    ///   - peer: The end whose owner is requested.
    ///   - own: This process's end.
    /// - Returns: The kernel's immediate answer.
    static func owner(of peer: SocketAddress, connectedTo own: SocketAddress) -> Self {
        guard let question = Question(from: peer, to: own), let opposite = Question(from: own, to: peer) else {
            return .unknown
        }
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), netlinkSockets)
        guard descriptor >= 0 else { return .unknown }
        defer { close(descriptor) }
        if let owner = question.answer(from: descriptor) { return .user(owner) }
        // A kernel without this feature gives the same answer as for a closed connection.
        return opposite.answer(from: descriptor) == nil ? .unknown : .nobody
    }

    private static let netlinkSockets: Int32 = 4  // NETLINK_SOCK_DIAG
}

/// A request for one socket: `struct inet_diag_req_v2` after its `struct nlmsghdr`.
private struct Question {
    private static let byFamily: UInt16 = 20  // SOCK_DIAG_BY_FAMILY
    private static let request: UInt16 = 1  // NLM_F_REQUEST
    private static let headerSize = 16
    private static let size = 72
    private static let listening: UInt8 = 10  // TCP_LISTEN

    private let bytes: [UInt8]

    /// - Returns: `nil` for ends that have no ports, or are of two kinds.
    init?(from source: SocketAddress, to target: SocketAddress) {
        guard let (family, address, port) = Self.parts(of: source), let other = Self.parts(of: target),
            family == other.family
        else { return nil }
        var message: [UInt8] = []
        message.reserveCapacity(Self.size)
        message.append(native: UInt32(Self.size))
        message.append(native: Self.byFamily)
        message.append(native: Self.request)
        message.append(native: UInt32(1))  // number
        message.append(native: UInt32(0))  // of the kernel
        message += [family, UInt8(IPPROTO_TCP), 0, 0]
        message.append(native: UInt32.max)  // any state
        message.append(network: port)
        message.append(network: other.port)
        message += address + other.address
        message.append(native: UInt32(0))  // any interface
        message += [UInt8](repeating: 0xff, count: 8)  // INET_DIAG_NOCOOKIE
        bytes = message
    }

    private static func parts(of end: SocketAddress) -> (family: UInt8, address: [UInt8], port: UInt16)? {
        guard let port = end.port.flatMap({ UInt16(exactly: $0) }), let text = end.ipAddress else { return nil }
        let family = if case .v4 = end { AF_INET } else { AF_INET6 }
        var address = [UInt8](repeating: 0, count: 16)  // of which an IPv4 address takes the first four
        guard inet_pton(family, text, &address) == 1 else { return nil }
        return (UInt8(family), address, port)
    }

    /// - Returns: The owner; `nil` when the kernel knows of no such connection.
    func answer(from descriptor: Int32) -> uid_t? {
        guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { return nil }
        var answer = [UInt8](repeating: 0, count: 8_192)
        let count = recv(descriptor, &answer, answer.count, 0)
        // struct inet_diag_msg: family, state, timer, retransmissions, 48 bytes of ends, expiry, two queues, owner, inode
        let ownerOffset = Self.headerSize + 64
        guard count >= ownerOffset + 8 else { return nil }
        return answer.withUnsafeBytes { answer in
            guard answer.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == Self.byFamily,
                answer[Self.headerSize + 1] != Self.listening,
                // The kernel gives a listener where it finds no connection.
                answer[(Self.headerSize + 4)..<(Self.headerSize + 8)].elementsEqual(bytes[24..<28])
            else { return nil }
            return answer.loadUnaligned(fromByteOffset: ownerOffset, as: UInt32.self)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(native number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(network number: UInt16) {
        append(native: number.bigEndian)
    }
}
