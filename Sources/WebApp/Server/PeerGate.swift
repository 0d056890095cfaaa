import Foundation
import NIOCore
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
                // Read to its end piece by piece: a table has no size that could be asked for.
                guard let data = try? FileHandle(forReadingAtPath: table)?.readToEnd() else { continue }
                isThere = true
                let lines = ConnectionTable(String(decoding: data, as: UTF8.self))
                if let owner = lines.owner(from: port, to: other) { return owner == getuid() }
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
