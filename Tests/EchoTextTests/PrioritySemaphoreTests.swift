import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("PrioritySemaphore", .endsInTime)
struct PrioritySemaphoreTests {
    @Test("gives each caller a place of its own, and every caller a turn", arguments: [1, 3])
    func places(_ places: Int) async throws {
        let semaphore = PrioritySemaphore(permits: places)
        let taken = TakenPlaces()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await semaphore.pass { place in
                        #expect(taken.take(place))
                        await Task.yield()
                        taken.give(place)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(taken.areAllFree)
    }

    @Test("turns a waiting caller away when it is cancelled, and loses no place by it")
    func cancellation() async throws {
        let semaphore = PrioritySemaphore(permits: 1)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await semaphore.pass { _ in
                enter.yield()
                for await _ in held {}
            }
        }
        for await _ in entered { break }
        let waiting = Task { try await semaphore.pass { _ in } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        hold.finish()
        try await holder.value
        try await semaphore.pass { #expect($0 == 0) }
    }

    @Test("lets the lowest rank in first, and within a rank whoever came first")
    func ranks() async throws {
        let semaphore = PrioritySemaphore(permits: 1)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let order = Log<Int>()
        let holder = Task.immediate {
            try await semaphore.pass { _ in
                for await _ in held {}
            }
        }
        let waiting = [21, 11, 22, 12].map { guest in
            Task.immediate {
                try await semaphore.pass(rank: guest / 10) { _ in _ = order.add(guest) }
            }
        }
        hold.finish()
        try await holder.value
        for guest in waiting { try await guest.value }
        #expect(order.all == [11, 12, 21, 22])
    }
}

private final class TakenPlaces: Sendable {
    private let places = Mutex(Set<Int>())

    func take(_ place: Int) -> Bool { places.withLock { $0.insert(place).inserted } }
    func give(_ place: Int) { places.withLock { _ = $0.remove(place) } }
    var areAllFree: Bool { places.withLock { $0.isEmpty } }
}
