internal import EchoText
internal import NIOCore
internal import Synchronization

/// The connections to a server, which end when the library is closed, because their buffers hold received and sent
/// data.
package final class OpenConnections: Sendable {
    private struct Connection: Sendable {
        let end: @Sendable () -> Void
        /// Comes when the client sends nothing more.
        let departure = Ending()
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    package init() {}

    /// Ends idle connections at once, and the others after their current response.
    package func endAfterAnswers() {
        for connection in connections.withLock({ Array($0.values) }) { connection.end() }
    }

    func add(_ channel: any Channel, end: @escaping @Sendable () -> Void) {
        connections.withLock { $0[ObjectIdentifier(channel)] = Connection(end: end) }
    }

    func remove(_ channel: any Channel) {
        connections.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.departure.come()
    }

    /// Notes that the client of a connection sends nothing more, as when it has gone.
    func noteDeparture(from channel: any Channel) { departure(from: channel)?.come() }

    /// Returns what comes when the client of a connection sends nothing more; `nil` for an unknown connection.
    func departure(from channel: any Channel) -> Ending? {
        connections.withLock { $0[ObjectIdentifier(channel)]?.departure }
    }
}
