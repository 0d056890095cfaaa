import OrderedCollections
import Synchronization

/// A semaphore for tasks with priorities: the lowest rank goes first, and equal ranks go in the order of arrival.
///
/// ```swift
/// let drawings = PrioritySemaphore(permits: 2)
/// let picture = try await drawings.pass { _ in try await draw(page) }
/// ```
package final class PrioritySemaphore: Sendable {
    private struct Waiting {
        let rank: Int
        let continuation: CheckedContinuation<Int, any Error>
    }

    private struct State {
        var free: [Int]
        var waiting: OrderedDictionary<UInt64, Waiting> = [:]
        var nextTicket: UInt64 = 0
    }

    private let state: Mutex<State>

    /// - Precondition: `permits > 0`.
    package init(permits: Int) {
        precondition(permits > 0, "a semaphore needs at least one permit, got \(permits)")
        state = Mutex(State(free: Array((0..<permits).reversed())))
    }

    /// Waits for a permit, and runs `body` with it.
    ///
    /// - Parameters:
    ///   - rank: A caller with a lower rank goes first.
    ///   - body: Receives the number of its permit, from 0, which no other caller has at the same time.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or `CancellationError` when the task is cancelled while it waits.
    package func pass<Output>(
        rank: Int = 0,
        _ body: (_ permit: Int) async throws -> Output
    ) async throws -> Output {
        let permit = try await enter(rank)
        defer { leave(permit) }
        return try await body(permit)
    }

    private func enter(_ rank: Int) async throws -> Int {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let permit: Int? = state.withLock { state in
                    if let permit = state.free.popLast() { return permit }
                    state.waiting[ticket] = Waiting(rank: rank, continuation: continuation)
                    return nil
                }
                if let permit {
                    continuation.resume(returning: permit)
                } else if Task.isCancelled {
                    cancelWaiting(ticket)  // the handler may have run before the ticket was there
                }
            }
        } onCancel: {
            cancelWaiting(ticket)
        }
    }

    private func cancelWaiting(_ ticket: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.continuation.resume(throwing: CancellationError())
    }

    private func leave(_ permit: Int) {
        let next = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            // `min` returns the first of equal ranks, and they are in the order of arrival.
            guard let first = state.waiting.min(by: { $0.value.rank < $1.value.rank }) else {
                state.free.append(permit)
                return nil
            }
            return state.waiting.removeValue(forKey: first.key)?.continuation
        }
        next?.resume(returning: permit)
    }
}
