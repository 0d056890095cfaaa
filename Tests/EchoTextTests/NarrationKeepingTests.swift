import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("A narration that is kept", .endsInTime)
struct NarrationKeepingTests {
    private static let story =
        "# A heading\n\nThe first of them. [pause:0.5s] "
        + (1...30).map { "Number \($0) has a comma, and more. " }.joined()
        + "\n\nA last paragraph, " + String(repeating: "which goes on and on, ", count: 15) + "and ends."

    private func narration(of text: String, from beginning: Narration.Beginning) -> Narration {
        Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: ScriptedSynthesizer(),
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 3),
            from: beginning
        )
    }

    private func passages(
        of text: String = story,
        from beginning: Narration.Beginning = .start
    ) async throws -> [Passage] {
        try await narration(of: text, from: beginning).reduce(into: []) { $0.append($1) }
    }

    @Test("continues after any sentence as if it had never stopped")
    func resumes() async throws {
        let whole = try await passages()
        for (index, passage) in whole.enumerated() where passage.endsSentence {
            let beginning = Narration.Beginning(position: passage.source.upperBound, samples: passage.end)
            let rest = try await passages(from: beginning)
            #expect(rest.map(\.start) == whole[(index + 1)...].map(\.start))
            #expect(rest.map(\.clip) == whole[(index + 1)...].map(\.clip))
            #expect(rest.map(\.silence) == whole[(index + 1)...].map(\.silence))
            #expect(rest.map(\.words) == whole[(index + 1)...].map(\.words))
        }
    }

    @Test("of one sentence ends with its speech, without a pause after it")
    func noPauseAtTheEnd() async throws {
        let last = try #require(try await passages(of: "Only this.").last)
        #expect(last.silence == 0)
        let paused = try #require(try await passages(of: "Only this. [pause:2s]").last)
        #expect(paused.silence == 16_000)
    }

    /// Stores what it is given.
    private actor JobRecorder: NarrationJobs {
        private(set) var segments: [NarrationSegment] = []
        private(set) var left: NarrationJob.State?

        func begin(_ order: NarrationOrder, text: String) -> NarrationJob {
            NarrationJob(created: Date(timeIntervalSince1970: 0), order: order)
        }
        func resume(_ id: AudioItem.ID) throws -> (job: NarrationJob, text: String) { throw LibraryError.jobNotFound }
        func jobs() -> [NarrationJob] { [] }
        func keep(_ segment: NarrationSegment, for id: AudioItem.ID) { segments.append(segment) }
        func leave(_ id: AudioItem.ID, as state: NarrationJob.State, failure: Failure?) { left = state }
        func finish(_ id: AudioItem.ID) throws -> AudioItem { throw LibraryError.jobNotFound }
        func discard(_ id: AudioItem.ID) {}
        func save(played seconds: Double, ofJob id: AudioItem.ID) throws { throw LibraryError.jobNotFound }
        func played(ofJob id: AudioItem.ID) throws -> Double { throw LibraryError.jobNotFound }
        func text(ofJob id: AudioItem.ID) throws -> String { throw LibraryError.jobNotFound }
        func timings(ofJob id: AudioItem.ID) throws -> (sentences: [TimedSentence], damaged: Int) {
            throw LibraryError.jobNotFound
        }
        func samples(ofJob id: AudioItem.ID, from start: Int, limit: Int) throws -> [Int16] {
            throw LibraryError.jobNotFound
        }
    }

    @Test(
        "hands on whole sentences, some seconds at a time, and all of them in the end",
        arguments: [Duration.milliseconds(1), .seconds(1)]
    )
    func segments(work: Duration) async throws {
        let recorder = JobRecorder()
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        let long = String(repeating: Self.story + "\n\n", count: 5)
        let job = await recorder.begin(order, text: long)
        let clock = Mutex(ContinuousClock.now)
        var writer = NarrationWriter(job, in: recorder) { clock.withLock(\.self) }
        let whole = try await passages(of: long)
        for passage in whole {
            clock.withLock { $0 += work }
            try await writer.append(passage, sound: passage.clip.pcm16)
        }
        try await writer.leave(as: .stopped)

        let segments = await recorder.segments
        #expect(segments.count > 1)
        #expect(
            segments.flatMap(\.sound.samples)
                == whole.flatMap { $0.clip.pcm16 + Array(repeating: 0, count: $0.silence) }
        )
        #expect(segments.flatMap(\.sentences).count == Set(whole.map(\.sentence)).count)
        #expect(segments.last?.nextSentence == (whole.last?.sentence ?? 0) + 1)
        for segment in segments.dropLast() {
            let seconds = Double(segment.sound.count) / 8_000
            #expect(seconds >= NarrationWriter.segmentSeconds.lowerBound)
            // An engine that takes its time is not waited for until the most is reached.
            let isShort = seconds < NarrationWriter.segmentSeconds.upperBound
            #expect(isShort == (work == .seconds(1)))
        }
        #expect(await recorder.left == .stopped)
    }

    @Test("keeps a text without the end of a sentence in it part by part")
    func keepsTextWithout() async throws {
        let recorder = JobRecorder()
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        let endless = String(repeating: "words that go on, and on and on without an end ", count: 900)
        var writer = NarrationWriter(await recorder.begin(order, text: endless), in: recorder)
        let whole = try await passages(of: endless)
        var most = 0
        for passage in whole {
            try await writer.append(passage, sound: passage.clip.pcm16)
            most = max(most, passage.end - writer.storedSamples)
        }
        #expect(whole.map(\.text).joined().filter { !$0.isWhitespace } == endless.filter { !$0.isWhitespace })
        // Sentences of 4,096 units, a hundredth of a second each, and segments of a minute.
        #expect(Double(most) / 8_000 < 120, "\(Double(most) / 8_000) s would be lost")
        let segments = await recorder.segments
        #expect(segments.count >= 3)
        let half = try #require(segments.dropFirst(segments.count / 2).first)
        let kept = segments.prefix(segments.count / 2 + 1).map(\.sound.count).reduce(0, +)
        let rest = try await passages(of: endless, from: .init(position: half.position, samples: kept))
        #expect(rest.map(\.clip) == whole.suffix(rest.count).map(\.clip) && rest.first?.start == kept)
    }

    @Test("leaves the sentence that was begun for the next time")
    func halfSentence() async throws {
        let recorder = JobRecorder()
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        var writer = NarrationWriter(await recorder.begin(order, text: Self.story), in: recorder)
        let long = "One sentence, " + String(repeating: "as long as it takes, ", count: 30) + "and its end."
        let begun = try #require(try await passages(of: long).first { !$0.endsSentence })
        try await writer.append(begun, sound: begun.clip.pcm16)
        try await writer.leave(as: .failed, failure: .init(SynthesisError.nothingToSay))
        #expect(await recorder.segments.isEmpty)
    }

    @Test func `stays unfinished when its part is to be kept before a sentence is whole`() async throws {
        let library = MemoryVault().library
        let count = Mutex(0)
        let synthesizer = ScriptedSynthesizer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 1 { try await untilCancelled() }
        }
        let narrator = Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter())
        let narration = StoredNarration(in: library, by: narrator, lanes: 1)
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        let long = "One sentence, " + String(repeating: "as long as it takes, ", count: 30) + "and its end."
        let begun = Latch()
        let left = Mutex<[AudioItem.ID]>([])
        let listener = StoredNarration.Listener(
            left: { id in left.withLock { $0.append(id) } },
            kept: { _ in begun.set() }
        )
        let making = Task { try await narration.make(long, as: order, keepsPart: true, listener: listener) }
        await begun.wait()
        making.cancel()
        await #expect(throws: CancellationError.self) { try await making.value }
        let job = try #require(try await library.jobs.jobs().first)
        #expect(job.state == .stopped && left.withLock(\.self) == [job.id], "it is said how to continue it")
        #expect(try await library.jobs.text(ofJob: job.id) == long)
    }

    @Test("says how fast the voice speaks, of documents too, but not of what was kept from before")
    func pace() async throws {
        let long = (1...60).map { "Number \($0) is another sentence of some length. " }.joined()
        let (library, clock) = (MemoryVault().library, ManualClock())
        let count = Mutex(0)
        let synthesizer = ScriptedSynthesizer { _ in
            clock.advance(by: .seconds(1))
            count.withLock { $0 += 1 }
        }
        let narrator = Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter(), version: { _ in "1" })
        let narration = StoredNarration(in: library, by: narrator, lanes: 1, clock: clock) {
            Date(timeIntervalSince1970: 1_790_000_000)
        }
        var order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        order.document = DocumentLink(id: "a-document")
        var counts: [Int] = []
        var speeds: [Double?] = []
        for _ in 1...2 {
            _ = try await narration.make(long, as: order, keepsPart: false, listener: .init())
            let record = try await library.voices.records()[order.voice.id]
            #expect(record?.lastUsed == 1_790_000_000)
            speeds.append(record?.speed)
            counts.append(count.withLock(\.self))
        }
        #expect(counts[0] > 1 && counts[1] == counts[0], "the second time all of it is kept")
        #expect(try #require(speeds[0]) > 0 && speeds[0] == speeds[1])
    }

    @Test("remembers a voice that was disabled, until it has spoken")
    func disabled() async throws {
        let library = MemoryVault().library
        let failing = ScriptedSynthesizer { _ in throw VoiceFolderError.disabled("x.onnx", deaths: 3) }
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        func keep(by synthesizer: ScriptedSynthesizer) async throws {
            let narrator = Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter())
            _ = try await StoredNarration(in: library, by: narrator, lanes: 1)
                .make("Hello there.", as: order, keepsPart: false, listener: .init())
        }
        await #expect(throws: VoiceFolderError.disabled("x.onnx", deaths: 3)) { try await keep(by: failing) }
        #expect(try await library.voices.records()[order.voice.id]?.disabledBy == "voice.set-aside")
        try await keep(by: ScriptedSynthesizer())
        #expect(try await library.voices.records()[order.voice.id]?.disabledBy == nil)
    }

    @Test("holds samples as files do: clipped, and silent where there is no number")
    func samples() {
        let clip = AudioClip(samples: [0.5, -2, 2, .nan, 0], sampleRate: 8_000)
        #expect(clip.pcm16 == [16_384, -32_767, 32_767, 0, 0])
    }
}
