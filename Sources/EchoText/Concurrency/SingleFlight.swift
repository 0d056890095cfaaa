/// Runs one task per key, however many callers wait for it, and cancels it when none is left.
///
/// A cancelled task has ended before the next task of its key begins, so a caller never gets the result of a task that
/// was cancelled before it asked.
package actor SingleFlight<Key: Hashable & Sendable, Output: Sendable> {
    private struct Running {
        let task: Task<Output, any Error>
        var waiting: Set<Int> = []
        /// Whether it runs on when no caller waits.
        var isKept = false
    }

    private var running: [Key: Running] = [:]
    private var lastTicket = 0

    package init() {}

    /// Waits for the task of `key`; starts it when there is none.
    ///
    /// - Parameters:
    ///   - key: Identifies the work.
    ///   - work: Runs when no task of that key is running.
    /// - Returns: What the running work returned.
    /// - Throws: What the running work throws, and `CancellationError` also after ``stop(_:)``.
    package func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Output) async throws -> Output {
        let task = await begin(key, work)
        lastTicket += 1
        let ticket = lastTicket
        running[key]?.waiting.insert(ticket)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            Task { await self.leave(key, ticket) }
        }
    }

    /// Keeps the task of `key` running even when no caller waits; starts it when there is none.
    package func keep(_ key: Key, _ work: @escaping @Sendable () async throws -> Output) async {
        _ = await begin(key, work)
        running[key]?.isKept = true
    }

    /// Cancels the task of `key` for all callers, and returns when it has ended.
    package func stop(_ key: Key) async {
        guard let task = running[key]?.task else { return }
        task.cancel()
        // The callers of ``join(_:_:)`` get its result.
        _ = await task.result
    }

    /// Cancels all tasks, and returns when they have ended.
    package func stopAll() async {
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    package func isRunning(_ key: Key) -> Bool { running[key] != nil }

    private func begin(
        _ key: Key,
        _ work: @escaping @Sendable () async throws -> Output
    ) async -> Task<Output, any Error> {
        while let stopping = running[key]?.task, stopping.isCancelled { _ = await stopping.result }
        if let running = running[key] { return running.task }
        let task = Task {
            defer { running[key] = nil }
            return try await work()
        }
        running[key] = Running(task: task)
        return task
    }

    private func leave(_ key: Key, _ ticket: Int) {
        guard var one = running[key], one.waiting.remove(ticket) != nil else { return }
        running[key] = one
        if one.waiting.isEmpty, !one.isKept { one.task.cancel() }
    }
}
