internal import NIOCore
internal import Synchronization

/// The connections to a server, which end when the library is closed, because their buffers hold received and sent
/// data.
package final class OpenConnections: Sendable {
    private let connections = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    package init() {}

    /// Ends idle connections at once, and the others after their current response.
    package func endAfterAnswers() {
        for end in connections.withLock({ Array($0.values) }) { end() }
    }

    func add(_ channel: any Channel, end: @escaping @Sendable () -> Void) {
        connections.withLock { $0[ObjectIdentifier(channel)] = end }
    }

    func remove(_ channel: any Channel) {
        connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}
