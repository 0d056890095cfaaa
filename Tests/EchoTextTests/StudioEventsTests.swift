import EchoText
import EchoTextTesting
import Testing

@Suite("Studio events", .endsInTime)
struct StudioEventsTests {
    private func numbers(_ subscription: StudioEvents.Subscription, count: Int) async -> [Int] {
        var numbers: [Int] = []
        for await entry in subscription.entries {
            numbers.append(entry.number)
            if numbers.count == count { break }
        }
        return numbers
    }

    @Test("reach everyone who looks on, from then on")
    func live() async {
        let events = StudioEvents()
        await events.post(.history)
        let (one, other) = (await events.subscribe(), await events.subscribe())
        await events.post(.playback)
        await events.post(.settings)
        #expect(await numbers(one, count: 2) == [2, 3])
        #expect(await numbers(other, count: 2) == [2, 3])
    }

    @Test("have numbers, of which the last is known, in a run of their own")
    func last() async {
        let events = StudioEvents()
        #expect(await events.last == 0)
        await events.post(.history)
        await events.post(.playback)
        await events.forget()
        #expect(await events.last == 2, "numbers never begin again")
        #expect(events.run != StudioEvents().run)
    }

    @Test("are sent again to a subscriber that was away")
    func resumed() async {
        let events = StudioEvents()
        for _ in 0..<5 { await events.post(.history) }
        let subscription = await events.subscribe(after: 2)
        #expect(!subscription.missedTooMuch)
        #expect(await numbers(subscription, count: 3) == [3, 4, 5])
    }

    @Test("that are forgotten are owned up to", arguments: [0, 3, 5_000])
    func forgotten(_ seen: Int) async {
        let events = StudioEvents()
        for _ in 0..<StudioEvents.capacity + 10 { await events.post(.history) }
        let subscription = await events.subscribe(after: seen)
        #expect(subscription.missedTooMuch)
        #expect(subscription.start == StudioEvents.capacity + 10)
    }

    @Test("end for one who does not keep up")
    func slow() async {
        let events = StudioEvents()
        let subscription = await events.subscribe()
        for _ in 0..<StudioEvents.capacity + 1 { await events.post(.history) }
        var count = 0
        for await _ in subscription.entries { count += 1 }
        #expect(count == StudioEvents.capacity)
    }

    @Test("end for everyone when they are closed")
    func closed() async {
        let events = StudioEvents()
        let subscription = await events.subscribe()
        await events.close()
        for await _ in subscription.entries { Issue.record("nothing has happened") }
    }
}
