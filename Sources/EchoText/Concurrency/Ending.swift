import Synchronization

/// A one-time event that tasks can wait for.
package final class Ending: Sendable {
    private struct State {
        var hasCome = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextTicket: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var hasCome: Bool { state.withLock(\.hasCome) }

    /// Resumes all callers of ``wait()``; later calls return at once.
    package func come() {
        let waiting = state.withLock { state in
            state.hasCome = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until it has come, or the task is cancelled.
    package func wait() async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A task that is cancelled from here on finds the ticket.
                    if state.hasCome || Task.isCancelled { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }
}
