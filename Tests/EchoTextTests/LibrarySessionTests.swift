import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The library's session", .endsInTime)
struct LibrarySessionTests {
    private struct Room {
        let vault = MemoryVault()
        let clock = ManualClock()
        let events = StudioEvents()
        let session: LibrarySession

        /// - Parameters:
        ///   - timersRing: Whether timers fire when their time has come.
        ///   - recognizer: Recognizes recordings.
        ///   - sending: Returns what it would send.
        init(
            timersRing: Bool = true,
            hearing recognizer: ScriptedRecognizer = ScriptedRecognizer(),
            sending: @escaping @Sendable (Recognizer.ID, _ seconds: Double) async throws -> Sending? = { _, _ in nil }
        ) {
            let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
            let measure: any Clock<Duration> = timersRing ? clock : LateClock(clock)
            session = LibrarySession(
                to: vault,
                narrator: narrator,
                transcription: .scripted(recognizer, sending: sending),
                network: ScriptedNetwork(),
                events: events,
                lanes: 1,
                clock: measure
            )
        }

        func setPasscode() async throws {
            let code = await vault.proposeRecoveryCode()
            try await vault.setPasscode("2580", confirmedBy: code)
        }

        /// Waits until the session reports that it opened or closed.
        func turn(_ subscription: StudioEvents.Subscription) async {
            for await entry in subscription.entries where entry.event == .vault { break }
        }
    }

    @Test("opens by itself where there is no passcode")
    func open() async throws {
        let room = Room()
        #expect(try await room.session.use().library.audio.items(matching: AudioQuery()).total == 0)
        #expect(try await room.session.status().state == .unlocked)
    }

