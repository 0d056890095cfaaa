extension Task where Failure == any Error {
    /// The task's result, or `CancellationError` at once when the *calling* task is cancelled; this task keeps
    /// running.
    var valueUnlessCancelled: Success {
        get async throws {
            let (results, continuation) = AsyncThrowingStream.makeStream(
                of: Success.self,
                bufferingPolicy: .bufferingOldest(1)  // There is only one element.
            )
            let relay = Task<Void, Never> {
                switch await result {
                case .success(let value):
                    continuation.yield(value)
                    continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
            defer { relay.cancel() }
            for try await value in results { return value }
            throw _Concurrency.CancellationError()
        }
    }
}
