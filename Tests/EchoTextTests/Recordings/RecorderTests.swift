import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Recorder", .endsInTime)
struct RecorderTests {
    private let vault = MemoryVault()
    private let events = StudioEvents()
    private let clock = ManualClock()
    private let wakingClock = ManualClock()

    private func recorder(free: Int64? = nil) -> Recorder {
        Recorder(
            into: vault.library.recordings,
            events: events,
            clock: clock,
            wakingClock: wakingClock,
            freeSpace: { free }
        )
    }

    private func order(sampleRate: Int = 16_000) throws -> RecordingOrder {
        try RecordingOrder(name: "Talk", sampleRate: sampleRate, source: .microphone)
    }

    private func chunk(_ number: Int, of count: Int = 4_000) throws -> RecordingChunk {
        try RecordingChunk(number: number, samples: Array(repeating: Int16(number + 1), count: count))
    }

    /// The next event of a session that `isWanted` accepts.
    private func session(
        in subscription: StudioEvents.Subscription,
        _ isWanted: (RecordingSession?) -> Bool
    ) async -> RecordingSession? {
        for await entry in subscription.entries {
            if case .recording(_, let session) = entry.event, isWanted(session) { return session }
        }
        return nil
    }

    @Test("keeps chunks, and makes a recording of them")
    func recording() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        for number in 0..<4 { _ = try await recorder.append(try chunk(number), to: id) }
        #expect(try await recorder.session(id).duration == 1)
        let subscription = await events.subscribe()
        let item = try await recorder.finish(id)
        #expect((item.id, item.duration, item.origin.kind) == (id, 1, .recorded))
        #expect(try await recorder.sessions().isEmpty)
        #expect(await session(in: subscription) { $0 == nil } == nil)
        #expect(try await vault.library.audio.item(id) == item)
    }

    @Test("takes a chunk once, and says which is missing")
    func repetition() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.append(try chunk(0), to: id)
        #expect(try await recorder.append(try chunk(0), to: id).session.samples == 4_000)
        await #expect(throws: RecordingError.chunkMissing(next: 1)) {
            _ = try await recorder.append(try chunk(2), to: id)
        }
    }

    @Test("takes as many marks as there may be, and no more")
    func mostMarks() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        let marks = (0..<RecordingMark.most - 1).map { RecordingMark(sample: $0) }
        try await vault.library.recordings.update(id) { $0.marks = marks }
        #expect(try await recorder.mark(id, at: 1, label: "Last").marks.count == RecordingMark.most)
        await #expect(throws: RecordingError.tooManyMarks(limit: RecordingMark.most)) {
            _ = try await recorder.mark(id, at: 1, label: nil)
        }
        #expect(try await recorder.session(id).marks.count == RecordingMark.most)
    }

    @Test("begins as many sessions as there may be, and no more until one has ended")
    func sessions() async throws {
        let recorder = recorder()
        let first = try await recorder.begin(try order()).id
        for _ in 1..<Recorder.mostSessions { _ = try await recorder.begin(try order()) }
        await #expect(throws: RecordingError.tooManySessions(limit: Recorder.mostSessions)) {
            _ = try await recorder.begin(try order())
        }
        try await recorder.discard(first)
        _ = try await recorder.begin(try order())
        #expect(try await recorder.sessions().count == Recorder.mostSessions)
    }

    @Test("keeps the beginnings of files that nobody imports any more, and discards only what has no sound")
    func halfFiles() async throws {
        let sessions = vault.library.recordings
        let tape = try RecordingOrder(name: "Tape", sampleRate: 16_000, source: .file)
        let orders = [tape, tape, try order()]
        var left: [AudioItem.ID] = []
        for order in orders { left.append(try await sessions.begin(order).id) }
        _ = try await sessions.append(try chunk(0), to: left[1])
        for id in left { await sessions.release(id) }
        let going = try await sessions.begin(tape).id
        let recorder = recorder()
        await recorder.discardEmptyImports()
        #expect(try await sessions.sessions().map(\.id) == [left[1], left[2], going])
        #expect(try await recorder.sessions().map(\.isInterruptedImport) == [true, false, false])
        let kept = try await recorder.finish(left[1])
        #expect(kept.duration == 0.25 && kept.origin.kind == .imported)
    }

    @Test("reports sound to listeners in its order, once, and the end with the digest of all of it")
    func listening() async throws {
        let recorder = recorder()
        let heard = Mutex<[String]>([])
        await recorder.listen { sound in
            switch sound {
            case .kept(let samples, let start, _): heard.withLock { $0.append("\(start)+\(samples.count)") }
            case .finished(_, let digest): heard.withLock { $0.append("finished \(digest ?? "without")") }
            case .ended: heard.withLock { $0.append("ended") }
            }
        }
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.append(try chunk(0), to: id)
        _ = try await recorder.append(try chunk(0), to: id)
        _ = try await recorder.append(try chunk(1, of: 100), to: id)
        _ = try await recorder.finish(id)
        #expect(heard.withLock(\.self) == ["0+4000", "4000+100", "finished \(WAVHeader.plainLength + 2 * 4_100)"])
    }

    @Test("interrupts a session that nobody feeds, and revives it with its next chunk")
    func silence() async throws {
        let recorder = recorder()
        let subscription = await events.subscribe()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.append(try chunk(0), to: id)
        #expect(await recorder.isBusy)
        while clock.now.offset < Recorder.timeout { await clock.endShortestSleep() }
        let interrupted = await session(in: subscription) { $0?.state == .interrupted }
        #expect(interrupted?.id == id)
        #expect(await !recorder.isBusy)
        #expect(try await recorder.sessions().map(\.state) == [.interrupted])
        #expect(try await recorder.append(try chunk(1), to: id).session.state == .recording)
        #expect(try await recorder.session(id).samples == 8_000)
    }

    @Test("waits longer for a paused session, whose page speaks up now and then")
    func pausing() async throws {
        let recorder = recorder()
        let subscription = await events.subscribe()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.change(id, state: .paused)
        while clock.now.offset < Recorder.timeout + Recorder.check { await clock.endShortestSleep() }
        #expect(try await recorder.change(id, state: .paused).state == .paused)
        while clock.now.offset < Recorder.timeout + Recorder.check + Recorder.pausedTimeout {
            await clock.endShortestSleep()
        }
        #expect(await session(in: subscription) { $0?.state == .interrupted }?.id == id)
    }

    @Test("says for how long the machine slept before a chunk, however often that is asked")
    func sleeping() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        func slept(before number: Int, awake: Duration, asleep: Duration) async throws -> Double {
            wakingClock.advance(by: awake)
            clock.advance(by: awake + asleep)
            return try await recorder.append(try chunk(number), to: id).slept
        }
        #expect(try await slept(before: 0, awake: .seconds(1), asleep: .seconds(50)) == 0, "nothing came before it")
        #expect(try await slept(before: 1, awake: .seconds(5), asleep: .zero) == 0, "it is only late")
        // The page speaks up first, and the session may be released by then.
        clock.advance(by: .seconds(3_600))
        _ = try await recorder.change(id, state: .recording)
        #expect(try await slept(before: 2, awake: .milliseconds(250), asleep: .zero) == 3_600)
        #expect(try await slept(before: 2, awake: .seconds(1), asleep: .zero) == 3_600, "the answer was lost")
        #expect(try await slept(before: 3, awake: .milliseconds(250), asleep: .milliseconds(10)) == 0)
        _ = try await recorder.change(id, state: .paused)
        clock.advance(by: .seconds(60))
        _ = try await recorder.change(id, state: .recording)
        #expect(try await slept(before: 4, awake: .seconds(1), asleep: .zero) == 0, "nothing was to be recorded")
        #expect(try await slept(before: 5, awake: .seconds(1), asleep: .seconds(2)) == 2)
    }

    @Test("lets a session continue after its page has left it")
    func continuing() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.append(try chunk(0), to: id)
        #expect(try await recorder.change(id, state: .interrupted).state == .interrupted)
        #expect(try await recorder.change(id, name: "Another name").state == .interrupted)
        let resumed = try await recorder.resume(id)
        #expect((resumed.state, resumed.nextChunk, resumed.order.name) == (.recording, 1, "Another name"))
        try await recorder.discard(id)
        await #expect(throws: RecordingError.sessionDiscarded) { try await recorder.session(id) }
    }

    @Test("marks places by time, none of them beyond what can be recorded")
    func marks() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.mark(id, at: 2, label: "second")
        let marked = try await recorder.mark(id, at: 0.5, label: nil)
        #expect(marked.marks == [RecordingMark(sample: 8_000), RecordingMark(sample: 32_000, label: "second")])
    }

    @Test("releases everything when the library is closed")
    func closing() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.append(try chunk(0), to: id)
        await recorder.close()
        await #expect(throws: VaultError.locked) { _ = try await recorder.append(try chunk(1), to: id) }
        let next = self.recorder()
        #expect(try await next.sessions().map(\.state) == [.interrupted])
        #expect(try await next.append(try chunk(1), to: id).session.samples == 8_000)
    }

    @Test("says when the disk will be too full to keep all once more")
    func space() async throws {
        let recorder = recorder(free: 328_000)
        let id = try await recorder.begin(try order()).id
        #expect(try await recorder.append(try chunk(0), to: id).remaining == 5)
        #expect(try await self.recorder().append(try chunk(1), to: id).remaining == nil)
    }

    @Test("gives the sound so far as a WAV file, by any of its ranges")
    func sound() async throws {
        let recorder = recorder()
        let id = try await recorder.begin(try order()).id
        _ = try await recorder.append(try RecordingChunk(number: 0, samples: [1, 2, 3, 4, 5]), to: id)
        let sound = UnfinishedSound(of: try await recorder.session(id), in: vault.library.recordings)
        let whole = WAVHeader.file(of: [1, 2, 3, 4, 5], sampleRate: 16_000)
        #expect(sound.length == whole.count)
        for start in [0, 43, 44, 45, 46, 53] {
            for end in start...whole.count { #expect(try await sound.read(start..<end) == Data(whole[start..<end])) }
        }
    }
}
