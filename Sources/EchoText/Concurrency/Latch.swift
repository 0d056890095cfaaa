import Synchronization

/// An event that comes once, and that tasks can wait for.
package final class Latch: Sendable {
    private struct State {
        var isSet = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextTicket: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var isSet: Bool { state.withLock(\.isSet) }

    /// Resumes all callers of ``wait()``; later calls return at once.
    package func set() {
        let waiting = state.withLock { state in
            state.isSet = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until it is set, or the task is cancelled.
    package func wait() async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A task that is cancelled from here on finds the ticket.
                    if state.isSet || Task.isCancelled { return true }
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
