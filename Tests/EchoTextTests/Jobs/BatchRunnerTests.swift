import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Batch runner", .endsInTime)
struct BatchRunnerTests {
    private let vault = MemoryVault()
    private let events = StudioEvents()

    private func runners(_ synthesizer: ScriptedSynthesizer = ScriptedSynthesizer()) -> (BatchRunner, NarrationQueue) {
        let narrator = Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter(), version: { _ in "1" })
        let queue = NarrationQueue(in: vault.library, by: narrator, events: events) { 1 }
        return (BatchRunner(in: vault.library, by: queue, events: events), queue)
    }

    private func add(_ texts: [String], name: String? = nil) async throws -> [Document] {
        var documents: [Document] = []
        let importer = DocumentImport(into: vault.library.documents, by: ScriptedReader())
        for text in texts {
            let file = DocumentFile(name: name ?? "\(text.prefix(8)).txt", bytes: Data(text.utf8))
            documents.append(
                try await importer.add(file, twin: .keep, at: Date(timeIntervalSince1970: 1_790_000_000)).document
            )
        }
        return documents
    }

    private func orders(_ documents: [Document], isByChapter: Bool = false, name: String? = nil)
        async throws -> [NarrationOrder]
    {
        var narration = NarrationRequest()
        narration.name = name
        narration.voice = ScriptedSynthesizer.narrator.id.rawValue
        let voices = [ScriptedSynthesizer.narrator]
        return try await narration.orders(
            for: documents.map { ($0, nil) },
            isByChapter: isByChapter,
            among: voices,
            in: vault.library
        ).map { $0.order }
    }

    private func names() async throws -> [String] {
        try await vault.library.audio.items(matching: AudioQuery()).items.map(\.name.text).sorted()
    }

    @Test("speaks one after another, and continues when one fails")
    func continues() async throws {
        let documents = try await add(["First text.", "Second text.", "Third text."])
        let orders = try await orders(documents)
        try await vault.library.documents.delete([documents[1].id])
        let (batch, _) = runners()
        _ = try await batch.add(orders)
        try await batch.finish()
        let status = try await batch.status()
        #expect(status.entries.map(\.state) == [.done, .failed, .done])
        #expect(status.entries[1].failure?.code == "document.not-found")
        #expect(status.counts.isFinished && !status.isRunning && status.counts.done == 2 && status.counts.current == 3)
        #expect(try await names() == ["First te", "Third te"])
        #expect(try await vault.library.history.texts().entries.isEmpty, "documents are not put into the history")
        let item = try #require(try await vault.library.audio.items(matching: AudioQuery()).items.first)
        #expect(item.narration?.document?.selection == DocumentSelection())
    }

    @Test("speaks what waits also where its voice was installed again with another rate of sound")
    func changedVoice() async throws {
        var orders = try await orders(try await add(["First text."]))
        let installed = ScriptedSynthesizer.narrator
        orders[0].voice = Voice(
            id: installed.id,
            name: installed.givenName,
            language: installed.language,
            engine: installed.engine,
            speakers: installed.speakers,
            sampleRate: 2 * installed.sampleRate
        )
        let (batch, _) = runners()
        _ = try await batch.add(orders)
        try await batch.finish()
        #expect(try await batch.status().entries.map(\.state) == [.done])
        let item = try #require(try await vault.library.audio.items(matching: AudioQuery()).items.first)
        #expect(item.sampleRate == installed.sampleRate)
    }

    @Test("keeps what could not be spoken of an entry, until that is taken away")
    func keepsLeftOut() async throws {
        let documents = try await add(["First text.", "Second text. A bad sentence. The rest."])
        let (batch, _) = runners(
            ScriptedSynthesizer { utterance in
                let isBad = utterance.text.pieces.contains { "\($0.content)".contains("bad") }
                if isBad { throw SynthesisError.engineDied(.espeakNG) }
            }
        )
        _ = try await batch.add(try await orders(documents))
        try await batch.finish()
        let status = try await batch.status()
        #expect(status.entries.map(\.state) == [.done, .done])
        #expect(status.entries.map(\.leftOut) == [[], ["A bad sentence."]])
        #expect(try await vault.library.batch.entries() == status.entries, "whoever opens the library next sees it")
        try await batch.dismiss()
        #expect(try await batch.status().entries.isEmpty)
    }

    @Test("reports each step with its number, and nothing of the other entries")
    func reports() async throws {
        let documents = try await add(["First text.", "Second text.", "Third text."])
        let orders = try await orders(documents)
        try await vault.library.documents.delete([documents[1].id])
        let subscription = await events.subscribe()
        let (batch, _) = runners()
        // Not by the runner, which also reports where it is when it has added some.
        _ = try await vault.library.batch.add(orders)
        await batch.start()
        try await batch.finish()
        await events.close()
        var steps: [String] = []
        for await entry in subscription.entries {
            guard case .batch(let progress) = entry.event else { continue }
            for step in [progress.working, progress.ended].compactMap(\.self) {
                steps.append("\(step.number)/\(progress.counts.total) \(step.state.rawValue)")
            }
        }
        #expect(steps == ["1/3 begun", "1/3 done", "2/3 failed", "3/3 begun", "3/3 done"])
    }

    @Test("makes a recording of each chapter of what was chosen")
    func chapters() async throws {
        let documents = try await add(["# One\nFirst.\n# Two\nSecond."], name: "Chapters")
        let (batch, _) = runners()
        _ = try await batch.add(try await orders(documents, isByChapter: true))
        try await batch.finish()
        #expect(try await names() == ["Chapters – One", "Chapters – Two"])
        #expect(try await orders(try await add(["No chapters."]), isByChapter: true).count == 1)
    }

    @Test("makes a recording of what is before the chapters too, where there is something to say")
    func beginning() async throws {
        let book = try await add(["For my mother.\n# One\nFirst.\n# Two\nSecond."], name: "Book")
        let orders = try await orders(book, isByChapter: true)
        #expect(orders.map(\.name) == ["Book – beginning", "Book – One", "Book – Two"])
        let selection = try #require(orders[0].document?.selection)
        #expect(try await vault.library.documents.spoken(selection, of: book[0].id).text == "For my mother.\n")
        let (batch, _) = runners()
        _ = try await batch.add(orders)
        try await batch.finish()
        #expect(try await names() == ["Book – One", "Book – Two", "Book – beginning"])
        let marks = try await add(["* * *\n# One\nFirst."], name: "Marks")
        #expect(try await self.orders(marks, isByChapter: true).map(\.name) == ["Marks – One"])
    }

    @Test("speaks by chapter only what was chosen")
    func chosenByChapter() async throws {
        let book = try await add(["For my mother.\n# One\nFirst.\n# Two\nSecond.\n# Three\nThird."], name: "Book")
        let chosen = DocumentSelection(.chapters(try PageRanges(parsing: "2-3")))
        try await vault.library.documents.remember(chosen, for: book[0].id)
        #expect(try await orders(book, isByChapter: true).map(\.name) == ["Book – Two", "Book – Three"])
    }

    @Test("names several recordings after the given name, their documents and their chapters")
    func givenName() async throws {
        let book = try await add(["# One\nFirst.\n# Two\nSecond."], name: "Book")
        let poem = try await add(["A poem of the sea."], name: "Poem")
        #expect(try await orders(poem, name: "Evening").map(\.name) == ["Evening"])
        let ofBook = try await orders(book, isByChapter: true, name: "Evening").map(\.name)
        #expect(ofBook == ["Evening – One", "Evening – Two"])
        #expect(try await orders(book + poem, name: "Evening").map(\.name) == ["Evening – Book", "Evening – Poem"])
        let chapters = try await orders(book + poem, isByChapter: true, name: "Evening").map(\.name)
        #expect(chapters == ["Evening – Book – One", "Evening – Book – Two", "Evening – Poem"])
    }

    @Test("continues in another program where it was left")
    func resumes() async throws {
        let documents = try await add(["First one. Second one. Third one.", "Another text."])
        let heard = Mutex(0)
        let began = AsyncStream.makeStream(of: Void.self)
        let stuck = ScriptedSynthesizer { _ in
            let count = heard.withLock { count in
                count += 1
                return count
            }
            guard count == 2 else { return }
            began.continuation.yield()
            try await untilCancelled()
        }
        let (first, firstQueue) = runners(stuck)
        _ = try await first.add(try await orders(documents))
        for await _ in began.stream { break }
        await first.close()
        await firstQueue.close()
        await first.end()
        #expect(try await first.status().entries.map(\.state) == [.begun, .waiting])
        let (second, _) = runners()
        await second.start()
        try await second.finish()
        #expect(try await second.status().entries.map(\.state) == [.done, .done])
        #expect(try await names() == ["Another", "First on"])
        let item = try #require(
            try await vault.library.audio.items(matching: AudioQuery()).items.first { $0.name.text == "First on" }
        )
        #expect(try await vault.library.audio.timings(of: item.id).count == 3)
        #expect(try await vault.library.jobs.jobs().isEmpty)
    }

    @Test("sets aside what has ended the program twice, makes the others, and tries it again on request")
    func endsProgram() async throws {
        let store = vault.library.batch
        let entries = try await store.add(try await orders(try await add(["First text.", "Second text."])))
        for _ in 1...2 { _ = try await store.noteStart(of: entries[0].id, at: 0) }
        _ = try await store.noteStart(of: entries[1].id, at: 0)
        let (batch, _) = runners()
        await batch.start()
        try await batch.finish()
        let status = try await batch.status()
        #expect(status.entries.map(\.state) == [.failed, .done])
        #expect(status.entries[0].failure?.code == "batch.ended-program")
        try await batch.retry(entries[0].id)
        try await batch.finish()
        #expect(try await batch.status().entries.map(\.state) == [.done, .done])
    }

    @Test("sets nothing aside that was left in order, however often")
    func leavesInOrder() async throws {
        _ = try await vault.library.batch.add(try await orders(try await add(["Stay here."])))
        for _ in 1...4 {
            let began = AsyncStream.makeStream(of: Void.self)
            let stuck = ScriptedSynthesizer { _ in
                began.continuation.yield()
                try await untilCancelled()
            }
            let (batch, queue) = runners(stuck)
            await batch.start()
            for await _ in began.stream { break }
            await batch.close()
            await queue.close()
            await batch.end()
        }
        let (batch, _) = runners()
        await batch.start()
        try await batch.finish()
        #expect(try await batch.status().entries.map(\.state) == [.done])
    }

    @Test("does not work twice at once, and gives up what is left")
    func cancels() async throws {
        let documents = try await add(["First one. Second one.", "Another text."])
        let began = AsyncStream.makeStream(of: Void.self)
        let stuck = ScriptedSynthesizer { _ in
            began.continuation.yield()
            try await untilCancelled()
        }
        let (batch, _) = runners(stuck)
        _ = try await batch.add(try await orders(documents))
        for await _ in began.stream { break }
        let (other, _) = runners()
        await other.start()
        await #expect(throws: LibraryError.batchBusy) { try await other.finish() }
        await #expect(throws: LibraryError.batchBusy, "who works on it would not notice") { try await other.cancel() }
        #expect(try await other.status().entries.count == 2)
        try await batch.cancel()
        try await batch.finish()
        #expect(try await batch.status().entries.isEmpty)
        #expect(try await names().isEmpty)
    }

    /// A batch of two documents in which the first narration is in progress, with one sentence spoken.
    private func stuck() async throws -> (BatchRunner, NarrationQueue, narration: AudioItem.ID) {
        let documents = try await add(["First one. Stay here.", "Another text."])
        let began = AsyncStream.makeStream(of: Void.self)
        let stuck = ScriptedSynthesizer { utterance in
            guard utterance.text.plain.contains("Stay") else { return }
            began.continuation.yield()
            try await untilCancelled()
        }
        let (batch, queue) = runners(stuck)
        let subscription = await events.subscribe()
        _ = try await batch.add(try await orders(documents))
        for await _ in began.stream { break }
        // The narration may begin before its entry names it.
        for await entry in subscription.entries {
            if case .batch(let progress) = entry.event, progress.working != nil { break }
        }
        return (batch, queue, try #require(try await batch.status().entries.first?.narration))
    }

    @Test(arguments: [NarrationQueue.StopMode.keepPart, .discard])
    func `forgets what is being spoken once it is kept or discarded, and continues`(_ ending: NarrationQueue.StopMode)
        async throws
    {
        let (batch, queue, narration) = try await stuck()
        try await batch.forget(narration) { try await queue.stop(narration, ending) }
        try await batch.finish()
        #expect(try await batch.status().entries.map(\.state) == [.done], "the other one")
        #expect(try await names() == (ending == .keepPart ? ["Another", "First on"] : ["Another"]))
        #expect(try await vault.library.jobs.jobs().isEmpty)
    }

    @Test func `forgets nothing of which the narration cannot be kept or discarded`() async throws {
        let (batch, queue, narration) = try await stuck()
        await #expect(throws: LibraryError.recordingTooLong) {
            try await batch.forget(narration) {
                try await queue.stop(narration, .leave)
                throw LibraryError.recordingTooLong
            }
        }
        try await batch.finish()
        #expect(try await batch.status().entries.map(\.state) == [.failed, .done])

        _ = try await vault.library.jobs.resume(narration)
        await #expect(throws: LibraryError.jobBusy) {
            try await batch.forget(narration) { try await queue.stop(narration, .discard) }
        }
        #expect(try await batch.status().entries.map(\.state) == [.failed, .done], "it can be tried again")
        try await vault.library.jobs.leave(narration, as: .stopped, failure: nil)
        try await batch.forget(narration) { try await queue.stop(narration, .discard) }
        #expect(try await batch.status().entries.map(\.state) == [.done])
    }

    @Test("waits for another time when there is no place for it among the narrations, and says why")
    func crowded() async throws {
        let documents = try await add(["First one.", "Another text."])
        let stuck = ScriptedSynthesizer { _ in try await untilCancelled() }
        let (batch, queue) = runners(stuck)
        let order = try #require(try await orders(documents).first)
        for _ in 0..<NarrationQueue.maximumPending { _ = try await queue.take(order, text: "One of very many.") }
        _ = try await batch.add(try await orders(documents))
        await #expect(throws: LibraryError.tooManyJobs(limit: NarrationQueue.maximumPending)) {
            try await batch.finish()
        }
        let status = try await batch.status()
        #expect(status.entries.map(\.state) == [.waiting, .waiting])
        #expect(status.failure?.code == LibraryError.tooManyJobs(limit: 0).code)
        await queue.close()
    }

    @Test("stops where the disk is full, says so, and continues with the same entry once there is room")
    func fullDisk() async throws {
        let isFull = Mutex(true)
        let (batch, _) = runners(
            ScriptedSynthesizer { _ in
                if isFull.withLock(\.self) { throw VaultError.readOnly(.diskFull) }
            }
        )
        _ = try await batch.add(try await orders(try await add(["First one.", "Another text."])))
        await #expect(throws: Failure.self) { try await batch.finish() }
        let stopped = try await batch.status()
        #expect(stopped.entries.map(\.state) == [.begun, .waiting], "the fault is not the documents'")
        #expect(stopped.failure?.code == VaultError.readOnly(.diskFull).code && !stopped.isRunning)
        isFull.withLock { $0 = false }
        await batch.start()
        try await batch.finish()
        #expect(try await batch.status().entries.map(\.state) == [.done, .done])
        #expect(try await names() == ["Another", "First on"])
    }

    @Test("speaks only the sentences that changed when a document is made again")
    func remembers() async throws {
        let spoken = Mutex<[String]>([])
        let synthesizer = ScriptedSynthesizer { utterance in
            spoken.withLock { $0.append(utterance.text.plain) }
        }
        let old = "The first sentence. The second sentence. The third sentence."
        let new = "A new beginning. The first sentence. The 2nd was changed. The third sentence."
        for (text, expected) in [(old, 3), (old + " ", 0), (new, 2)] {
            spoken.withLock { $0 = [] }
            let (batch, _) = runners(synthesizer)
            _ = try await batch.add(try await orders(try await add([text])))
            try await batch.finish()
            #expect(spoken.withLock(\.count) == expected, "\(text): \(spoken.withLock(\.self))")
        }
        let items = try await vault.library.audio.items(matching: AudioQuery()).items
        var sounds: Set<Data> = []
        for item in items where item.words == 9 {
            let sound = try await vault.library.audio.sound(of: item.id)
            sounds.insert(try await sound.read(0..<sound.length))
        }
        #expect(sounds.count == 1, "it sounds the same")
    }
}

extension SpokenText {
    fileprivate var plain: String {
        pieces.map { piece in
            switch piece.content {
            case .written(let text), .words(let text), .phonemes(let text): text
            }
        }.joined()
    }
}
