/// Measures how long the library has been unused.
///
/// Each idle period has a number, so that a late notification of an interrupted period can be ignored.
struct IdleWatch {
    private let limit: Duration?
    private let clock: any Clock<Duration>
    private let expire: @Sendable (Int) -> Void
    private var number = 0
    private var running: (elapsed: () -> Duration, timer: Task<Void, Never>)?

    /// - Parameters:
    ///   - limit: The longest idle period; `nil` for no limit.
    ///   - clock: Measures the time; it has to include the time for which the machine is suspended.
    ///   - expire: Called on any thread, with the period's number, when it has lasted that long.
    init(_ limit: Duration?, clock: any Clock<Duration>, expire: @escaping @Sendable (Int) -> Void) {
        self.limit = limit
        self.clock = clock
        self.expire = expire
    }

    /// Begins a stretch, if none is running.
    mutating func begin() {
        guard let limit, running == nil else { return }
        number += 1
        let timer = Task { [clock, expire, number] in
            // It sleeps to its end, or is cancelled because the stretch was.
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            expire(number)
        }
        running = (stopwatch(on: clock), timer)
    }

    /// Ends the stretch that is running.
    mutating func interrupt() {
        running?.timer.cancel()
        running = nil
    }

    /// Whether the stretch with this number is running still.
    func isRunning(_ number: Int) -> Bool { running != nil && number == self.number }

    /// The rest of the running idle time, at least 0; `nil` when none is running.
    var timeLeft: Duration? {
        guard let limit, let running else { return nil }
        return max(.zero, limit - running.elapsed())
    }
}

/// Measures the time since its creation.
private func stopwatch<C: Clock<Duration>>(on clock: C) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
