/// Waits until its task is cancelled.
///
/// - Throws: `CancellationError`, always.
package func untilCancelled() async throws -> Never {
    // Nothing is ever yielded; cancellation of the listening task ends the stream.
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingOldest(1))
    for await never in stream { switch never {} }
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
