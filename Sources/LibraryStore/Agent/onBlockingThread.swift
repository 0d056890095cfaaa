import Dispatch

/// Runs `work`, which may block, away from the shared thread pool.
func onBlockingThread<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "echotext.agent.blocking").async {
            continuation.resume(with: Result(catching: work))
        }
    }
}
