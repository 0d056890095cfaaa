import EchoText

/// The time of one turn: the pause in which a person repeats a segment.
///
/// It ends by itself, or by the cancellation of its task when the person pauses or moves on; no event marks the mere
/// passing of time.
struct TurnTimer: Sendable {
    /// The interval between progress reports, in seconds.
    static let step = 0.1

    let clock: any Clock<Duration>

    /// Waits until the turn is over.
    ///
    /// - Parameters:
    ///   - seconds: The length from now; `nil` waits until the task is cancelled.
    ///   - show: Receives the seconds that have passed, at the beginning and at each ``step``.
    /// - Throws: `CancellationError`.
    func run(_ seconds: Double?, show: @Sendable (Double) async -> Void) async throws {
        let watch = clock.stopwatch()
        while true {
            let elapsed = watch() / .seconds(1)
            await show(elapsed)
            let left = seconds.map { $0 - elapsed } ?? Self.step
            guard left > 0 else { return }
            try await clock.sleep(for: .seconds(min(Self.step, left)))
        }
    }
}
