import Dispatch
import Foundation
import Synchronization

/// A lease of the vault's secret from an unlock agent.
///
/// It is wiped here as soon as the agent locks the library or dies, and when the lease is closed.
package final class AgentLease: Sendable {
    /// Every use throws ``VaultError/locked`` once the lease has ended.
    package let secret: SecretBytes
    private let connection: AgentConnection
    private let course: Course

    /// Takes ownership of `connection`, over which nothing was received since `secret`.
    init(of secret: SecretBytes, over connection: AgentConnection) {
        self.secret = secret
        self.connection = connection
        course = Course()
        Self.watch(connection, for: course, wiping: secret)
    }

    deinit { close() }

    /// Whether the agent has locked the library, or died, while the lease was open.
    package var isLocked: Bool { course.isLocked }

    /// Waits until the agent locks the library or dies.
    ///
    /// - Returns: Whether that happened; not when the lease was closed, or the task cancelled.
    @discardableResult
    package func waitUntilLocked() async -> Bool { await course.waitUntilEnded() }

    /// Returns the secret; the agent's idle time begins if this was the last lease.
    package func close() {
        course.end(isLocked: false)
        secret.wipe()
        shutdown(connection.descriptor, Int32(SHUT_RDWR))  // wakes the source, which then ends
    }

    private static func watch(_ connection: AgentConnection, for course: Course, wiping secret: SecretBytes) {
        let queue = DispatchQueue(label: "echotext.agent.lease")
        let source = DispatchSource.makeReadSource(fileDescriptor: connection.descriptor, queue: queue)
        // Its handler retains the source, and with it the descriptor, until the source is cancelled.
        source.setEventHandler {
            secret.wipe()
            course.end(isLocked: true)
            source.cancel()
        }
        source.setCancelHandler { [connection] in withExtendedLifetime(connection) {} }
        source.resume()
    }
}

/// The life of a lease: open, then ended once, in one of two ways.
private final class Course: Sendable {
    private struct State {
        /// `nil` while it is open.
        var isLocked: Bool?
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var isLocked: Bool { state.withLock { $0.isLocked == true } }

    func end(isLocked: Bool) {
        let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            guard state.isLocked == nil else { return [] }
            state.isLocked = isLocked
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume(returning: isLocked) }
    }

    func waitUntilEnded() async -> Bool {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLocked = state.withLock { state -> Bool? in
                    if state.isLocked == nil { state.waiting[number] = continuation }
                    return state.isLocked
                }
                if let isLocked {
                    continuation.resume(returning: isLocked)
                } else if Task.isCancelled {
                    giveUp(number)  // the handler may have run before the continuation was there
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
    }
}
