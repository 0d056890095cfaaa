import OrderedCollections
import Synchronization

/// Lets a fixed number of callers through at once, first come, first served.
package final class Turnstile: Sendable {
    private struct State {
        var free: [Int]
        var waiting: OrderedDictionary<UInt64, CheckedContinuation<Int, any Error>> = [:]
        var nextTicket: UInt64 = 0
    }

    private let state: Mutex<State>

    /// - Precondition: `places > 0`.
    package init(places: Int) {
        precondition(places > 0, "a turnstile needs at least one place, got \(places)")
        state = Mutex(State(free: Array((0..<places).reversed())))
    }

    /// Runs `body` in one of the places, and waits for one if it must.
    ///
    /// - Parameter body: Told which place it has, from 0; no other caller has it meanwhile.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or `CancellationError` when the task is cancelled while it waits.
    package func pass<Output>(_ body: (_ place: Int) async throws -> Output) async throws -> Output {
        let place = try await enter()
        defer { leave(place) }
        return try await body(place)
    }

    private func enter() async throws -> Int {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let place: Int? = state.withLock { state in
                    if let place = state.free.popLast() { return place }
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let place {
                    continuation.resume(returning: place)
                } else if Task.isCancelled {
                    turnAway(ticket)  // the handler may have run before the ticket was there
                }
            }
        } onCancel: {
            turnAway(ticket)
        }
    }

    private func turnAway(_ ticket: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(throwing: CancellationError())
    }

    private func leave(_ place: Int) {
        let next = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            guard !state.waiting.isEmpty else {
                state.free.append(place)
                return nil
            }
            return state.waiting.removeFirst().value
        }
        next?.resume(returning: place)
    }
}
