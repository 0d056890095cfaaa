/// Work that is done once however many ask for it, and stopped when all who wait have left.
///
/// One that was stopped has ended before the next of its key begins, and nobody is given the end of one that was stopped before they
/// asked.
package actor SharedWork<Key: Hashable & Sendable, Output: Sendable> {
    private struct Running {
        let task: Task<Output, any Error>
        var waiting: Set<Int> = []
        /// Whether it goes on when nobody waits.
        var isKept = false
    }

    private var running: [Key: Running] = [:]
    private var lastTicket = 0

    package init() {}

    /// Waits for the work of `key`, which is begun when it does not go on.
    ///
    /// - Parameters:
    ///   - key: What the work is about.
    ///   - work: Begins when there is none of that key.
    /// - Returns: What the work returned.
    /// - Throws: What the work throws, and `CancellationError` also when it was stopped.
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

    /// Sees to it that the work of `key` goes on whoever waits; it is begun when it does not.
    package func keep(_ key: Key, _ work: @escaping @Sendable () async throws -> Output) async {
        _ = await begin(key, work)
        running[key]?.isKept = true
    }

    /// Stops work for all who wait, and returns when it has ended.
    package func stop(_ key: Key) async {
        guard let task = running[key]?.task else { return }
        task.cancel()
        // How it ended is told to those who wait for it.
        _ = await task.result
    }

    /// Stops all, and returns when it has ended.
    package func stopAll() async {
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    package func isGoingOn(_ key: Key) -> Bool { running[key] != nil }

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
