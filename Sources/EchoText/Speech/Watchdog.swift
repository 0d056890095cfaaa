import Synchronization

/// Detects that a process or an engine no longer responds.
///
/// It uses the given clock, so a test can set the time. It stops nothing itself: the caller of ``expiration()`` does.
package final class Watchdog: Sendable {
    /// The longest time between two heartbeats.
    package let timeout: Duration

    private let clock: any Clock<Duration>
    /// Time since the watchdog was made.
    private let elapsed: @Sendable () -> Duration
    /// When the last sign came, by ``elapsed``.
    private let lastSign: Mutex<Duration>

    /// - Precondition: `timeout` is above zero.
    package init(timeout: Duration, clock: any Clock<Duration>) {
        precondition(timeout > .zero, "a watchdog needs a timeout above zero, got \(timeout)")
        self.timeout = timeout
        self.clock = clock
        elapsed = clock.stopwatch()
        lastSign = Mutex(.zero)
    }

    /// Records a heartbeat.
    package func heartbeat() {
        let now = elapsed()
        lastSign.withLock { $0 = now }
    }

    /// Returns when there was no heartbeat for ``timeout``.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled, which is how watching ends.
    package func expiration() async throws {
        while true {
            try Task.checkCancellation()
            let left = lastSign.withLock { $0 } + timeout - elapsed()
            guard left > .zero else { return }
            try await clock.sleep(for: left)
        }
    }
}

/// Lets a blocking engine report progress from the middle of its work.
package enum EngineProgress {
    /// Receives heartbeats; set by the code that watches the task, `nil` if there is none.
    @TaskLocal private static var listener: (@Sendable () -> Void)?

    /// Reports progress of the engine on the current task's request.
    ///
    /// Call it from the engine's own progress callback, on the thread that runs the task; never from a timer, which would
    /// run on in an engine that hangs.
    package static func report() {
        listener?()
    }

    /// Runs `work`, and calls `listener` for every ``report()`` made in it.
    package static func observed<Result>(
        by listener: @escaping @Sendable () -> Void,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        try await $listener.withValue(listener, operation: work)
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a function that measures this clock's time since the call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
