import FileSystem
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Accepts only connections of the user who runs the server.
///
/// Every user of the machine can connect to a loopback address. The kernel knows the owner of each connection;
/// connections of other users are closed before a byte is read.
final class PeerGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    /// Whether the owner was determined.
    private var isKnown = false
    private var hasBeenAskedToRead = false

    func channelActive(context: ChannelHandlerContext) {
        guard let peer = context.remoteAddress, let own = context.localAddress else {
            return context.close(promise: nil)
        }
        switch SocketOwner.owner(of: peer, connectedTo: own) {
        case .user(let owner): decide(owner == getuid(), context)
        case .nobody: decide(false, context)
        case .unknown: lookUp(peer, own, context)
        }
    }

    /// Reads wait, so that nothing from another user is processed.
    func read(context: ChannelHandlerContext) {
        guard isKnown else {
            hasBeenAskedToRead = true
            return
        }
        context.read()
    }

    /// Asks the table, which is as long as there are connections on this machine, where everybody can make many.
    private func lookUp(_ peer: SocketAddress, _ own: SocketAddress, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) {
            ConnectionTable.isOurs(peer.port, talkingTo: own.port)
        }.whenComplete { answer in
            let (gate, context) = bound.value
            gate.decide((try? answer.get()) == true, context)
        }
    }

    private func decide(_ isOurs: Bool, _ context: ChannelHandlerContext) {
        guard isOurs else { return context.close(promise: nil) }
        guard context.channel.isActive else { return }
        isKnown = true
        context.fireChannelActive()
        if hasBeenAskedToRead { context.read() }
    }
}

/// The kernel's table of TCP connections.
struct ConnectionTable {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n").dropFirst().map(\.self)
    }

    /// Whether the kernel's table assigns the end at `port` to this process's user.
    ///
    /// It reads files that may be long. Without a table all connections are accepted; a session is required in any
    /// case.
    static func isOurs(_ port: Int?, talkingTo other: Int?) -> Bool {
        guard let port, let other else { return false }
        // A table that changes while it is read may lack a line that was there all the time.
        for _ in 0..<maximumLooks {
            var isThere = false
            for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
                guard let text = try? String(kernelFile: table) else { continue }
                isThere = true
                if let owner = ConnectionTable(text).owner(from: port, to: other) { return owner == getuid() }
            }
            guard isThere else { return true }
        }
        return false
    }

    private static let maximumLooks = 10

    /// Finds the owner of one end of a loopback connection.
    ///
    /// - Parameters:
    ///   - port: The port of that end.
    ///   - other: The port of the other end.
    /// - Returns: A user id; `nil` when there is no such connection, or several of different users.
    func owner(from port: Int, to other: Int) -> uid_t? {
        let suffixes = (String(format: ":%04X", port), String(format: ":%04X", other))
        var owners: Set<uid_t> = []
        for line in lines {
            // sl, local address, remote address, state, queues, timer, retransmissions, user
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[1].hasSuffix(suffixes.0), fields[2].hasSuffix(suffixes.1),
                let owner = uid_t(fields[7])
            else { continue }
            owners.insert(owner)
        }
        return owners.count == 1 ? owners.first : nil
    }
}

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

/// Makes a host in a request's address count as a host of the request.
///
/// An address may contain a host (RFC 9112, 3.2.2), which may differ from the `Host` field. Later handlers remove it.
/// So the whole address is added as a second `Host` field, and ``SameOriginMiddleware`` rejects requests with two
/// hosts, as well as a single host that is not ours.
final class HostOfAddress: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
            return context.fireChannelRead(data)
        }
        head.headers.add(name: "Host", value: head.uri)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

/// Inserts ``HostOfAddress`` directly after the HTTP decoder, where addresses are still unmodified.
final class AddressGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HostOfAddress(), position: .after(decoder))
        } catch {
            context.close(promise: nil)
        }
    }
}
