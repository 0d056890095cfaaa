package import Dispatch

/// Runs an actor's jobs one by one on a thread that may block.
///
/// It is meant for actors around C libraries, files and pipes, whose calls would otherwise block the shared thread
/// pool.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - label: A name for debuggers.
    ///   - priority: How urgent the work is against the rest of the process.
    package init(label: String, priority: DispatchQoS = .userInitiated) {
        queue = DispatchQueue(label: label, qos: priority)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Runs `work`, which may block, after all work that was submitted before.
    ///
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws.
    package func run<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Does `work`, which cannot fail.
    package func run<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
