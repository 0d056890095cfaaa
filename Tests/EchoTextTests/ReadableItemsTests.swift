import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Recordings that are asked for together", .endsInTime)
struct ReadableItemsTests {
    @Test("are found, however many they are")
    func many() async throws {
        var library = MemoryRecordings()
        let items = try (0..<1_201).map { try library.add("Part \($0)", samples: [1]) }
        let found = try await library.readableItems(Set(items.map(\.id) + [AudioItem.ID()]))
        #expect(found.count == items.count)
        #expect(items.allSatisfy { found[$0.id] == $0 })
        #expect(try await library.readableItems([]).isEmpty)
    }

    @Test("lose their files all at once, so that none is passed over because another one is deleted meanwhile")
    func files() async throws {
        var library = MemoryRecordings()
        for number in 0..<1_001 {
            try library.add("Part \(number)", samples: [1])
            library.recordings[number].keep(.success(Data([1])), called: "part.mp3")
        }
        let questions = Counter()
        library.asked = { _ in questions.count() }
        #expect(try await library.deleteAllFiles() == library.recordings.map(\.item.id))
        #expect(questions.number == 1)
    }

    @Test("are found beside those that cannot be read")
    func unreadable() async throws {
        let vault = MemoryVault()
        let library = try #require(vault.library.audio as? MemoryLibrary)
        var items: [AudioItem] = []
        for sample in SampleRecording.all { items.append(try await sample.make(in: vault.library.jobs)) }
        await library.makeUnreadable(items[1].id)
        let found = try await library.readableItems(Set(items.map(\.id)))
        #expect(Set(found.keys) == Set(items.map(\.id)).subtracting([items[1].id]))
    }
}

/// Counts calls.
private final class Counter: Sendable {
    private let calls = Mutex(0)

    var number: Int { calls.withLock(\.self) }

    func count() { calls.withLock { $0 += 1 } }
}
