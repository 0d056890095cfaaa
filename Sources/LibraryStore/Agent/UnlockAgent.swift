import EchoText
import FileSystem
import Foundation
import Synchronization

/// Holds the secret of an unlocked library, and leases it to other EchoText processes of the same person.
///
/// It listens at an ``AgentAddress`` until it locks: on request, or when there was no lease for the idle time. Locking
/// wipes the secret, releases the address, and then responds to all clients. A single thread does all this, and never
/// waits for a client.
package final class UnlockAgent: Sendable {
    /// An event for the thread.
    enum Event: Equatable {
        case lock
        /// The idle time with this number is over.
        case idle(Int)
    }

    private struct State {
        var events: [Event] = []
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUpPipe

    private init() throws {
        wakeUp = try VaultError.translating { () throws(SystemError) in try WakeUpPipe() }
    }

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    ///   - secret: The vault's secret, of 32 bytes; wiped when the agent locks.
    ///   - address: The address to listen at.
    ///   - idleTime: The time without a lease after which it locks; `nil` for never.
    ///   - clock: Measures that time.
    /// - Returns: The agent, which lives until it has locked, even without a reference.
    /// - Throws: ``AgentError/alreadyRunning``, ``AgentError/notAnswering``, ``VaultError``.
    package static func start(
        holding secret: SecretBytes,
        at address: AgentAddress,
        lockingAfter idleTime: Duration?,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> UnlockAgent {
        precondition(secret.count == AgentProtocol.secretLength, "the vault's secret has 32 bytes")
        return try await onBlockingThread {
            let agent = try UnlockAgent()
            let listener = try AgentListener(at: address)
            let thread = Thread {
                let idleWatch = IdleWatch(idleTime, clock: clock) { agent.post(.idle($0)) }
                var server = AgentServer(secret: secret, listener: listener, wakeUp: agent.wakeUp, idleWatch: idleWatch)
                server.serve { agent.takeEvents() }
                agent.end()
            }
            thread.name = "echotext agent"
            thread.start()
            return agent
        }
    }

    /// Locks soon; ``waitUntilEnded()`` returns then.
    package func lock() { post(.lock) }

    /// Waits until it has locked and answered everyone.
    package func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func post(_ event: Event) {
        state.withLock { $0.events.append(event) }
        wakeUp.call()
    }

    private func takeEvents() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
