import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("A narration queue", .endsInTime)
struct NarrationQueueTests {
    private struct Room {
        let library: Library
        let events = StudioEvents()
        let queue: NarrationQueue

        init(beforeSpeaking: @escaping @Sendable (Utterance) async throws -> Void = { _ in }) {
            library = MemoryVault().library
            let narrator = Narrator(
                synthesizer: ScriptedSynthesizer(beforeSpeaking: beforeSpeaking),
                segmenter: PlainSegmenter()
            )
            queue = NarrationQueue(in: library, by: narrator, events: events) { 1 }
        }

        func take(_ text: String, name: ItemName = "Story") async throws -> NarrationStatus {
            let order = NarrationOrder(name: name, voice: ScriptedSynthesizer.narrator)
            return try await queue.take(order, text: text)
        }

        /// The statuses of a narration until it is in `state`.
        func statuses(
            of id: AudioItem.ID,
            until state: NarrationStatus.State,
            in subscription: StudioEvents.Subscription
        ) async -> [NarrationStatus] {
            var reported: [NarrationStatus] = []
            for await entry in subscription.entries {
                guard case .narration(let status) = entry.event, status.id == id else { continue }
                reported.append(status)
                if status.state == state { break }
            }
            return reported
        }
    }

    private static let story = "One sentence is here. Another one follows it. And a third ends it all."