    @Test(
        "gives work that fails because everything is erased that reason, and any other work its own",
        arguments: [false, true]
    )
    func erased(leavesFiles: Bool) async throws {
        let room = Room()
        if leavesFiles { await room.vault.leaveFiles() }
        let (begun, isErased) = (Latch(), Latch())
        let session = room.session
        let work = Task {
            try await session.keepingOpen { _ -> Void in
                begun.set()
                await isErased.wait()
                throw VaultError.system(errno: EIO)
            }
        }
        await begun.wait()
        await #expect(throws: VaultError.contentMissing) {
            try await session.keepingOpen { _ -> Void in throw VaultError.contentMissing }
        }
        do {
            try await session.erase(passcode: nil)
            #expect(!leavesFiles)
        } catch VaultError.erasedFilesStay {
            #expect(leavesFiles)
        }
        isErased.set()
        await #expect(throws: VaultError.erased) { try await work.value }
    }

    @Test("reports the library whenever it has been opened")
    func reports() async throws {
        let (counts, counted) = AsyncStream.makeStream(of: Int.self)
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        let session = LibrarySession(
            to: MemoryVault(),
            narrator: narrator,
            transcription: .scripted(),
            network: ScriptedNetwork(),
            events: StudioEvents(),
            lanes: 1
        ) {
            library in
            counted.yield((try? await library.voices.records().count) ?? -1)
        }
        for _ in 1...2 {
            _ = try await session.use()
            for await count in counts {
                #expect(count == 0)
                break
            }
            await session.close()
        }
    }

    @Test("has been reported open before who opened it is in")
    func reportedFirst() async throws {
        for _ in 0..<50 {
            let room = Room()
            _ = try await room.session.use()
            #expect(await room.events.haveComeAfter(0) { $0 == .vault })
            await room.session.close()
        }
    }

    @Test("reports what another program changes in the open library")
    func others() async throws {
        let room = Room()
        _ = try await room.session.use()
        let subscription = await room.events.subscribe()
        for await _ in room.vault.watch.arrivals { break }
        room.vault.watch.changeByAnother()
        for await entry in subscription.entries where entry.event == .changedByOthers { break }
        await room.session.close()
        #expect(room.vault.watch.readers == 0)
    }

    @Test("reports also what another program changes before all is done that follows the opening")
    func othersAtOpening() async throws {
        let (vault, events, gate) = (MemoryVault(), StudioEvents(), Latch())
        let session = LibrarySession(
            to: vault,
            narrator: Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter()),
            transcription: .scripted(),
            network: ScriptedNetwork(),
            events: events,
            lanes: 1
        ) { _ in
            await gate.wait()
        }
        _ = try await session.use()
        let subscription = await events.subscribe()
        vault.watch.changeByAnother()
        gate.set()
        for await entry in subscription.entries where entry.event == .changedByOthers { break }
        await session.close()
    }

    /// Makes a recording of twelve seconds.
    private func talk(in recordings: any RecordingSessions) async throws -> AudioItem.ID {
        let rate = RecognitionClip.sampleRate
        let hum = (0..<12 * rate).map { Int16(8_000 * sin(Double($0) / 20)) }
        let order = try RecordingOrder(name: "Talk", sampleRate: rate, source: .microphone)
        let session = try await recordings.begin(order).id
        try await recordings.append(RecordingChunk(number: 0, samples: hum), to: session)
        return try await recordings.finish(session).id
    }

    @Test("sends what waits for leave once another program sets that none is needed")
    func othersSetting() async throws {
        let room = Room(sending: { _, seconds in
            Sending(host: "speech.example", bytes: Int(seconds * 32_000), seconds: seconds)
        })
        let studio = try await room.session.use()
        for await _ in room.vault.watch.arrivals { break }
        let item = try await talk(in: studio.library.recordings)
        let order = TranscriptionOrder(recognizers: [ScriptedRecognizer.standard.id])
        let job = try await studio.transcriptions.take(order, for: item)
        for await entry in await room.events.subscribe(after: 0).entries {
            if case .transcription(let status) = entry.event, status.sending != nil { break }
        }
        try await studio.library.settings.set("transcription.consent", to: "never-ask")
        room.vault.watch.changeByAnother()
        #expect(await studio.transcriptions.ending(of: job.id)?.version != nil)
        await room.session.close()
    }

    @Test("shows under its new name what another program renames, and ends what is done with what it deletes")
    func othersRecordings() async throws {
        let gate = Latch()
        let room = Room(
            hearing: ScriptedRecognizer { clip, _, _ in
                await gate.wait()
                return ScriptedRecognizer.words(in: clip)
            }
        )
        let openLibrary = try await room.session.use()
        for await _ in room.vault.watch.arrivals { break }
        let item = try await talk(in: openLibrary.library.recordings)
        let order = TranscriptionOrder(recognizers: [ScriptedRecognizer.standard.id])
        let job = try await openLibrary.transcriptions.take(order, for: item)
        try await openLibrary.library.audio.rename(item, to: "Another name")
        room.vault.watch.changeByAnother()
        for await entry in await room.events.subscribe(after: 0).entries {
            if case .transcription(let status) = entry.event, status.name == "Another name" { break }
        }
        try await openLibrary.library.audio.delete([item])
        room.vault.watch.changeByAnother()
        #expect(await openLibrary.transcriptions.ending(of: job.id)?.isGone == true)
        gate.set()
        await room.session.close()
    }

    @Test("is closed by a lock at once, though it still looks at what another program has changed")
    func othersHoldUp() async throws {
        let (gate, looking) = (Latch(), Latch())
        defer { gate.set() }
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            return ScriptedRecognizer.words(in: clip)
        }
        let room = Room(hearing: recognizer)
        try await room.setPasscode()
        let studio = try await room.session.use()
        for await _ in room.vault.watch.arrivals { break }
        let order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator)
        let id = try await studio.narrations.take(order, text: "It is night.").id
        _ = await studio.narrations.ending(of: id)
        try await studio.speechChecks.begin(id)
        try await waitUntil("it is heard") { !recognizer.requests.isEmpty }
        let library = try #require(studio.library.audio as? MemoryLibrary)
        await library.holdUpLooks {
            looking.set()
            // A task of its own does not learn that the look is cancelled.
            await Task { await gate.wait() }.value
        }
        room.vault.watch.changeByAnother()
        await looking.wait()
        let locking = Task { try await room.session.lock() }
        await studio.end.wait()
        gate.set()
        try await locking.value
        #expect(room.vault.watch.readers == 0)
    }

    @Test("stays closed while the library is locked, and opens when it is unlocked")
    func locked() async throws {
        let room = Room()
        try await room.setPasscode()
        try await room.vault.lock()
        await #expect(throws: VaultError.locked) { _ = try await room.session.use() }
        try await room.vault.unlock(with: "2580")
        _ = try await room.session.use()
    }

    @Test("is closed by a lock, also by one from elsewhere", arguments: [true, false])
    func locking(_ fromElsewhere: Bool) async throws {
        let room = Room()
        try await room.setPasscode()
        _ = try await room.session.use()
        let subscription = await room.events.subscribe()
        if fromElsewhere {
            try await room.vault.lock()
        } else {
            try await room.session.lock()
        }
        await room.turn(subscription)
        await #expect(throws: VaultError.locked) { _ = try await room.session.use() }
    }

    @Test("ends for everybody who is in when it is closed, before what is begun is left in order")
    func end() async throws {
        let room = Room()
        try await room.setPasscode()
        let openLibrary = try await room.session.use()
        let waiting = Task { await openLibrary.end.wait() }
        #expect(!openLibrary.end.isSet)
        try await room.session.lock()
        await waiting.value
        #expect(openLibrary.end.isSet)
        try await room.vault.unlock(with: "2580")
        #expect(try await !room.session.use().end.isSet)
    }

    @Test("is closed to later callers once a passcode was set elsewhere, without an event of it")
    func passcodeElsewhere() async throws {
        let room = Room()
        let openLibrary = try await room.session.use()
        await room.vault.setPasscodeElsewhere("2580")
        await #expect(throws: VaultError.locked) { _ = try await room.session.use() }
        #expect(openLibrary.end.isSet)
        try await room.vault.unlock(with: "2580")
        _ = try await room.session.use()
    }

    @Test("takes what happened inside along when it closes")
    func forgetting() async throws {
        let room = Room()
        try await room.setPasscode()
        let openLibrary = try await room.session.use()
        let order = NarrationOrder(name: "Secret", voice: ScriptedSynthesizer.narrator)
        let live = await room.events.subscribe()
        _ = try await openLibrary.narrations.take(order, text: "A secret is reported.")
        for await entry in live.entries {
            if case .library = entry.event { break }
        }
        try await room.session.lock()
        let later = await room.events.subscribe(after: 0)
        #expect(later.missedTooMuch)
        await room.events.close()
        for await entry in later.entries { #expect(entry.event == .vault) }
    }

    @Test("lets nobody in while something is done that nobody may be in for")
    func closure() async throws {
        let room = Room()
        _ = try await room.session.use()
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await room.session.close {
                let subscription = await room.events.subscribe()
                beginning.finish()
                for await _ in ended {}
                await room.events.post(.history)
                return subscription
            }
        }
        for await _ in begun {}
        let visitor = Task { try await room.session.use() }
        // A new caller gets in only after the current work is done.
        for _ in 0..<100 { await Task.yield() }
        ending.finish()
        let subscription = await work.value
        _ = try await visitor.value
        await room.events.close()
        let seen = await subscription.entries.reduce(into: []) { $0.append($1.event) }
        #expect(seen == [.history, .vault])
    }

    @Test("shows nobody a state between while it is reopened")
    func reopening() async throws {
        let room = Room()
        _ = try await room.session.use()
        try await room.setPasscode()
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            try await room.session.reopen {
                await room.vault.setPasscodeElsewhere("2580")
                beginning.finish()
                for await _ in ended {}
                try await room.vault.unlock(with: "2580")
            }
        }
        for await _ in begun {}
        let asking = Task { try await room.session.status().state }
        for _ in 0..<100 { await Task.yield() }
        ending.finish()
        try await work.value
        #expect(try await asking.value == .unlocked)
    }

    @Test("can be opened by many at once")
    func crowd() async throws {
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await room.session.use() } }
            try await group.waitForAll()
        }
    }

    @Test("closes when the library has lain unused for as long as the person wants")
    func unused() async throws {
        let room = Room()
        try await room.setPasscode()
        try await room.session.use().library.settings.set(SettingsCatalogue.lockAfter.name, to: "1")
        let subscription = await room.events.subscribe()
        for _ in 0..<12 { #expect(await room.clock.endShortestSleep() == LibrarySession.idleCheck) }
        await room.turn(subscription)
        #expect(await room.vault.status().state == .locked)
    }

    @Test("lets nobody in after the machine has slept for longer than that, though no timer has rung")
    func slept() async throws {
        let room = Room(timersRing: false)
        try await room.setPasscode()
        try await room.session.use().library.settings.set(SettingsCatalogue.lockAfter.name, to: "1")
        await room.session.close()
        _ = try await room.session.use()
        room.clock.advance(by: .seconds(59))
        _ = try await room.session.use()
        room.clock.advance(by: .seconds(60))
        await #expect(throws: VaultError.locked) { _ = try await room.session.use() }
        #expect(await room.vault.status().state == .locked)
    }

    @Test("counts the time that the machine slept between two looks")
    func sleptBetween() async throws {
        let room = Room()
        try await room.setPasscode()
        try await room.session.use().library.settings.set(SettingsCatalogue.lockAfter.name, to: "3")
        let subscription = await room.events.subscribe()
        try await waitUntil("the session looks at the clock") { room.clock.sleeperCount > 0 }
        room.clock.advance(by: .seconds(180))
        await room.turn(subscription)
        #expect(await room.vault.status().state == .locked)
    }

    @Test("is not locked while a narration is checked, and ends the check when it is")
    func speechCheck() async throws {
        let gate = Latch()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            try Task.checkCancellation()
            return ScriptedRecognizer.words(in: clip)
        }
        let room = Room(timersRing: false, hearing: recognizer)
        try await room.setPasscode()
        let openLibrary = try await room.session.use()
        try await openLibrary.library.settings.set(SettingsCatalogue.lockAfter.name, to: "3")
        let order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator)
        let subscription = await room.events.subscribe()
        let id = try await openLibrary.narrations.take(order, text: "It is night.").id
        for await entry in subscription.entries {
            if case .library = entry.event { break }
        }
        try await openLibrary.speechChecks.begin(id)
        room.clock.advance(by: .seconds(180))
        _ = try await room.session.useInBackground()
        async let locked: Void = room.session.lock()
        await openLibrary.end.wait()
        gate.set()
        try await locked
        #expect(recognizer.openSessions == 0)
        try await room.vault.unlock(with: "2580")
        #expect(try await room.session.use().speechChecks.status(of: id) == nil)
    }

    @Test("waits for a recognizer that continues forever neither to lock, nor to open, nor to close")
    func stubborn() async throws {
        let gate = Latch()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            // A task of its own does not learn that the recognition is cancelled.
            await Task { await gate.wait() }.value
            return ScriptedRecognizer.words(in: clip)
        }
        defer { gate.set() }
        let room = Room(hearing: recognizer)
        try await room.setPasscode()
        let narrations = try await room.session.use().narrations
        let order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator)
        let id = try await narrations.take(order, text: "It is night.").id
        _ = await narrations.ending(of: id)
        for isLocked in [true, false] {
            let openLibrary = try await room.session.use()
            let heard = recognizer.requests.count
            try await openLibrary.speechChecks.begin(id)
            try await waitUntil("it is heard") { recognizer.requests.count > heard }
            let closed = Latch()
            let closing = Task {
                defer { closed.set() }
                if isLocked { try await room.session.lock() } else { await room.session.close() }
            }
            // Everybody else sleeps longer.
            #expect(await room.clock.endShortestSleep(of: .seconds(3)) >= .seconds(2))
            await closed.wait()
            try await closing.value
            #expect(await room.vault.status().state == (isLocked ? .locked : .unlocked))
            if isLocked { try await room.vault.unlock(with: "2580") }
        }
        #expect(try await room.session.use().library.audio.item(id) != nil, "who comes next is let in")
    }

    @Test("waits for a recording whose storing takes forever neither to lock nor to close", arguments: [true, false])
    func slowFinish(_ isLocked: Bool) async throws {
        let room = Room()
        try await room.setPasscode()
        let (begun, gate) = (Latch(), Latch())
        defer { gate.set() }
        let sessions = try #require(room.vault.library.recordings as? MemorySessions)
        await sessions.holdFinishing(begun, until: gate)
        let recorder = try await room.session.use().recorder
        let order = try RecordingOrder(name: "Night", sampleRate: 16_000, source: .microphone)
        let id = try await recorder.begin(order).id
        _ = try await recorder.append(RecordingChunk(number: 0, samples: [1, 2, 3]), to: id)
        let finishing = Task { try await recorder.finish(id) }
        await begun.wait()
        let closed = Latch()
        let closing = Task {
            defer { closed.set() }
            if isLocked { try await room.session.lock() } else { await room.session.close() }
        }
        try await waitUntil("the library is closed") {
            room.clock.advance(by: .seconds(1))
            return closed.isSet
        }
        try await closing.value
        if isLocked {
            await #expect(throws: VaultError.locked) { _ = try await room.session.use() }
            try await room.vault.unlock(with: "2580")
        }
        #expect(try await room.session.use().recorder !== recorder, "who comes next is let in")
        gate.set()
        #expect(try await finishing.value.id == id, "what was being stored is whole")
    }
}
