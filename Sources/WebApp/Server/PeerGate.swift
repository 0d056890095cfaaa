import Foundation
import NIOCore

/// Lets in only connections of the person who runs the server.
///
/// Everybody on the machine can connect to a loopback address. The kernel's table of connections says whose each is; one of
/// another person is closed before a byte of it is read.
///
/// - SeeAlso: proc_net_tcp in the kernel's documentation.
final class PeerGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func channelActive(context: ChannelHandlerContext) {
        guard Self.isOurs(context.remoteAddress, talkingTo: context.localAddress) else {
            return context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    /// Whether the table says that `peer` is of this process's user.
    ///
    /// Where there is no table, everybody's is: the session is asked for all the same.
    private static func isOurs(_ peer: SocketAddress?, talkingTo own: SocketAddress?) -> Bool {
        guard let port = peer?.port, let ownPort = own?.port else { return false }
        // A table that changes while it is read may lack a line that was there all the time.
        for _ in 0..<mostLooks {
            var isThere = false
            for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
                // Read to its end piece by piece: a table has no size that could be asked for.
                guard let data = try? FileHandle(forReadingAtPath: table)?.readToEnd() else { continue }
                isThere = true
                let lines = ConnectionTable(String(decoding: data, as: UTF8.self))
                if let owner = lines.owner(from: port, to: ownPort) { return owner == getuid() }
            }
            guard isThere else { return true }
        }
        return false
    }

    private static let mostLooks = 10
}

/// The kernel's table of TCP connections.
struct ConnectionTable {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n").dropFirst().map(\.self)
    }

    /// Whose the end of a loopback connection is.
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
