/// Waits for nothing but the cancellation of its task.
///
/// - Throws: `CancellationError`, always.
package func untilCancelled() async throws -> Never {
    // Nobody ever yields here; cancelling the task that listens ends the stream.
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingOldest(1))
    for await never in stream { switch never {} }
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
