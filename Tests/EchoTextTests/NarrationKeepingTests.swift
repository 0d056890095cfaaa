import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("A narration that is kept")
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

    @Test("goes on after any sentence as if it had never stopped")
    func goesOn() async throws {
        let whole = try await passages()
        for (index, passage) in whole.enumerated() where passage.endsSentence {
            let rest = try await passages(from: .init(sentence: passage.sentence + 1, samples: passage.end))
            #expect(rest.map(\.start) == whole[(index + 1)...].map(\.start))
            #expect(rest.map(\.clip) == whole[(index + 1)...].map(\.clip))
            #expect(rest.map(\.words) == whole[(index + 1)...].map(\.words))
        }
    }

    /// Remembers what it was given.
    private actor Drawer: NarrationJobs {
        private(set) var segments: [NarrationSegment] = []
        private(set) var left: NarrationJob.State?

        func begin(_ order: NarrationOrder, text: String) -> NarrationJob {
            NarrationJob(created: Date(timeIntervalSince1970: 0), order: order)
        }
        func resume(_ id: AudioItem.ID) throws -> (job: NarrationJob, text: String) { throw LibraryError.jobNotFound }
        func jobs() -> [NarrationJob] { [] }
        func keep(_ segment: NarrationSegment, for id: AudioItem.ID) { segments.append(segment) }
        func leave(_ id: AudioItem.ID, as state: NarrationJob.State, failure: NarrationJob.Failure?) { left = state }
        func finish(_ id: AudioItem.ID) throws -> AudioItem { throw LibraryError.jobNotFound }
        func discard(_ id: AudioItem.ID) {}
        func text(ofJob id: AudioItem.ID) throws -> String { throw LibraryError.jobNotFound }
        func timings(ofJob id: AudioItem.ID) throws -> [TimedSentence] { throw LibraryError.jobNotFound }
        func samples(ofJob id: AudioItem.ID, from start: Int, limit: Int) throws -> [Int16] {
            throw LibraryError.jobNotFound
        }
    }

    @Test(
        "hands on whole sentences, some seconds at a time, and all of them in the end",
        arguments: [Duration.milliseconds(1), .seconds(1)]
    )
    func segments(work: Duration) async throws {
        let drawer = Drawer()
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        let long = String(repeating: Self.story + "\n\n", count: 5)
        let job = await drawer.begin(order, text: long)
        let clock = Mutex(ContinuousClock.now)
        var keeper = NarrationKeeper(job, in: drawer) { clock.withLock(\.self) }
        let whole = try await passages(of: long)
        for passage in whole {
            clock.withLock { $0 += work }
            try await keeper.append(passage)
        }
        try await keeper.leave(as: .stopped)

        let segments = await drawer.segments
        #expect(segments.count > 1)
        #expect(segments.flatMap(\.samples) == whole.flatMap(\.clip.pcm16))
        #expect(segments.flatMap(\.sentences).count == Set(whole.map(\.sentence)).count)
        #expect(segments.last?.nextSentence == (whole.last?.sentence ?? 0) + 1)
        for segment in segments.dropLast() {
            let seconds = Double(segment.samples.count) / 8_000
            #expect(seconds >= NarrationKeeper.segmentSeconds.lowerBound)
            // An engine that takes its time is not waited for until the most is reached.
            let isShort = seconds < NarrationKeeper.segmentSeconds.upperBound
            #expect(isShort == (work == .seconds(1)))
        }
        #expect(await drawer.left == .stopped)
    }

    @Test("leaves the sentence that was begun for the next time")
    func halfSentence() async throws {
        let drawer = Drawer()
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        var keeper = NarrationKeeper(await drawer.begin(order, text: Self.story), in: drawer)
        let begun = try #require(try await passages().first { !$0.endsSentence })
        try await keeper.append(begun)
        try await keeper.leave(as: .failed, failure: .init(SynthesisError.nothingToSay))
        #expect(await drawer.segments.isEmpty)
    }

    @Test("holds samples as files do: clipped, and silent where there is no number")
    func samples() {
        let clip = AudioClip(samples: [0.5, -2, 2, .nan, 0], sampleRate: 8_000)
        #expect(clip.pcm16 == [16_384, -32_767, 32_767, 0, 0])
    }
}
