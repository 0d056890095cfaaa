import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Transcription while a recording is made", .endsInTime)
struct LiveTranscriptionTests {
    private static let rate = RecognitionClip.sampleRate
    private static let multilingual = Recognizer(
        id: Recognizer.ID(rawValue: "scripted/base"),
        name: "Base",
        engine: .sherpaOnnx,
        languages: ["mul"],
        hears: ["en", "et"],
        timing: .words,
        takesLanguage: true
    )
    private static let service = Recognizer(
        id: Recognizer.ID(rawValue: "remote/office"),
        name: "Office",
        engine: .remote,
        languages: ["mul"],
        timing: .none
    )

    /// A library whose sessions are transcribed while they are recorded.
    private struct Fixture {
        let vault = MemoryVault()
        let events = StudioEvents()
        let recognizer: ScriptedRecognizer
        let jobs: JobsOnDisk
        let library: Library
        let queue: TranscriptionQueue
        let live: LiveTranscriptions

        init(_ recognizer: ScriptedRecognizer = ScriptedRecognizer(saying: ["Good morning.", "Good night."])) {
            self.recognizer = recognizer
            jobs = JobsOnDisk(vault.library.transcriptions)
            library = vault.library.with(jobs)
            let tools = TranscriptionTools.scripted(recognizer)
            queue = TranscriptionQueue(
                in: library,
                with: tools,
                consent: SendingConsent { .eachTime },
                network: ScriptedNetwork(.reachable),
                events: events,
                clock: ManualClock(),
                lanes: { 1 }
            )
            live = LiveTranscriptions(in: library, with: tools, queue: queue, events: events)
        }

        func begin(language: String = "und") async throws -> RecordingSession {
            let order = try RecordingOrder(name: "Talk", language: language, sampleRate: rate, source: .microphone)
            return try await library.recordings.begin(order)
        }

        /// Stores half a second of speech or silence at the end of a session, and passes it to the recognizer.
        func add(_ isSpeech: Bool, to session: RecordingSession) async throws {
            let before = try #require(try await library.recordings.sessions().first { $0.id == session.id })
            let samples = (0..<rate / 2).map { isSpeech ? Int16(8_000 * sin(Double($0) / 20)) : 0 }
            let chunk = try RecordingChunk(number: before.nextChunk, samples: samples)
            try await library.recordings.append(chunk, to: session.id)
            await live.take(.kept(samples, from: before.samples, of: before))
        }

        /// Adds four seconds of speech and four of silence.
        func say(in session: RecordingSession) async throws {
            for isSpeech in [true, false] {
                for _ in 0..<8 { try await add(isSpeech, to: session) }
            }
        }

        func finish(_ session: RecordingSession) async throws -> AudioItem {
            let item = try await library.recordings.finish(session.id)
            await live.take(.finished(item))
            return item
        }

        /// Waits for the first version of a recording's transcript.
        func version(of item: AudioItem) async throws -> TranscriptVersion {
            for await entry in await events.subscribe(after: 0).entries {
                guard case .library(_, let changed, _) = entry.event, changed.contains(item.id) else { continue }
                if let version = try await library.transcripts.versions(of: item.id).last { return version }
            }
            throw Ended()
        }

        /// Waits until a transcription of a recording has failed.
        func failure(of item: AudioItem) async throws -> TranscriptionStatus {
            for await entry in await events.subscribe(after: 0).entries {
                guard case .transcription(let status) = entry.event, status.job.item == item.id else { continue }
                if case .failed = status.job.state, !status.isGone { return status }
            }
            throw Ended()
        }

        /// Waits until finished recordings were transcribed, however often that is.
        func settle() async throws {
            await live.close()
            for status in try await queue.statuses() { _ = await queue.ending(of: status.id) }
        }
    }

    private struct Ended: Error {}

