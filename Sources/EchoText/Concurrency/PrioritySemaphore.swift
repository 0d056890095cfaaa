import OrderedCollections
import Synchronization

/// A semaphore for tasks with priorities: the lowest rank goes first, and equal ranks go in the order of arrival.
///
/// ```swift
/// let drawings = PrioritySemaphore(places: 2)
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

    /// - Precondition: `places > 0`.
    package init(places: Int) {
        precondition(places > 0, "a semaphore needs at least one place, got \(places)")
        state = Mutex(State(free: Array((0..<places).reversed())))
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
        _ body: (_ place: Int) async throws -> Output
    ) async throws -> Output {
        let place = try await enter(rank)
        defer { leave(place) }
        return try await body(place)
    }

    private func enter(_ rank: Int) async throws -> Int {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let place: Int? = state.withLock { state in
                    if let place = state.free.popLast() { return place }
                    state.waiting[ticket] = Waiting(rank: rank, continuation: continuation)
                    return nil
                }
                if let place {
                    continuation.resume(returning: place)
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

    private func leave(_ place: Int) {
        let next = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            // `min` returns the first of equal ranks, and they are in the order of arrival.
            guard let first = state.waiting.min(by: { $0.value.rank < $1.value.rank }) else {
                state.free.append(place)
                return nil
            }
            return state.waiting.removeValue(forKey: first.key)?.continuation
        }
        next?.resume(returning: place)
    }
}
