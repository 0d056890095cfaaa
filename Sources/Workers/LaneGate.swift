internal import Synchronization

/// Lets so many through at once, the others in the order they came.
final class LaneGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextNumber = 0
    }

    private let state: Mutex<State>

    /// - Precondition: `lanes` is at least 1.
    init(_ lanes: Int) {
        precondition(lanes >= 1, "a gate needs a lane, got \(lanes)")
        state = Mutex(State(free: lanes))
    }

    /// Runs `work` when there is a lane for it.
    ///
    /// - Throws: What `work` throws, or `CancellationError` when the task is cancelled before its turn.
    func run<Result>(_ work: () async throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return false
                }
                if isFree { return continuation.resume() }
                // The handler may have run before there was anything to give up.
                if Task.isCancelled { giveUp(number) }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
