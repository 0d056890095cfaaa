import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Player", .endsInTime)
struct PlayerTests {
    /// A player with all it needs, in memory; each event may be answered with a command.
    private final class Room: Sendable {
        let library: MemoryRecordings
        let store = MemoryPlaybackStore()
        let output = MemoryOutput()
        private let seen = Mutex<[Player.Event]>([])

        init(_ library: MemoryRecordings) {
            self.library = library
        }

        var events: [Player.Event] { seen.withLock(\.self) }

        /// All but how far it has come.
        var turns: [Player.Event] {
            events.filter { if case .moved = $0 { false } else { true } }
        }

        /// The recordings that began.
        var names: [String] {
            events.compactMap { if case .began(let item, _) = $0 { item.name.text } else { nil } }
        }

        func queue(_ numbers: [Int]) -> PlaybackQueue {
            var queue = PlaybackQueue()
            queue.add(numbers.map { library.recordings[$0].item.id })
            return queue
        }

        func play(
            _ numbers: [Int],
            from position: Double = 0,
            _ options: Player.Options = .init(),
            answer: @escaping @Sendable (Player.Event, Player) async -> Void = { _, _ in }
        ) async throws {
            let queue = queue(numbers)
            if options.keepsQueue { try await store.save(queue) }
            let player = Mutex<Player?>(nil)
            let made = Player(
                library,
                store: store,
                output: output,
                options: options,
                now: { Date(timeIntervalSince1970: 7) },
                report: { event in
                    self.seen.withLock { $0.append(event) }
                    if let player = player.withLock(\.self) { await answer(event, player) }
                }
            )
            player.withLock { $0 = made }
            defer { player.withLock { $0 = nil } }
            try await made.play(queue, from: position)
        }
    }

    /// Three recordings of 2, 1 and 20 seconds at 1,000 hertz, each of one value.
    private func room() throws -> Room {
        var library = MemoryRecordings()
        for (name, seconds) in [("A", 2), ("B", 1), ("C", 20)] {
            let value = Int16(1_000 * (library.recordings.count + 1))
            try library.add(name, samples: Array(repeating: value, count: seconds * 1_000), sampleRate: 1_000)
        }
        return Room(library)
    }

    @Test("plays all of a queue, sample by sample, and ends")
    func all() async throws {
        let room = try room()
        try await room.play([0, 1])
        let played = await room.output.heard
        #expect(played.map(\.count) == [3_000])
        #expect(played[0].map(\.pcm16) == Array(repeating: 1_000, count: 2_000) + Array(repeating: 2_000, count: 1_000))
        #expect(room.names == ["A", "B"])
        #expect(room.turns.last == .ended)
        #expect(await room.store.bookmark?.item == room.library.recordings[1].item.id)
        #expect(await room.store.bookmark?.position == 0)
    }

    @Test("begins at the given place")
    func from() async throws {
        let room = try room()
        try await room.play([0, 1], from: 1.5)
        #expect(await room.output.heard.map(\.count) == [1_500])
        #expect(room.events.first == .began(room.library.recordings[0].item, position: 1.5))
    }

    @Test("lets go of the loudspeaker while it is paused, and continues at the same sample")
    func pause() async throws {
        let room = try room()
        try await room.play([0]) { event, player in
            if event == .moved(0.5) { await player.pause() }
            if event == .paused { Task { await player.resume() } }
        }
        #expect(await room.output.heard.map(\.count) == [500, 1_500])
        #expect(room.turns.dropFirst() == [.paused, .resumed, .ended])
    }

    @Test("seeks, to the nearest end at most")
    func seek() async throws {
        let room = try room()
        try await room.play([0]) { event, player in
            if event == .moved(1.8), await room.output.samples == 1_800 { await player.seek(to: -5) }
        }
        #expect(await room.output.samples == 3_800)
        let other = try self.room()
        try await other.play([0]) { event, player in
            if event == .moved(0.1) { await player.seek(to: 1.7) }
        }
        #expect(await other.output.samples == 400)
    }

