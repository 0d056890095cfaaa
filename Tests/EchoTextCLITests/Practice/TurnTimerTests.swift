import EchoTextTesting
import Synchronization
import Testing

@testable import EchoTextCLI

@Suite("The time of a turn in the terminal")
struct TurnTimerTests {
    private let clock = ManualClock()

    @Test("is shown from its beginning to its end, and the end is on time")
    func wholeTurn() async throws {
        let shown = ShownTimes()
        let turn = Task { [clock] in
            try await TurnTimer(clock: clock).run(0.25) { shown.add($0) }
        }
        for expected in [Duration.seconds(0.1), .seconds(0.1), .seconds(0.05)] {
            #expect(abs((await clock.endShortestSleep() - expected) / .seconds(1)) < 0.000_001)
        }
        try await turn.value
        #expect(shown.rounded == [0, 0.1, 0.2, 0.25])
    }

    @Test("continues without an end until it is cancelled, and says that it was")
    func openTurn() async {
        let turn = Task { [clock] in
            try await TurnTimer(clock: clock).run(nil) { _ in }
        }
        for _ in 0..<50 { await clock.endShortestSleep() }
        turn.cancel()
        await #expect(throws: CancellationError.self) { try await turn.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("is over at once when no time is left")
    func noTime() async throws {
        let shown = ShownTimes()
        try await TurnTimer(clock: clock).run(0) { shown.add($0) }
        #expect(shown.rounded == [0])
    }
}

private final class ShownTimes: Sendable {
    private let times = Mutex<[Double]>([])

    func add(_ time: Double) { times.withLock { $0.append(time) } }

    /// Rounded to a thousandth of a second.
    var rounded: [Double] { times.withLock { $0.map { ($0 * 1_000).rounded() / 1_000 } } }
}