    @Test("AT4: says what was said while it continues, and hears all of it again at the end, which replaces the draft")
    func heard() async throws {
        let texts = ["Good mourning.", "Good night.", "Good morning.", "Good night."]
        let fixture = Fixture(ScriptedRecognizer(saying: texts))
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        for await entry in await fixture.events.subscribe(after: 0).entries {
            guard case .recognized(let segments, let beginnings, session.id) = entry.event else { continue }
            guard let first = segments.firstIndex(where: { $0.text == "Good mourning." }) else { continue }
            #expect(beginnings[first], "a paragraph begins with it")
            break
        }
        #expect(try await fixture.library.recordings.sessions().count == 1, "it is still being recorded")
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        let draft = try await fixture.version(of: item)
        #expect(draft.source.isDraft == true && draft.source.recognizer == ScriptedRecognizer.standard.id)
        try await fixture.settle()
        let versions = try await fixture.library.transcripts.versions(of: item.id)
        #expect(versions.map(\.isCurrent) == [true, false] && versions.map(\.source.isDraft) == [nil, true])
        #expect(try await fixture.library.transcripts.transcript(draft.id).text == "Good mourning.\nGood night.")
        #expect(try await fixture.library.audio.text(of: item.id) == "Good morning.\nGood night.")
        #expect(fixture.recognizer.openings == 2 && fixture.recognizer.openSessions == 0)
        #expect(try await fixture.library.transcriptions.jobs().isEmpty)
    }

    @Test("names in its draft the digest that the sound got when it was stored")
    func digest() async throws {
        let fixture = Fixture()
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let item = try await fixture.library.recordings.finish(session.id)
        await fixture.live.take(.finished(item, digest: "abc"))
        let draft = try await fixture.version(of: item)
        #expect(draft.source.isDraft == true && draft.source.soundDigest == "abc")
        try await fixture.settle()
    }

    @Test("AT4: leaves a draft alone that a person has edited, and keeps what is heard again as another version")
    func edited() async throws {
        let gate = Latch()
        let fixture = Fixture(
            ScriptedRecognizer { clip, number, _ in
                if number == 1 { await gate.wait() }
                return ScriptedRecognizer.speech(number == 0 ? "A draught." : "A raft.", in: clip.seconds)
            }
        )
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        let version = try await fixture.version(of: item)
        let draft = try await fixture.library.transcripts.transcript(version.id)
        var segments = draft.segments
        for index in segments.indices where segments[index].kind == .speech {
            segments[index].text = "A draft."
            segments[index].words = []
        }
        let source = TranscriptSource(base: draft.id)
        let edited = Transcript(item: item.id, created: Date(), source: source, language: "en", segments: segments)
        try await fixture.library.transcripts.add(edited)
        gate.set()
        try await fixture.settle()
        let versions = try await fixture.library.transcripts.versions(of: item.id)
        #expect(versions.map(\.isCurrent) == [false, true, false])
        #expect(try await fixture.library.audio.text(of: item.id) == "A draft.")
    }

    @Test("AT4: hears nothing again when the person wants nothing transcribed afterwards, and never by a service")
    func again() async throws {
        for isWanted in [true, false] {
            let fixture = Fixture(ScriptedRecognizer([Self.service, ScriptedRecognizer.standard]))
            let order = "remote/office scripted/plain"
            try await fixture.library.settings.store(order, for: SettingsCatalogue.recognizers.name)
            if !isWanted {
                try await fixture.library.settings.store("off", for: SettingsCatalogue.transcribesAfter.name)
            }
            let session = try await fixture.begin()
            try await fixture.say(in: session)
            let item = try await fixture.finish(session)
            _ = try await fixture.version(of: item)
            try await fixture.settle()
            let versions = try await fixture.library.transcripts.versions(of: item.id)
            #expect(versions.count == (isWanted ? 2 : 1))
            #expect(fixture.recognizer.requests.allSatisfy { $0.recognizer == ScriptedRecognizer.standard.id })
        }
    }

    @Test(
        "leaves a recording's language to be found out where a multilingual recognizer would refuse it",
        arguments: [("vro", nil), ("et", "et")] as [(String, String?)]
    )
    func refusedLanguage(spoken: String, asked: String?) async throws {
        let fixture = Fixture(ScriptedRecognizer([Self.multilingual]))
        let session = try await fixture.begin(language: spoken)
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        _ = try await fixture.version(of: item)
        try await fixture.settle()
        #expect(!fixture.recognizer.requests.isEmpty)
        #expect(fixture.recognizer.requests.allSatisfy { $0.settings.language == asked })
    }

