import Foundation
package import Testing

/// A condition that a test waited for did not occur.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String
}

/// Polls until `condition` holds.
///
/// It is for events that nothing reports to this process, such as a file or the output of another program. An event of an
/// actor or a stream is awaited there.
///
/// - Parameters:
///   - what: The awaited event, for the message of a failure.
///   - limit: The time limit, also for a busy machine.
///   - isPossible: Whether it can still occur, such as whether the responsible program is still running.
///   - condition: Checks whether it has occurred.
/// - Throws: ``WaitedInVain`` when it can no longer occur or the time is over; `CancellationError` when the task is
///   cancelled; what `condition` throws.
package func waitUntil(
    _ what: String,
    within limit: Duration = .seconds(300),
    while isPossible: @autoclosure () -> Bool = true,
    _ condition: () throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while true {
        // Checked before the last poll: the program responsible for it may have ended since.
        let isOver = !isPossible() || ContinuousClock.now >= deadline
        if try condition() { return }
        guard !isOver else { throw WaitedInVain(description: "waited in vain until \(what)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}

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

extension Trait where Self == TimeLimitTrait {
    /// For suites that wait for processes, servers or streams: no test waits forever, and none fails because the
    /// machine is busy.
    ///
    /// It applies to each case. Tests compete for the machine, and on a small one a case takes ten times as long as
    /// alone; with `ECHOTEXT_LONG_TESTS` it also does ten times the work.
    package static var endsInTime: Self {
        let isLong = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"
        return .timeLimit(.minutes(isLong ? 100 : 10))
    }
}
