import EchoText
import Foundation
import Testing

@Suite("Playback queue")
struct PlaybackQueueTests {
    let items = (0..<3).map { AudioItem.ID(rawValue: "\($0)") }

    private func queue() -> PlaybackQueue {
        var queue = PlaybackQueue()
        queue.add(items)
        return queue
    }

    @Test("plays to its end and stops, or begins again")
    func next() throws {
        var queue = queue()
        let entries = queue.entries
        #expect(try queue.start() == .play(entries[0]))
        #expect(queue.next(loops: false) == .play(entries[1]))
        #expect(queue.next(loops: false) == .play(entries[2]))
        #expect(queue.next(loops: false) == .stop)
        #expect(queue.currentEntry == entries[2], "it stays at its end")
        #expect(queue.next(loops: true) == .play(entries[0]))
    }

    @Test("goes back to the one before, or to the start of this one")
    func previous() throws {
        var queue = queue()
        let entries = queue.entries
        #expect(try queue.start(at: entries[1].id) == .play(entries[1]))
        #expect(queue.previous(elapsed: 3.5, loops: false) == .play(entries[1]))
        #expect(queue.previous(elapsed: 3, loops: false) == .play(entries[0]))
        #expect(queue.previous(elapsed: 0, loops: false) == .play(entries[0]), "the first begins again")
        #expect(queue.previous(elapsed: 0, loops: true) == .play(entries[2]))
    }

    @Test("that is empty stops")
    func empty() throws {
        var queue = PlaybackQueue()
        #expect(try queue.start() == .stop)
        #expect(queue.next(loops: true) == .stop)
        #expect(queue.previous(elapsed: 0, loops: true) == .stop)
    }

    @Test("continues with what followed when the current one is taken out")
    func removing() throws {
        var queue = queue()
        let entries = queue.entries
        _ = try queue.start(at: entries[1].id)
        try queue.remove([entries[0].id, entries[1].id])
        #expect(queue.currentEntry == entries[2])
        try queue.remove([entries[2].id])
        #expect(queue.entries.isEmpty && queue.current == nil)
        #expect(throws: LibraryError.entryNotFound) { try queue.remove([entries[0].id]) }
    }

    @Test("takes out the others when one of several is gone already, and changes nothing when all are")
    func removingSome() throws {
        var queue = queue()
        let entries = queue.entries
        try queue.remove([entries[0].id, UUID(), entries[2].id])
        #expect(queue.entries == [entries[1]])
        let left = queue
        #expect(throws: LibraryError.entryNotFound) { try queue.remove([entries[0].id, UUID()]) }
        try queue.remove([])
        #expect(queue == left)
    }

    @Test("moves an entry and keeps its place", arguments: [(-5, [2, 0, 1]), (1, [0, 2, 1]), (99, [0, 1, 2])])
    func moving(position: Int, wanted: [Int]) throws {
        var queue = queue()
        let entries = queue.entries
        _ = try queue.start(at: entries[2].id)
        try queue.move(entries[2].id, to: position)
        #expect(queue.entries == wanted.map { entries[$0] })
        #expect(queue.currentEntry == entries[2])
        #expect(throws: LibraryError.entryNotFound) { try queue.move(UUID(), to: 0) }
    }

    @Test("moves an entry among those that are counted, also where none is", arguments: [-1, 0, 1])
    func movingAlone(position: Int) throws {
        var queue = queue()
        let entries = queue.entries
        try queue.move(entries[0].id, to: position, among: { _ in false })
        #expect(queue.entries == [entries[1], entries[2], entries[0]], "behind all others")
    }

    @Test("forgets recordings that are gone, each time they are in it")
    func goneRecordings() {
        var queue = queue()
        queue.add([items[0]])
        queue.removeEntries(of: [items[0]])
        #expect(queue.entries.map(\.item) == [items[1], items[2]])
        queue.clear()
        #expect(queue == PlaybackQueue())
    }

    @Test("comes back from JSON as it was")
    func coding() throws {
        var queue = queue()
        _ = try queue.start()
        #expect(try JSONDecoder().decode(PlaybackQueue.self, from: JSONEncoder().encode(queue)) == queue)
    }

    @Test(
        "bookmarks stay inside the recording, and one that was heard begins again",
        arguments: [(5, 5), (-1, 0), (7.9, 7.9), (8.5, 0), (99, 0), (.nan, 0), (.infinity, 0)] as [(Double, Double)]
    )
    func bookmarks(position: Double, wanted: Double) {
        let mark = Bookmark(item: items[0], position: position, duration: 10, made: Date(timeIntervalSince1970: 0))
        #expect(mark.position == wanted)
    }
}
