import EchoText

/// Gives up on an engine in this process that has stopped showing signs of life.
///
/// A C call cannot be ended from outside. The job fails and the program goes on; the engine's thread is lost to it.
package struct EngineWatch: Sendable {
    private let timeout: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - timeout: How long an engine may be silent; above zero.
    ///   - clock: What measures it.
    package init(timeout: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.timeout = timeout
        self.clock = clock
    }

    /// What `work` returns, or throws.
    ///
    /// - Throws: ``SynthesisError/timedOut(_:phase:seconds:)`` when nothing is heard of the engine for the timeout.
    func guarding<Output: Sendable>(
        _ engine: Voice.Engine,
        phase: SynthesisError.Phase,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let watchdog = Watchdog(timeout: timeout, clock: clock)
        let (outcomes, decide) = AsyncStream.makeStream(
            of: Result<Output, any Error>.self,
            bufferingPolicy: .bufferingOldest(1)  // the first to decide is the one that counts
        )
        let job = Task {
            do {
                let output = try await EngineProgress.observed(by: { watchdog.heard() }, work)
                decide.yield(.success(output))
            } catch {
                decide.yield(.failure(error))
            }
        }
        let watch = Task {
            // Only cancellation ends a watch early, and then the job has decided.
            guard (try? await watchdog.silence()) != nil else { return }
            decide.yield(.failure(SynthesisError.timedOut(engine, phase: phase, seconds: timeout / .seconds(1))))
            job.cancel()
        }
        defer { watch.cancel() }
        return try await withTaskCancellationHandler {
            for await outcome in outcomes { return try outcome.get() }
            throw CancellationError()  // the stream ends early only when this task is cancelled
        } onCancel: {
            job.cancel()
        }
    }
}
