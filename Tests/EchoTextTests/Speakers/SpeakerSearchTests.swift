import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The search for speakers", .endsInTime)
struct SpeakerSearchTests {
    /// A library with a recording of four seconds, in which two people speak for two seconds each.
    private struct Fixture {
        let vault = MemoryVault()
        let events = StudioEvents()
        let diarizer: ScriptedDiarizer
        let searches: SpeakerSearches
        let transcript: Transcript.ID

        init(_ diarizer: ScriptedDiarizer = ScriptedDiarizer(), rate: Int = RecognitionClip.sampleRate) async throws {
            self.diarizer = diarizer
            let library = vault.library
            let samples = [Int16](repeating: 900, count: 2 * rate) + [Int16](repeating: -900, count: 2 * rate)
            let order = try RecordingOrder(name: "Talk", sampleRate: rate, source: .microphone)
            let session = try await library.recordings.begin(order)
            try await library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
            let item = try await library.recordings.finish(session.id)
            let sample = Transcript.sample(["one two three four"])
            let base = Transcript(
                item: item.id,
                created: sample.created,
                source: sample.source,
                language: "en",
                segments: sample.segments
            )
            transcript = try await library.transcripts.add(base).id
            searches = SpeakerSearches(in: library, with: .scripted(diarizer: diarizer), events: events)
        }

        /// The first event of a search that fits.
        func wait(until fits: (SpeakerSearch) -> Bool) async -> SpeakerSearch? {
            for await entry in await events.subscribe(after: 0).entries {
                if case .speakers(let search) = entry.event, fits(search) { return search }
            }
            return nil
        }
    }

    @Test
    func `a scripted diarizer keeps the contract`() async throws {
        let second = RecognitionClip.sampleRate
        let samples = (0..<12).flatMap { [Float](repeating: $0.isMultiple(of: 2) ? 0.1 : -0.1, count: second) }
        try await verifyContract(of: ScriptedDiarizer(), on: AudioClip(samples: samples, sampleRate: second))
    }

    @Test(arguments: [16_000, 48_000])
    func `names the speakers in a new version, which is the current one`(rate: Int) async throws {
        let fixture = try await Fixture(rate: rate)
        let begun = try await fixture.searches.begin(fixture.transcript, .known(2))
        #expect(begun.state == .queued && begun.transcript == fixture.transcript)
        let done = try #require(await fixture.wait { !$0.state.isUnderWay })
        guard case .done(let version) = done.state else {
            Issue.record("\(done)")
            return
        }
        #expect(version.isCurrent && version.number == 2 && version.source.speakers == 2)
        let named = try await fixture.vault.library.transcripts.transcript(version.id)
        #expect(named.segments.map(\.speaker) == ["Speaker 1", "Speaker 2"])
        #expect(named.segments.map(\.text) == ["one two", "three four"])
        #expect(fixture.diarizer.counts == [.known(2)])
        #expect(await fixture.searches.searches.isEmpty, "what is done is no search any more")
        #expect(await !fixture.searches.isBusy)
    }

    @Test
    func `names the speakers in the version that a person has made current meanwhile`() async throws {
        let (listening, begun) = AsyncStream.makeStream(of: Void.self)
        let (editing, edited) = AsyncStream.makeStream(of: Void.self)
        let fixture = try await Fixture(
            ScriptedDiarizer {
                begun.finish()
                for await _ in editing {}
            }
        )
        _ = try await fixture.searches.begin(fixture.transcript, .known(2))
        for await _ in listening {}
        let transcripts = fixture.vault.library.transcripts
        let before = try await transcripts.transcript(fixture.transcript)
        let sample = Transcript.sample(["one two three five"])
        let corrected = Transcript(
            item: before.item,
            created: before.created,
            source: before.source,
            language: "en",
            segments: sample.segments
        )
        _ = try await transcripts.add(corrected)
        edited.finish()
        let done = try #require(await fixture.wait { !$0.state.isUnderWay })
        guard case .done(let version) = done.state else {
            Issue.record("\(done)")
            return
        }
        #expect(try await transcripts.transcript(version.id).segments.map(\.text) == ["one two", "three five"])
    }