    @Test("stops at the end when it seeks beyond it, and then continues with what follows")
    func seekBeyond() async throws {
        let room = try room()
        try await room.play([0, 1]) { event, player in
            if event == .moved(0.1), await room.output.samples == 100 { await player.seek(to: 99) }
            if event == .paused { Task { await player.resume() } }
        }
        #expect(await room.output.samples == 1_100)
        #expect(room.events.contains(.moved(2)))
        #expect(room.turns.contains(.paused))
    }

    @Test("goes back and forward by the step, several together")
    func steps() async throws {
        let room = try room()
        var options = Player.Options()
        options.step = 4
        try await room.play([2], options) { event, player in
            guard await room.output.samples == 5_000, event == .moved(5) else { return }
            await player.forward()
            await player.forward()
            await player.back()
            await player.forward()
        }
        #expect(await room.output.samples == 12_000)
        #expect(room.events.contains(.moved(13)))
    }

    @Test("goes to the next and the previous by the queue's rules")
    func neighbors() async throws {
        let room = try room()
        try await room.play([0, 2, 1]) { event, player in
            let began = room.names.count
            if event == .moved(0.2), began == 1 { await player.next() }
            if event == .moved(1), began == 2 { await player.previous() }
            if event == .moved(0.2), began == 3 { await player.next() }
            if event == .moved(4), began == 4 { await player.previous() }
            if event == .moved(0.3), began == 5 { await player.next() }
        }
        #expect(room.names == ["A", "C", "A", "C", "C", "B"])
    }

    @Test("begins again after the last only when it loops", arguments: [true, false])
    func loops(_ loops: Bool) async throws {
        let room = try room()
        var options = Player.Options()
        options.loops = loops
        try await room.play([1], options) { _, player in
            if room.names.count == 3 { await player.stop() }
        }
        #expect(room.names.count == (loops ? 3 : 1))
    }

    @Test("reports what is gone or damaged, and plays the next")
    func damaged() async throws {
        var library = try room().library
        library.recordings[0].sound = .failure(.contentDamaged)
        library.recordings[1].sound = .success(Data("RIFF, but not what it was".utf8))
        let room = Room(library)
        var queue = room.queue([0, 1])
        queue.add([AudioItem.ID(rawValue: "gone")])
        queue.add([library.recordings[2].item.id])
        let player = Player(library, store: room.store, output: room.output) { event in
            await room.output.note(event)
        }
        try await player.play(queue)
        let events = await room.output.events
        let passed = events.compactMap { if case .passedOver(_, let code) = $0 { code } else { nil } }
        #expect(passed == ["vault.content-damaged", "vault.content-damaged", "library.item-not-found"])
        #expect(await room.output.samples == 20_000)
    }

    @Test("passes over a recording of which the library cannot read the row")
    func unreadable() async throws {
        var library = try room().library
        library.recordings[0].sound = .failure(.databaseDamaged)
        let room = Room(library)
        try await room.play([0, 1])
        #expect(room.names == ["B"])
        #expect(await room.output.samples == 1_000)
    }

    @Test("ends when nothing of a queue that loops can be played")
    func allDamaged() async throws {
        var library = try room().library
        for index in library.recordings.indices { library.recordings[index].sound = .failure(.contentMissing) }
        let room = Room(library)
        var options = Player.Options()
        options.loops = true
        try await room.play([0, 1, 2], options)
        #expect(room.turns.count == 4)
        #expect(room.turns.last == .ended)
    }

    @Test("does not continue when the library locks")
    func locked() async throws {
        var library = try room().library
        library.recordings[0].sound = .failure(.locked)
        let room = Room(library)
        await #expect(throws: VaultError.locked) { try await room.play([0, 1]) }
        #expect(await room.output.samples == 0)
    }

    @Test("keeps the place every five seconds, at a pause and where it is stopped")
    func bookmarks() async throws {
        let room = try room()
        try await room.play([2]) { event, player in
            if event == .moved(7) { await player.pause() }
            if event == .paused { Task { await player.resume() } }
            if event == .moved(13.3) { await player.stop() }
        }
        let kept = await room.store.bookmarks
        #expect(kept.map(\.position) == [5, 7, 12, 13.3])
        #expect(kept.allSatisfy { $0.made == Date(timeIntervalSince1970: 7) })
        #expect(await room.output.samples == 13_300)
    }

