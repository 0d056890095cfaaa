import EchoText
import Testing

@Suite("A turnstile with weights")
struct WeightedTurnstileTests {
    @Test(
        "keeps callers and their weights within their bounds, and lets everybody in at last",
        arguments: [(1, 100), (2, 1), (3, 70), (100, 100)]
    )
    func bounds(places: Int, bound: Int) async throws {
        let turnstile = WeightedTurnstile(places: places, bound: bound)
        let inside = Log<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for weight in 0..<60 {
                group.addTask {
                    try await turnstile.pass(weighing: weight) {
                        let counted = min(weight, bound)
                        let now = inside.add(counted)
                        #expect(now.count <= places && now.reduce(0, +) <= bound)
                        await Task.yield()
                        inside.remove(counted)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.all.isEmpty)
    }

    /// Someone who is inside until they are told to leave.
    private struct Guest {
        let task: Task<Void, any Error>
        private let stay: AsyncStream<Void>.Continuation

        init(in turnstile: WeightedTurnstile, weight: Int) async {
            let (held, stay) = AsyncStream.makeStream(of: Void.self)
            let (entered, enter) = AsyncStream.makeStream(of: Void.self)
            task = Task {
                try await turnstile.pass(weighing: weight) {
                    enter.finish()
                    for await _ in held {}
                }
            }
            self.stay = stay
            for await _ in entered {}
        }

        func leave() async throws {
            stay.finish()
            try await task.value
        }
    }

    @Test("lets four light ones pass a heavy one, and then nobody")
    func patience() async throws {
        let turnstile = WeightedTurnstile(places: 2, bound: 10)
        let guest = await Guest(in: turnstile, weight: 6)
        let order = Log<String>()
        let heavy = Task.immediate {
            try await turnstile.pass(weighing: 10) { _ = order.add("heavy") }
        }
        for number in 1...4 {
            try await turnstile.pass(weighing: 4) { _ = order.add("light \(number)") }
        }
        let late = Task.immediate {
            try await turnstile.pass(weighing: 4) { _ = order.add("late") }
        }
        try await guest.leave()
        try await heavy.value
        try await late.value
        #expect(order.all == ["light 1", "light 2", "light 3", "light 4", "heavy", "late"])
    }

    @Test("lets in who stood behind a heavy one that was turned away")
    func cancellation() async throws {
        let turnstile = WeightedTurnstile(places: 3, bound: 10)
        let guest = await Guest(in: turnstile, weight: 6)
        let heavy = Task.immediate { try await turnstile.pass(weighing: 10) {} }
        heavy.cancel()
        await #expect(throws: CancellationError.self) { try await heavy.value }
        try await turnstile.pass(weighing: 4) {}
        try await guest.leave()
        try await turnstile.pass(weighing: 10) {}
    }
}
