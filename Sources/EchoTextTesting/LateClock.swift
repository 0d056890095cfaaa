/// A clock whose timers never ring, as if the machine had only just woken: who sleeps by it is woken by being cancelled.
package struct LateClock: Clock {
    private let clock: ManualClock
    private let timers = ManualClock()

    /// - Parameter clock: Provides the time.
    package init(_ clock: ManualClock) {
        self.clock = clock
    }

    package var now: ManualClock.Instant { clock.now }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        // A day of a clock that stands still.
        try await timers.sleep(for: .seconds(86_400))
    }
}