    @Test("keeps the place also when it is cancelled, and is silent")
    func cancelled() async throws {
        let room = try room()
        let playing = Task {
            try await room.play([2]) { event, _ in
                if event == .moved(3) { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await playing.value }
        #expect(await room.store.bookmark?.position == 3)
        #expect(await room.output.isAnythingOpen == false)
    }

    @Test("can be cancelled while it is paused")
    func cancelledPaused() async throws {
        let room = try room()
        let playing = Task {
            try await room.play([2]) { event, player in
                if event == .moved(2) { await player.pause() }
                if event == .paused { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await playing.value }
        #expect(await room.store.bookmark?.position == 2)
    }

    @Test("plays on when the place cannot be kept, and says so once")
    func placeNotKept() async throws {
        let room = try room()
        await room.store.fail(with: .readOnly(.diskFull))
        try await room.play([2])
        #expect(await room.output.samples == 20_000)
        #expect(room.turns.filter { $0 == .placeNotKept(code: VaultError.readOnly(.diskFull).code) }.count == 1)
    }

    @Test("changes the pace within its range, and stretches only where it must")
    func speed() async throws {
        let room = try room()
        var options = Player.Options()
        options.speed = 2
        try await room.play([0, 1], options) { event, player in
            if event == .moved(1) { await player.setSpeed(9) }
            if event == .moved(1.5) { await player.setSpeed(1) }
        }
        #expect(await room.output.speeds == [2, 3])
        #expect(room.turns.contains(.speedChanged(3)))
        // The test's stretcher returns each sample once, including the last piece of a run.
        #expect(await room.output.samples == 3_000)
    }

    @Test("keeps the person's own queue where it is")
    func ownQueue() async throws {
        let room = try room()
        var options = Player.Options()
        options.keepsQueue = true
        try await room.play([0, 1, 2], options) { event, player in
            if case .began(let item, _) = event, item.name.text == "B" { await player.stop() }
        }
        let queue = await room.store.queue
        #expect(queue.entries.count == 3)
        #expect(queue.currentEntry?.item == room.library.recordings[1].item.id)
    }

    @Test("plays what was added to the queue meanwhile")
    func queueGrows() async throws {
        let room = try room()
        var options = Player.Options()
        options.keepsQueue = true
        try await room.play([0], options) { event, _ in
            guard event == .moved(1.5) else { return }
            await room.store.add([room.library.recordings[1].item.id])
        }
        #expect(room.names == ["A", "B"])
    }

    @Test("keeps what others add to the person's own queue while it takes its next step")
    func queueShared() async throws {
        let room = try room()
        var options = Player.Options()
        options.keepsQueue = true
        let added = room.library.recordings[1].item.id
        try await room.play([0, 0], options) { event, _ in
            if event == .moved(1.5) { await room.store.addAfterReading([added]) }
        }
        #expect(room.names == ["A", "A", "B", "B"])
        #expect(await room.store.queue.entries.count == 4)
    }

    @Test("begins with what is in the person's own queue when its first entry was removed meanwhile")
    func firstRemoved() async throws {
        let room = try room()
        var queue = room.queue([0, 1])
        _ = try queue.start()
        var present = queue
        try present.remove([queue.entries[0].id])
        try await room.store.save(present)
        var options = Player.Options()
        options.keepsQueue = true
        let player = Player(room.library, store: room.store, output: room.output, options: options) { _ in }
        try await player.play(queue, from: 0.5)
        #expect(await room.output.samples == 1_000, "the place was in the entry that is gone")
        let kept: PlaybackQueue = await room.store.queue
        #expect(kept == present, "the removed entry stays away")
    }

    @Test("goes to the entry that follows one that is removed while it is played")
    func heardRemoved() async throws {
        let room = try room()
        var options = Player.Options()
        options.keepsQueue = true
        let removed = room.library.recordings[2].item.id
        try await room.play([2, 0, 1], options) { event, player in
            guard event == .moved(0.5), room.names == ["C"] else { return }
            await room.store.remove(removed)
            await player.next()
        }
        #expect(room.names == ["C", "A", "B"])
    }

    @Test("ends where the last entry is removed while it is played, unless it loops", arguments: [false, true])
    func lastHeardRemoved(loops: Bool) async throws {
        let room = try room()
        var options = Player.Options()
        (options.keepsQueue, options.loops) = (true, loops)
        let removed = room.library.recordings[1].item.id
        try await room.play([0, 1], options) { event, player in
            if event == .moved(0.5), room.names.last == "B" { await room.store.remove(removed) }
            if case .began = event, room.names.count > 2 { await player.stop() }
        }
        #expect(room.names == (loops ? ["A", "B", "A"] : ["A", "B"]))
    }

    @Test("goes to what was added since the last entry was removed while it is played", arguments: [false, true])
    func addedSinceHeardRemoved(loops: Bool) async throws {
        let room = try room()
        var options = Player.Options()
        (options.keepsQueue, options.loops) = (true, loops)
        let items = room.library.recordings.map(\.item.id)
        try await room.play([0, 1], options) { event, player in
            if event == .moved(0.5), room.names.last == "B" {
                await room.store.remove(items[1])
                await room.store.add([items[2]])
            }
            if case .began = event, room.names.count > 2 { await player.stop() }
        }
        #expect(room.names == ["A", "B", "C"])
    }

    @Test("keeps the list that the page plays the same recording from")
    func listKept() async throws {
        let room = try room()
        let (first, second) = (room.library.recordings[0].item, room.library.recordings[1].item)
        let list = "order=name&offset=3"
        try await room.store.save(Bookmark(item: first.id, position: 1, duration: 2, made: Date(), list: list))
        try await room.play([0], from: 1)
        #expect(await room.store.bookmark?.list == list)
        try await room.play([1])
        let bookmark = try #require(await room.store.bookmark)
        #expect(bookmark.item == second.id && bookmark.list == nil)
    }

    @Test("FR25: says that the recording that was heard last is gone, and plays the queue")
    func lostBookmark() async throws {
        let room = try room()
        let queue = room.queue([0, 1])
        try await room.store.save(queue)
        await room.store.loseBookmark()
        await #expect(throws: PlaybackError.bookmarkLost(of: "The tide")) {
            try await PlaybackStart.bookmark(in: room.store)
        }
        var reported: [PlaybackError] = []
        let start = try await PlaybackStart.anything(in: room.store, room.library) { reported.append($0) }
        #expect(reported == [.bookmarkLost(of: "The tide")])
        #expect(reported.first?.message.contains("“The tide”") == true)
        #expect(try await start == .queue(in: room.store))
    }

    @Test("begins with the bookmark where the queue cannot be read, and says that of the queue")
    func unreadableQueue() async throws {
        let room = try room()
        await room.store.damageQueue()
        await #expect(throws: LibraryError.queueUnreadable) {
            try await PlaybackStart.anything(in: room.store, room.library)
        }
        let item = room.library.recordings[2].item
        try await room.store.save(Bookmark(item: item.id, position: 1, duration: 9, made: Date()))
        let start = try await PlaybackStart.anything(in: room.store, room.library)
        #expect(start.queue.entries.map(\.item) == [item.id] && start.position == 1 && !start.isOwnQueue)
    }

    @Test("begins with the bookmark, in the queue where it is its recording, else with the queue")
    func starts() async throws {
        let room = try room()
        let all = try await PlaybackStart.anything(in: room.store, room.library)
        let listed = try await room.library.items(matching: AudioQuery()).items
        #expect(all.queue.entries.map(\.item) == listed.map(\.id) && !all.isOwnQueue, "what is listed first begins")
        await #expect(throws: PlaybackError.nothingToPlay) {
            try await PlaybackStart.anything(in: room.store, MemoryLibrary())
        }
        await #expect(throws: PlaybackError.noBookmark) { try await PlaybackStart.bookmark(in: room.store) }
        var queue = room.queue([0, 1])
        _ = try queue.start()
        try await room.store.save(queue)
        #expect(try await PlaybackStart.anything(in: room.store, room.library) == .queue(in: room.store))
        for (number, isOwn) in [(0, true), (2, false)] {
            let item = room.library.recordings[number].item
            try await room.store.save(Bookmark(item: item.id, position: 1, duration: 9, made: Date()))
            let start = try await PlaybackStart.anything(in: room.store, room.library)
            #expect(start.isOwnQueue == isOwn)
            #expect(start.position == 1)
            #expect(start.queue.entries.count == (isOwn ? 2 : 1))
        }
    }
}

/// Loudspeakers in memory.
private actor MemoryOutput: PlaybackOutput {
    private var sinks: [MemorySink] = []
    private(set) var speeds: [Double] = []
    private(set) var events: [Player.Event] = []

    func open(sampleRate: Int) async throws -> any PlaybackSink {
        let sink = MemorySink(sampleRate: sampleRate)
        sinks.append(sink)
        return sink
    }

    nonisolated func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher {
        HoldingStretcher { await self.note(speed) }
    }

    private func note(_ speed: Double) { if speeds.last != speed { speeds.append(speed) } }

    func note(_ event: Player.Event) { events.append(event) }

    /// The samples passed to each, in the order of opening.
    var heard: [[Float]] {
        get async {
            var heard: [[Float]] = []
            for sink in sinks { heard.append(await sink.samples) }
            return heard
        }
    }

    var samples: Int { get async { await heard.reduce(0) { $0 + $1.count } } }

    var isAnythingOpen: Bool {
        get async {
            for sink in sinks where await sink.state == .open { return true }
            return false
        }
    }
}

/// Delays each piece until the next, as a stretcher does, without changing anything.
private actor HoldingStretcher: TempoStretcher {
    private let begin: @Sendable () async -> Void
    private var held: [Float] = []

    init(begin: @escaping @Sendable () async -> Void) {
        self.begin = begin
    }

    func stretch(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip {
        await begin()
        let ready = isLast ? held + clip.samples : held
        held = isLast ? [] : clip.samples
        return AudioClip(samples: ready, sampleRate: clip.sampleRate)
    }
}

/// Queue and bookmark in memory.
private actor MemoryPlaybackStore: PlaybackStore {
    private(set) var queue = PlaybackQueue()
    private(set) var bookmarks: [Bookmark] = []
    private var failure: VaultError?
    private var isLost = false
    private var isDamaged = false
    private var late: [AudioItem.ID] = []

    var bookmark: Bookmark? { bookmarks.last }

    func fail(with error: VaultError) { failure = error }

    func add(_ items: [AudioItem.ID]) { queue.add(items) }

    func remove(_ item: AudioItem.ID) { queue.removeEntries(of: [item]) }

    /// Simulates another process that adds these as soon as the queue has been read.
    func addAfterReading(_ items: [AudioItem.ID]) { late = items }

    func queue() async throws -> PlaybackQueue {
        if isDamaged { throw LibraryError.queueUnreadable }
        let present: PlaybackQueue = self.queue
        queue.add(late)
        late = []
        return present
    }

    func save(_ queue: PlaybackQueue) async throws { self.queue = queue }

    func save(_ queue: PlaybackQueue, insteadOf seen: PlaybackQueue) async throws -> Bool {
        let present: PlaybackQueue = self.queue
        guard present == seen else { return false }
        self.queue = queue
        return true
    }

    func bookmark() async throws -> Bookmark? { isLost ? nil : bookmarks.last }

    func lostBookmark() async throws -> LostBookmark? { isLost ? LostBookmark(name: "The tide") : nil }

    /// Simulates the deletion of the bookmark's recording.
    func loseBookmark() { isLost = true }

    /// Simulates a queue that cannot be read.
    func damageQueue() { isDamaged = true }

    func save(_ bookmark: Bookmark?) async throws {
        if let failure { throw failure }
        if let bookmark { bookmarks.append(bookmark) }
    }
}