    @Test("queues an imported recording where the person wants that, and leaves it alone otherwise")
    func imported() async throws {
        for isWanted in [true, false] {
            let fixture = Fixture()
            if isWanted {
                try await fixture.library.settings.store("on", for: SettingsCatalogue.transcribesImports.name)
            }
            let session = try await fixture.begin()
            for _ in 0..<8 {
                let before = try #require(try await fixture.library.recordings.sessions().first { $0.id == session.id })
                let samples = (0..<Self.rate / 2).map { Int16(8_000 * sin(Double($0) / 20)) }
                let chunk = try RecordingChunk(number: before.nextChunk, samples: samples)
                try await fixture.library.recordings.append(chunk, to: session.id)
            }
            let item = try await fixture.library.recordings.finish(session.id)
            #expect(await fixture.live.take(imported: item) == nil)
            try await fixture.settle()
            let versions = try await fixture.library.transcripts.versions(of: item.id)
            #expect(versions.map(\.isCurrent) == (isWanted ? [true] : []))
        }
    }

    @Test("says that the transcription of an imported recording could not be begun")
    func unqueued() async throws {
        let fixture = Fixture()
        try await fixture.library.settings.store("on", for: SettingsCatalogue.transcribesImports.name)
        let session = try await fixture.begin()
        let samples = [Int16](repeating: 1, count: Self.rate)
        try await fixture.library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
        let item = try await fixture.library.recordings.finish(session.id)
        // It goes while its import ends.
        try await fixture.library.audio.delete([item.id])
        #expect(await fixture.live.take(imported: item) == .notTranscribed)
    }

    @Test("AT10: says that a finished recording could not be queued, and tries it again on request")
    func unqueuedAtEnd() async throws {
        let fixture = Fixture()
        fixture.jobs.isFull = true
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        let failed = try await fixture.failure(of: item)
        #expect(failed.job.failure?.code == VaultError.readOnly(.diskFull).code)
        #expect(try await fixture.queue.statuses() == [failed])
        #expect(try await fixture.library.transcripts.versions(of: item.id).count == 1, "the draft stays")
        await #expect(throws: VaultError.self) { try await fixture.queue.retry(failed.id) }
        #expect(try await fixture.queue.statuses() == [failed], "it is still known")
        fixture.jobs.isFull = false
        let begun = try await fixture.queue.retry(failed.id)
        #expect(await fixture.queue.ending(of: begun.id)?.version != nil)
        #expect(try await fixture.queue.statuses().isEmpty)
        #expect(try await fixture.library.transcripts.versions(of: item.id).map(\.isCurrent) == [true, false])
    }

    @Test("AT10: forgets that a finished recording could not be queued when a person discards that, or the recording")
    func forgetsUnqueued() async throws {
        let fixture = Fixture()
        fixture.jobs.isFull = true
        for deletesRecording in [true, false] {
            let session = try await fixture.begin()
            try await fixture.say(in: session)
            let item = try await fixture.finish(session)
            let failed = try await fixture.failure(of: item)
            if deletesRecording {
                try await fixture.library.audio.delete([item.id])
            } else {
                try await fixture.queue.discard(failed.id)
            }
            #expect(try await fixture.queue.statuses().isEmpty)
            await #expect(throws: TranscriptError.jobNotFound) { try await fixture.queue.retry(failed.id) }
        }
    }

    @Test("AT10: lists no finished recording that could not be queued and cannot be read any more")
    func unreadableUnqueued() async throws {
        let fixture = Fixture()
        fixture.jobs.isFull = true
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        _ = try await fixture.failure(of: item)
        let library = try #require(fixture.library.audio as? MemoryLibrary)
        await library.makeUnreadable(item.id)
        #expect(try await fixture.queue.statuses().isEmpty)
    }

