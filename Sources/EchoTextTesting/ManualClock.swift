internal import Synchronization

/// A clock that advances only by ``advance(by:)``.
package final class ManualClock: Clock, Sendable {
    package struct Instant: InstantProtocol {
        package let offset: Duration

        package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        package func duration(to other: Self) -> Duration { other.offset - offset }
        package static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var nextSleeper = 0
        /// How many have fallen asleep so far.
        var asleep = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let sleeper = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isDue, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    guard deadline > state.now else { return (true, []) }
                    state.sleepers[sleeper] = (deadline, continuation)
                    state.asleep += 1
                    defer { state.watchers = [] }
                    return (false, state.watchers)
                }
                if isDue { continuation.resume() }
                if Task.isCancelled { wake(sleeper) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            wake(sleeper)
        }
    }

    /// Advances the time, and wakes the tasks whose deadlines it reaches.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for sleeper in due.keys { state.sleepers[sleeper] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// How many sleep at the moment.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until somebody sleeps for at most `longest`, and moves the time to the end of the shortest sleep.
    ///
    /// - Returns: How long that was from now.
    @discardableResult
    package func endShortestSleep(of longest: Duration = .seconds(1_000_000)) async -> Duration {
        while true {
            let (slept, due, asleep) = state.withLock { state in
                guard let next = state.sleepers.values.map(\.deadline).min(),
                    state.now.duration(to: next) <= longest
                else { return (nil as Duration?, [] as [CheckedContinuation<Void, any Error>], state.asleep) }
                let slept = state.now.duration(to: next)
                state.now = next
                let due = state.sleepers.filter { $0.value.deadline <= next }
                for sleeper in due.keys { state.sleepers[sleeper] = nil }
                return (slept, due.values.map(\.continuation), state.asleep)
            }
            for continuation in due { continuation.resume() }
            if let slept { return slept }
            await waitForSleeper(after: asleep)
        }
    }

    /// Waits until more than `count` have fallen asleep.
    private func waitForSleeper(after count: Int) async {
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                if state.asleep == count { state.watchers.append(continuation) }
                return state.asleep != count
            }
            if isLate { continuation.resume() }
        }
    }

    private func wake(_ sleeper: Int) {
        let continuation = state.withLock { $0.sleepers.removeValue(forKey: sleeper)?.continuation }
        continuation?.resume(throwing: CancellationError())
    }
}

/// A clock whose timers never fire, as after a suspension of the machine: only cancellation wakes a sleeping task.
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
        // A day on a clock that does not advance.
        try await timers.sleep(for: .seconds(86_400))
    }
}
