import Synchronization

/// Lets a fixed number of callers through at once, as long as what they weigh together stays within a bound.
///
/// First come, first served, but that one who would be too heavy just now is passed by lighter ones a few times.
package final class WeightedTurnstile: Sendable {
    private struct Waiting {
        let ticket: UInt64
        let weight: Int
        let continuation: CheckedContinuation<Void, any Error>
        /// How often someone who came later was let in.
        var passed = 0
    }

    private struct State {
        var freePlaces: Int
        var freeWeight: Int
        var waiting: [Waiting] = []
        var nextTicket: UInt64 = 0
    }

    /// How often a caller may be passed by before nobody else is let in.
    private static let patience = 4

    private let bound: Int
    private let state: Mutex<State>

    /// - Precondition: `places > 0` and `bound > 0`.
    package init(places: Int, bound: Int) {
        precondition(places > 0 && bound > 0, "a turnstile needs room, got \(places) places and a bound of \(bound)")
        self.bound = bound
        state = Mutex(State(freePlaces: places, freeWeight: bound))
    }

    /// Runs `body` in one of the places, and waits for one if it must.
    ///
    /// - Parameters:
    ///   - weight: Not negative; one above the bound counts as the bound, so that it is let in alone.
    ///   - body: Counts until it returns.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or `CancellationError` when the task is cancelled while it waits.
    package func pass<Output>(weighing weight: Int, _ body: () async throws -> Output) async throws -> Output {
        let weight = min(weight, bound)
        try await enter(weight)
        defer { leave(weight) }
        return try await body()
    }

    private func enter(_ weight: Int) async throws {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let next = state.withLock { state in
                    state.waiting.append(Waiting(ticket: ticket, weight: weight, continuation: continuation))
                    return Self.letIn(&state)
                }
                for one in next { one.continuation.resume() }
                if Task.isCancelled { turnAway(ticket) }  // the handler may have run before the ticket was there
            }
        } onCancel: {
            turnAway(ticket)
        }
    }

    /// Does nothing for one who is in or was turned away already.
    private func turnAway(_ ticket: UInt64) {
        let (away, next) = state.withLock { state in
            let index = state.waiting.firstIndex { $0.ticket == ticket }
            let away = index.map { state.waiting.remove(at: $0) }
            // Whoever had to wait for this one need not any more.
            return (away, Self.letIn(&state))
        }
        away?.continuation.resume(throwing: CancellationError())
        for one in next { one.continuation.resume() }
    }

    private func leave(_ weight: Int) {
        let next = state.withLock { state in
            state.freePlaces += 1
            state.freeWeight += weight
            return Self.letIn(&state)
        }
        for one in next { one.continuation.resume() }
    }

    private static func letIn(_ state: inout State) -> [Waiting] {
        var next: [Waiting] = []
        while state.freePlaces > 0, let index = nextIndex(in: state) {
            for passed in 0..<index { state.waiting[passed].passed += 1 }
            let one = state.waiting.remove(at: index)
            state.freePlaces -= 1
            state.freeWeight -= one.weight
            next.append(one)
        }
        return next
    }

    /// Whose turn it is: the first for whom there is room, unless it would pass one who has been passed often enough.
    private static func nextIndex(in state: State) -> Int? {
        for (index, one) in state.waiting.enumerated() {
            if one.weight <= state.freeWeight { return index }
            if one.passed >= patience { return nil }
        }
        return nil
    }
}