    @Test("AT10: stores that a finished recording could not be queued where that can be stored")
    func storesUnqueued() async throws {
        let fixture = Fixture()
        let session = try await fixture.begin()
        let samples = [Int16](repeating: 1, count: Self.rate)
        try await fixture.library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
        let item = try await fixture.library.recordings.finish(session.id)
        let gone = Recognizer.ID(rawValue: "scripted/gone")
        await fixture.queue.takeUnawaited(TranscriptionOrder(recognizers: [gone]), for: item)
        let failed = try await fixture.failure(of: item)
        #expect(failed.job.failure?.code == RecognitionError.noSuchRecognizer(gone).code)
        #expect(try await fixture.library.transcriptions.jobs() == [failed.job], "other programs see it too")
        _ = try await fixture.library.transcriptions.resume(failed.id)
    }

    @Test("AT10: says that a finished recording could not be queued because no list of recognizers can be read")
    func unlisted() async throws {
        let fixture = Fixture()
        try await fixture.library.settings.store("off", for: SettingsCatalogue.transcribesLive.name)
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let problem = RecognitionError.cannotStart
        fixture.recognizer.failListing(with: problem, problem, problem)
        let item = try await fixture.finish(session)
        let failed = try await fixture.failure(of: item)
        #expect(failed.job.failure?.code == problem.code)
        #expect(try await fixture.queue.statuses().map(\.id) == [failed.id], "it can be discarded")
        fixture.recognizer.failListing(with: problem)
        await #expect(throws: problem) { try await fixture.queue.retry(failed.id) }
        #expect(try await fixture.queue.statuses().map(\.id) == [failed.id], "it can be tried once more")
        let again = try await fixture.queue.retry(failed.id)
        #expect(again.job.order.recognizers == [ScriptedRecognizer.standard.id])
        _ = try await fixture.version(of: item)
        #expect(try await fixture.library.audio.text(of: item.id).hasPrefix("Good morning."))
        #expect(try await fixture.queue.statuses().allSatisfy { $0.id != failed.id })
    }

    @Test(
        "AT10: leaves a language to be found out that the recognizer would refuse also where none could be listed at first",
        arguments: [true, false],
        [("vro", nil), ("et", "et")] as [(String, String?)]
    )
    func unlistedLanguage(hasDraft: Bool, language: (spoken: String, asked: String?)) async throws {
        let fixture = Fixture(ScriptedRecognizer([Self.multilingual]))
        if !hasDraft {
            try await fixture.library.settings.store("off", for: SettingsCatalogue.transcribesLive.name)
        }
        let session = try await fixture.begin(language: language.spoken)
        try await fixture.say(in: session)
        let problem = RecognitionError.cannotStart
        fixture.recognizer.failListing(with: problem, problem, problem)
        let item = try await fixture.finish(session)
        let failed = try await fixture.failure(of: item)
        #expect((failed.job.order.draft != nil) == hasDraft)
        let again = try await fixture.queue.retry(failed.id)
        #expect(again.job.order.settings.language == language.asked)
        #expect(again.job.order.recognizers == [Self.multilingual.id])
        await fixture.queue.close()
    }

    @Test(
        "AT10: a recording whose recognisers could not be listed is heard by a chosen service only while that is wanted",
        arguments: [true, false]
    )
    func unlistedService(isWanted: Bool) async throws {
        let fixture = Fixture(ScriptedRecognizer([Self.service, ScriptedRecognizer.standard]))
        let settings = fixture.library.settings
        try await settings.store("remote/office scripted/plain", for: SettingsCatalogue.recognizers.name)
        try await settings.store("off", for: SettingsCatalogue.transcribesLive.name)
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let problem = RecognitionError.cannotStart
        fixture.recognizer.failListing(with: problem, problem, problem)
        let item = try await fixture.finish(session)
        let failed = try await fixture.failure(of: item)
        if !isWanted { try await settings.store("off", for: SettingsCatalogue.transcribesAfter.name) }
        let again = try await fixture.queue.retry(failed.id)
        let plain = ScriptedRecognizer.standard.id
        #expect(again.job.order.recognizers == (isWanted ? [Self.service.id, plain] : [plain]))
        await fixture.queue.close()
    }

