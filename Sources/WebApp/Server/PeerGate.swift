import Foundation
import NIOCore
import NIOPosix

/// Lets in only connections of the person who runs the server.
///
/// Everybody on the machine can connect to a loopback address. The kernel says whose each connection is; one of another person is
/// closed before a byte of it is read.
final class PeerGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    /// Whether whose it is has been found out.
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

    /// Reading waits: what another person has sent is not looked at.
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

    /// Whether the table says that the end at `port` is of this process's user.
    ///
    /// Reads files that may be long. Where there is no table, everybody's is: the session is asked for all the same.
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

    /// The owner of the end of a loopback connection.
    ///
    /// - Parameters:
    ///   - port: The port of that end.
    ///   - other: The port of the other end.
    /// - Returns: A user id; `nil` when there is no such connection, or several that belong to different people.
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
