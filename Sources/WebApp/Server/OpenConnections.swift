internal import NIOCore
internal import Synchronization

/// The connections to a server, which end when the library is closed: what they were asked and sent lies in their memory.
package final class OpenConnections: Sendable {
    private let connections = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    package init() {}

    /// Ends those on which nothing is asked at the moment, and the others with the answer that is on its way.
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
