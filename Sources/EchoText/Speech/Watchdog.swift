import Synchronization

/// Notices that something which should show signs of life has stopped showing them.
///
/// It measures by its clock, so a test moves time by hand. It stops nothing itself: whoever awaits ``silence()`` does.
package final class Watchdog: Sendable {
    /// How long a silence may last.
    package let timeout: Duration

    private let clock: any Clock<Duration>
    /// Time since the watchdog was made.
    private let elapsed: @Sendable () -> Duration
    /// When the last sign came, as ``elapsed`` tells it.
    private let lastSign: Mutex<Duration>

    /// - Precondition: `timeout` is above zero.
    package init(timeout: Duration, clock: any Clock<Duration>) {
        precondition(timeout > .zero, "a watchdog needs a timeout above zero, got \(timeout)")
        self.timeout = timeout
        self.clock = clock
        elapsed = clock.stopwatch()
        lastSign = Mutex(.zero)
    }

    /// Takes note of a sign of life.
    package func heard() {
        let now = elapsed()
        lastSign.withLock { $0 = now }
    }

    /// Returns when nothing has been heard for ``timeout``.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled, which is how watching ends.
    package func silence() async throws {
        while true {
            try Task.checkCancellation()
            let left = lastSign.withLock { $0 } + timeout - elapsed()
            guard left > .zero else { return }
            try await clock.sleep(for: left)
        }
    }
}

/// How a blocking engine tells, from the middle of its work, that it is getting on.
package enum EngineProgress {
    /// Takes a sign of life; set by whoever watches the task, `nil` when nobody does.
    @TaskLocal private static var listener: (@Sendable () -> Void)?

    /// Says that the engine made progress on what the current task asked of it.
    ///
    /// To be called from the engine's own progress callback, on the thread that runs the task; never from a timer, which
    /// would go on in an engine that hangs.
    package static func report() {
        listener?()
    }

    /// Runs `work` with `listener` told of every ``report()`` made in it.
    package static func observed<Result>(
        by listener: @escaping @Sendable () -> Void,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        try await $listener.withValue(listener, operation: work)
    }
}

extension Clock where Duration == Swift.Duration {
    /// Tells how much of this clock's time has passed since the call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