    @Test(
        "AT4, AT6: one that begins in the middle, or fails, is followed by one of the whole, also where none is wanted afterwards",
        arguments: [true, false],
        [true, false]
    )
    func fallback(isLate: Bool, isWantedAfter: Bool) async throws {
        let fixture = Fixture()
        if !isWantedAfter {
            try await fixture.library.settings.store("off", for: SettingsCatalogue.transcribesAfter.name)
        }
        if !isLate { fixture.recognizer.failOpening(with: RecognitionError.recognizerDied) }
        let session = try await fixture.begin()
        if isLate {
            // Sound from before a restart, which was not transcribed.
            let samples = [Int16](repeating: 0, count: Self.rate)
            try await fixture.library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
        }
        try await fixture.say(in: session)
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        _ = try await fixture.version(of: item)
        #expect(try await fixture.library.audio.text(of: item.id) == "Good morning.\nGood night.")
        #expect(fixture.recognizer.openings == 1)
    }

    @Test func `says that nothing could be written where the only recognizer was removed meanwhile`() async throws {
        let fixture = Fixture()
        let gone = ScriptedRecognizer.standard.id
        fixture.recognizer.failOpening(with: RecognitionError.recognizerDied)
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        fixture.recognizer.remove(gone)
        let item = try await fixture.finish(session)
        let failed = try await fixture.failure(of: item)
        #expect(failed.job.failure?.code == RecognitionError.noSuchRecognizer(gone).code)
        #expect(try await fixture.queue.statuses().map(\.id) == [failed.id], "it can be tried again, or discarded")
    }

    @Test("AT13: a recognizer that is too slow is given up, and the recording does not wait for it")
    func slow() async throws {
        let (begun, gate) = (Latch(), Latch())
        let recognizer = ScriptedRecognizer { clip, number, _ in
            if number == 0 {
                begun.set()
                await gate.wait()
            }
            return ScriptedRecognizer.speech("Number \(number).", in: clip.seconds)
        }
        let fixture = Fixture(recognizer)
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        // A transcription that is given up before it begins is never opened.
        await begun.wait()
        for _ in 1..<12 { try await fixture.say(in: session) }  // 96 s, of which it transcribes almost nothing.
        gate.set()
        let item = try await fixture.finish(session)
        #expect(item.duration == 96)
        _ = try await fixture.version(of: item)
        let text = try await fixture.library.audio.text(of: item.id)
        #expect(text.split(separator: "\n").count >= 4, "\(text)")
        #expect(recognizer.openings == 2, "once while it was made, once afterwards")
    }

    @Test("hears nothing when the person wants none")
    func unwanted() async throws {
        let fixture = Fixture()
        try await fixture.library.settings.store("off", for: SettingsCatalogue.transcribesLive.name)
        try await fixture.library.settings.store("off", for: SettingsCatalogue.transcribesAfter.name)
        let session = try await fixture.begin()
        try await fixture.say(in: session)
        let item = try await fixture.finish(session)
        await fixture.live.close()
        #expect(fixture.recognizer.openings == 0)
        #expect(try await fixture.library.transcripts.versions(of: item.id).isEmpty)
        #expect(try await fixture.library.transcriptions.jobs().isEmpty)
    }

    @Test("AT9: sessions at the same time, one of them discarded, keep what is said in them apart")
    func several() async throws {
        let fixture = Fixture(ScriptedRecognizer { clip, _, _ in ScriptedRecognizer.words(in: clip) })
        let (first, second) = (try await fixture.begin(), try await fixture.begin())
        try await fixture.say(in: first)
        try await fixture.say(in: second)
        try await fixture.library.recordings.discard(second.id)
        await fixture.live.take(.ended(second.id))
        let item = try await fixture.finish(first)
        #expect(try await fixture.version(of: item).item == item.id)
        try await fixture.settle()
        #expect(fixture.recognizer.openSessions == 0)
        await #expect(throws: LibraryError.itemNotFound) {
            try await fixture.library.transcripts.versions(of: second.id)
        }
    }
}