    /// Holds back every utterance but the first until it is opened.
    private actor Gate {
        private var isOpen = false
        private var passed = 0
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func pass() async {
            passed += 1
            guard passed > 1, !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    /// Holds back every utterance but the first until the narration is cancelled.
    private static func onlyFirst() -> @Sendable (Utterance) async throws -> Void {
        let count = Mutex(0)
        return { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 1 { try await untilCancelled() }
        }
    }

    @Test("makes an order a recording of the same id, and says how it goes")
    func recording() async throws {
        let room = Room()
        let subscription = await room.events.subscribe()
        let status = try await room.take(Self.story)
        let reported = await room.statuses(of: status.id, until: .finished, in: subscription)
        #expect(reported.first?.state == .speaking)
        #expect(reported.last?.position == Self.story.utf16.count)
        let item = try #require(try await room.library.audio.item(status.id))
        #expect(try await room.library.audio.text(of: item.id) == Self.story)
        #expect(try await room.library.history.texts().entries.map(\.text) == [Self.story])
        #expect(try await room.queue.narrations().isEmpty)
    }

    @Test("speaks one narration after another")
    func queue() async throws {
        let gate = Gate()
        let room = Room { _ in await gate.pass() }
        let first = try await room.take(Self.story, name: "First")
        let subscription = await room.events.subscribe()
        let second = try await room.take("A short one.", name: "Second")
        #expect(second.state == .waiting)
        #expect(try await room.queue.narrations().map(\.id) == [first.id, second.id])
        await gate.open()
        let reported = await room.statuses(of: second.id, until: .finished, in: subscription)
        #expect(reported.map(\.state).contains(.speaking))
        #expect(try await room.library.audio.items(matching: AudioQuery()).total == 2)
    }

    @Test("lets the sound be heard while it is made, the same as is kept", arguments: [0, 1_000])
    func listening(_ start: Int) async throws {
        let gate = Gate()
        let room = Room { _ in await gate.pass() }
        let status = try await room.take(String(repeating: Self.story + " ", count: 30))
        var heard: [Int16] = []
        for try await samples in room.queue.sound(of: status.id, from: start) {
            #expect(!samples.isEmpty)
            heard += samples
            // The rest is made only after the beginning was consumed.
            await gate.open()
        }
        let reader = try await RecordingReader(of: room.library.audio.sound(of: status.id))
        #expect(start + heard.count == reader.count)
        var kept: [Int16] = []
        while kept.count < reader.count { kept += try await reader.clip(from: kept.count).pcm16 }
        let isSame = heard == Array(kept[start...])
        #expect(isSame)
    }

    @Test("ends a listener's wait when the listener leaves")
    func leavingListener() async throws {
        let room = Room { _ in try await untilCancelled() }
        let status = try await room.take(Self.story)
        let listener = Task { for try await _ in room.queue.sound(of: status.id, from: 0) {} }
        listener.cancel()
        await #expect(throws: CancellationError.self) { try await listener.value }
        try await room.queue.stop(status.id, .discard)
    }

    @Test("ends a listener's wait for a narration that is taken back before its turn")
    func takenBack() async throws {
        let room = Room { _ in try await untilCancelled() }
        let first = try await room.take(Self.story)
        let second = try await room.take(Self.story)
        let subscription = await room.events.subscribe()
        let listener = Task {
            var sound = room.queue.sound(of: second.id, from: 0).makeAsyncIterator()
            return try await sound.next()
        }
        for _ in 0..<100 { await Task.yield() }
        // Whether it is waiting already or starts later, it has to learn that there is nothing more.
        try await room.queue.stop(second.id, .discard)
        _ = await room.statuses(of: second.id, until: .stopped, in: subscription)
        do {
            #expect(try await listener.value == nil)
        } catch LibraryError.itemNotFound {
            // It came after everything had ended.
        }
        try await room.queue.stop(first.id, .discard)
    }

    @Test("takes no more orders than it can remember")
    func crowd() async throws {
        let room = Room { _ in try await untilCancelled() }
        for _ in 0..<NarrationQueue.maximumPending { _ = try await room.take("One.") }
        await #expect(throws: LibraryError.tooManyJobs(limit: NarrationQueue.maximumPending)) {
            _ = try await room.take("One more.")
        }
        #expect(try await room.library.jobs.jobs().count == NarrationQueue.maximumPending)
        await room.queue.close()
    }

    @Test("takes nothing when it is closed, and loses nothing that is given to it then")
    func afterClosing() async throws {
        let room = Room()
        await room.queue.close()
        await #expect(throws: VaultError.locked) { _ = try await room.take(Self.story) }
        let job = try #require(try await room.library.jobs.jobs().first)
        #expect(try await room.queue.narration(job.id).state == .stopped)
        _ = try await room.library.jobs.resume(job.id)
    }

    @Test("keeps or forgets what was spoken of a narration that is stopped", arguments: [true, false])
    func stopping(_ keepsPart: Bool) async throws {
        let room = Room(beforeSpeaking: Self.onlyFirst())
        let subscription = await room.events.subscribe()
        let status = try await room.take(String(repeating: Self.story + " ", count: 5))
        for await entry in subscription.entries {
            if case .sentence(_, status.id, _) = entry.event { break }
        }
        try await room.queue.stop(status.id, keepsPart ? .keepPart : .discard)
        let item = try await room.library.audio.item(status.id)
        #expect((item != nil) == keepsPart)
        #expect(try await room.library.jobs.jobs().isEmpty)
    }

    @Test func `loses no narration whose spoken part is to be kept before a sentence of it is whole`() async throws {
        let began = AsyncStream.makeStream(of: Void.self)
        let room = Room { _ in
            began.continuation.yield()
            try await untilCancelled()
        }
        let status = try await room.take(Self.story)
        for await _ in began.stream { break }
        let next = try await room.take(Self.story)
        for id in [next.id, status.id, status.id] {
            await #expect(throws: LibraryError.nothingToKeep) { try await room.queue.stop(id, .keepPart) }
            #expect(try await room.queue.narration(id).state == .stopped)
            #expect(try await room.library.jobs.text(ofJob: id) == Self.story)
        }
        let reason = SynthesisError.nothingToSay.failure
        _ = try await room.library.jobs.resume(status.id)
        try await room.library.jobs.leave(status.id, as: .failed, failure: reason)
        await #expect(throws: LibraryError.nothingToKeep) { try await room.queue.stop(status.id, .keepPart) }
        #expect(try await room.queue.narration(status.id).failure == reason, "it is still known why it failed")
        try await room.queue.stop(status.id, .discard)
        #expect(try await room.library.jobs.jobs().map(\.id) == [next.id])
    }

    @Test(arguments: [NarrationQueue.StopMode.keepPart, .discard])
    func `says why what is being spoken can be neither kept nor discarded`(_ ending: NarrationQueue.StopMode)
        async throws
    {
        let began = AsyncStream.makeStream(of: Void.self)
        let room = Room { _ in
            began.continuation.yield()
            try await untilCancelled()
        }
        let status = try await room.take(Self.story)
        for await _ in began.stream { break }
        try await room.library.jobs.discard(status.id)
        await #expect(throws: LibraryError.jobNotFound.failure) { try await room.queue.stop(status.id, ending) }
    }

    @Test(arguments: [NarrationQueue.StopMode.keepPart, .discard])
    func `is stopped as each caller wants when another only leaves it meanwhile`(_ ending: NarrationQueue.StopMode)
        async throws
    {
        let gate = Gate()
        let room = Room { _ in await gate.pass() }
        let subscription = await room.events.subscribe()
        let status = try await room.take(String(repeating: Self.story + " ", count: 5))
        for await entry in subscription.entries {
            if case .sentence(_, status.id, _) = entry.event { break }
        }
        // The first waits for the voice, which does not stop before the gate is open, when the second comes.
        let first = Task { try await room.queue.stop(status.id, ending) }
        for _ in 0..<100 { await Task.yield() }
        let second = Task { try await room.queue.stop(status.id, .leave) }
        for _ in 0..<100 { await Task.yield() }
        await gate.open()
        _ = await second.result
        try await first.value
        #expect((try await room.library.audio.item(status.id) != nil) == (ending == .keepPart))
        #expect(try await room.library.jobs.jobs().isEmpty)
    }

    @Test func `is not found by the one of two callers that wants otherwise than it has ended`() async throws {
        let gate = Gate()
        let room = Room { _ in await gate.pass() }
        let subscription = await room.events.subscribe()
        let status = try await room.take(String(repeating: Self.story + " ", count: 5))
        for await entry in subscription.entries {
            if case .sentence(_, status.id, _) = entry.event { break }
        }
        let keeping = Task { try await room.queue.stop(status.id, .keepPart) }
        for _ in 0..<100 { await Task.yield() }
        let discarding = Task { try await room.queue.stop(status.id, .discard) }
        for _ in 0..<100 { await Task.yield() }
        await gate.open()
        let (kept, discarded) = (await keeping.result, await discarding.result)
        let isKept = try await room.library.audio.item(status.id) != nil
        try (isKept ? kept : discarded).get()
        #expect(throws: LibraryError.jobNotFound) { try (isKept ? discarded : kept).get() }
    }

    @Test func `says that there is nothing to discard when the narration has become a recording`() async throws {
        let room = Room()
        for _ in 0..<20 {
            let subscription = await room.events.subscribe()
            let status = try await room.take("One.")
            _ = await room.statuses(of: status.id, until: .finished, in: subscription)
            await #expect(throws: LibraryError.jobNotFound) { try await room.queue.stop(status.id, .discard) }
            #expect(try await room.library.audio.item(status.id) != nil)
        }
    }

    @Test("discards a narration that is damaged, and neither continues nor keeps it")
    func damaged() async throws {
        let room = Room()
        let jobs = try #require(room.library.jobs as? MemoryLibrary)
        let order = NarrationOrder(name: "Torn", voice: ScriptedSynthesizer.narrator)
        let torn = try await room.library.jobs.begin(order, text: Self.story).id
        try await room.library.jobs.leave(torn, as: .stopped, failure: nil)
        await jobs.damage(job: torn)
        #expect(try await room.queue.narration(torn).failure == LibraryError.jobDamaged.failure)
        await #expect(throws: LibraryError.jobDamaged) { _ = try await room.queue.resume(torn) }
        await #expect(throws: LibraryError.jobDamaged) { try await room.queue.stop(torn, .keepPart) }
        try await room.queue.stop(torn, .discard)
        #expect(try await room.library.jobs.jobs().isEmpty)
    }

    @Test("stops a narration that is resumed as soon as it has failed")
    func stoppingResumed() async throws {
        let isToFail = Mutex(true)
        let room = Room { _ in
            let fails = isToFail.withLock { isToFail in
                defer { isToFail = false }
                return isToFail
            }
            if fails { throw SynthesisError.engineFailed(.espeakNG, status: nil) }
            try await untilCancelled()
        }
        for _ in 0..<20 {
            isToFail.withLock { $0 = true }
            let subscription = await room.events.subscribe()
            let status = try await room.take("One.")
            _ = await room.statuses(of: status.id, until: .failed, in: subscription)
            _ = try await room.queue.resume(status.id)
            try await room.queue.stop(status.id, .discard)
            #expect(try await room.library.jobs.jobs().isEmpty)
        }
    }

    @Test("continues with a narration that is resumed while it is being stopped")
    func resumingStopped() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, cancelling) = AsyncStream.makeStream(of: Void.self)
        let isToWait = Mutex(true)
        let room = Room { _ in
            guard isToWait.withLock(\.self) else { return }
            beginning.yield()
            do {
                try await untilCancelled()
            } catch {
                cancelling.yield()
                throw error
            }
        }
        var (begins, cancels) = (begun.makeAsyncIterator(), cancelled.makeAsyncIterator())
        for _ in 0..<20 {
            isToWait.withLock { $0 = true }
            let status = try await room.take("One.")
            _ = await begins.next()
            isToWait.withLock { $0 = false }
            let stopping = Task { try await room.queue.stop(status.id, .leave) }
            _ = await cancels.next()
            _ = try await room.queue.resume(status.id)
            #expect(await room.queue.ending(of: status.id)?.state == .finished)
            try await stopping.value
        }
    }

    @Test("says why a narration failed, and keeps what there is of it")
    func failure() async throws {
        let room = Room { utterance in
            let says = utterance.text.pieces.contains { "\($0.content)".contains("third") }
            if says { throw SynthesisError.engineFailed(.espeakNG, status: nil) }
        }
        let subscription = await room.events.subscribe()
        let status = try await room.take(Self.story)
        let reported = await room.statuses(of: status.id, until: .failed, in: subscription)
        #expect(reported.last?.failure?.code == "speech.engine-failed")
        let left = try await room.queue.narrations()
        #expect(left.map(\.state) == [.failed])
        #expect(left.first?.failure == reported.last?.failure)
        #expect(left.first?.failure?.message.isEmpty == false)
    }

    @Test("names what was left out because the engine's process ended over it")
    func namesWasLeft() async throws {
        let room = Room { utterance in
            let isBad = utterance.text.pieces.contains { "\($0.content)".contains("Another") }
            if isBad { throw SynthesisError.engineDied(.espeakNG) }
        }
        let subscription = await room.events.subscribe()
        let status = try await room.take(Self.story)
        let reported = await room.statuses(of: status.id, until: .finished, in: subscription)
        #expect(reported.last?.leftOut == ["Another one follows it."])
        #expect(try await room.library.audio.item(status.id) != nil)
    }

    @Test("refuses a text with more than a day of pauses before it begins")
    func refusesTextMore() async throws {
        let room = Room()
        await #expect(throws: SynthesisError.tooMuchSilence) {
            try await room.take("One. " + String(repeating: "[pause:60s]", count: 1_441))
        }
        #expect(try await room.library.jobs.jobs().isEmpty)
    }

    @Test("continues with what was left when it was closed")
    func closing() async throws {
        let room = Room(beforeSpeaking: Self.onlyFirst())
        let subscription = await room.events.subscribe()
        let status = try await room.take(String(repeating: Self.story + " ", count: 5))
        for await entry in subscription.entries {
            if case .sentence(_, status.id, _) = entry.event { break }
        }
        await room.queue.close()
        #expect(try await room.queue.narration(status.id).state == .stopped)

        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        let next = NarrationQueue(in: room.library, by: narrator, events: room.events) { 2 }
        let later = await room.events.subscribe()
        _ = try await next.resume(status.id)
        _ = await room.statuses(of: status.id, until: .finished, in: later)
        let text = try await room.library.audio.text(of: status.id)
        #expect(text == String(repeating: Self.story + " ", count: 5))
    }

    @Test("refuses text without a word", arguments: ["", " \n\t "])
    func blank(_ text: String) async throws {
        let room = Room()
        await #expect(throws: SynthesisError.nothingToSay) { _ = try await room.take(text) }
        #expect(try await room.library.jobs.jobs().isEmpty)
    }

    @Test("knows no narration that is not there")
    func unknown() async throws {
        let room = Room()
        let id = AudioItem.ID()
        await #expect(throws: LibraryError.jobNotFound) { _ = try await room.queue.narration(id) }
        await #expect(throws: LibraryError.jobNotFound) { try await room.queue.stop(id, .discard) }
        await #expect(throws: LibraryError.jobNotFound) { _ = try await room.queue.resume(id) }
        await #expect(throws: LibraryError.itemNotFound) { for try await _ in room.queue.sound(of: id, from: 0) {} }
    }
}