    @Test
    func `reports its progress, and is stopped`() async throws {
        let fixture = try await Fixture(ScriptedDiarizer { try await untilCancelled() })
        _ = try await fixture.searches.begin(fixture.transcript, .unknown())
        let running = try #require(await fixture.wait { $0.progress > 0 })
        #expect(running.state == .running && running.progress == 0.5)
        #expect(await fixture.searches.isBusy)
        await #expect(throws: SpeakerError.busy) { try await fixture.searches.begin(fixture.transcript, .unknown()) }
        try await fixture.searches.cancel(fixture.transcript)
        #expect(await fixture.wait { $0.state == .cancelled } != nil)
        await #expect(throws: SpeakerError.notFound) { try await fixture.searches.cancel(fixture.transcript) }
        let item = running.item
        #expect(try await fixture.vault.library.transcripts.versions(of: item).count == 1, "nothing is left of it")
    }

    @Test
    func `ends with its recording`() async throws {
        let fixture = try await Fixture(ScriptedDiarizer { try await untilCancelled() })
        _ = try await fixture.searches.begin(fixture.transcript, .unknown())
        let running = try #require(await fixture.wait { $0.progress > 0 })
        try await fixture.vault.library.audio.delete([running.item])
        await fixture.searches.endAll(of: [running.item])
        #expect(await fixture.wait { $0.state == .cancelled } != nil)
        #expect(await fixture.searches.searches.isEmpty)
        await fixture.searches.close()
    }

    @Test
    func `waits for the one before it`() async throws {
        let gate = Latch()
        let fixture = try await Fixture(ScriptedDiarizer { await gate.wait() })
        let library = fixture.vault.library
        let base = try await library.transcripts.transcript(fixture.transcript)
        let second = try await library.transcripts.add(base.labelled(by: [], at: base.created)).id
        _ = try await fixture.searches.begin(fixture.transcript, .unknown())
        #expect(await fixture.wait { $0.progress > 0 } != nil)
        _ = try await fixture.searches.begin(second, .unknown())
        #expect(await fixture.searches.searches.map(\.state).contains(.queued))
        try await fixture.searches.cancel(second)
        gate.set()
        #expect(await fixture.wait { $0.transcript == fixture.transcript && !$0.state.isUnderWay } != nil)
        #expect(fixture.diarizer.counts.count == 1)
    }

    @Test
    func `says why it failed, until it is forgotten or tried again`() async throws {
        let fixture = try await Fixture()
        fixture.diarizer.fail(with: SpeakerError.died, SpeakerError.died)
        _ = try await fixture.searches.begin(fixture.transcript, .unknown())
        let failed = try #require(await fixture.wait { !$0.state.isUnderWay })
        #expect(failed.state == .failed(SpeakerError.died.failure))
        #expect(await fixture.searches.searches == [failed])
        _ = try await fixture.searches.begin(fixture.transcript, .unknown())
        try await fixture.searches.cancel(fixture.transcript)
        #expect(await fixture.searches.searches.isEmpty)
    }

    @Test
    func `is not begun without models, or for what is not there`() async throws {
        let fixture = try await Fixture(ScriptedDiarizer(isInstalled: false))
        await #expect(throws: SpeakerError.missingModels([.segmentation, .embedding])) {
            try await fixture.searches.begin(fixture.transcript, .unknown())
        }
        let other = try await Fixture()
        await #expect(throws: TranscriptError.notFound) {
            try await other.searches.begin(Transcript.ID(rawValue: "none"), .unknown())
        }
        await other.searches.close()
        await #expect(throws: VaultError.locked) { try await other.searches.begin(other.transcript, .unknown()) }
    }

    @Test
    func `says that nobody is heard in silence`() async throws {
        let fixture = try await Fixture()
        let library = fixture.vault.library
        let order = try RecordingOrder(name: "Silence", sampleRate: 16_000, source: .microphone)
        let session = try await library.recordings.begin(order)
        let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 0, count: 16_000))
        try await library.recordings.append(chunk, to: session.id)
        let item = try await library.recordings.finish(session.id)
        let sample = Transcript.sample(["one"])
        let id = try await library.transcripts.add(
            Transcript(
                item: item.id,
                created: sample.created,
                source: sample.source,
                language: "en",
                segments: sample.segments
            )
        ).id
        await #expect(throws: SpeakerError.nobodyHeard) {
            try await SpeakerFinding(in: library, with: .scripted()).find(in: id, .unknown()) { _ in }
        }
    }
}
