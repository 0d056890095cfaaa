import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("A narration whose voice was installed again as another one", .endsInTime)
struct ChangedVoiceTests {
    private static let text = "One sentence is here. Another one follows it."
    /// Where its first sentence ends, in UTF-16 units.
    private static let firstEnd = 21

    /// The narrator as it was when the narration was begun.
    private static func former(speakers: Int = 2, sampleRate: Int = ScriptedSynthesizer.sampleRate) -> Voice {
        let voice = ScriptedSynthesizer.narrator
        return Voice(
            id: voice.id,
            name: voice.givenName,
            language: voice.language,
            engine: voice.engine,
            speakers: speakers,
            sampleRate: sampleRate
        )
    }

    private static let formers = [former(sampleRate: 16_000), former(speakers: 5)]

    private let library = MemoryVault().library

    private var narration: StoredNarration {
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        return StoredNarration(in: library, by: narrator, lanes: 1)
    }

    /// A narration of which the first sentence is stored.
    private func begun(with voice: Voice) async throws -> NarrationJob {
        let job = try await library.jobs.begin(NarrationOrder(name: "Story", voice: voice), text: Self.text)
        let sound = SampleRuns([Int16](repeating: 1_000, count: voice.sampleRate))
        try await library.jobs.keep(
            NarrationSegment(sound: sound, sentences: [], position: Self.firstEnd, nextSentence: 1),
            for: job.id
        )
        try await library.jobs.leave(job.id, as: .stopped, failure: nil)
        return job
    }

    @Test(
        "is not continued at another speed and pitch, nor by another person, and what there is of it stays",
        arguments: formers
    )
    func refused(_ voice: Voice) async throws {
        let job = try await begun(with: voice)
        await #expect(throws: SynthesisError.voiceChanged(voice.id)) {
            try await narration.resume(job.id, keepsPart: false, listener: .init())
        }
        let left = try #require(try await library.jobs.jobs().first)
        #expect(left.state == .failed && left.failure?.code == "voice.changed")
        #expect(left.samples == voice.sampleRate && left.position == Self.firstEnd)
        _ = try await library.jobs.resume(job.id)
        let part = try await library.jobs.finish(job.id)
        #expect(part.duration == 1 && part.sampleRate == voice.sampleRate)
    }

    @Test("is continued when the voice is as it was")
    func same() async throws {
        let job = try await begun(with: Self.former())
        let item = try await narration.resume(job.id, keepsPart: false, listener: .init())
        #expect(item.duration > 1)
        #expect(try await library.audio.text(of: item.id) == Self.text)
    }

    @Test("ends where sound of another rate comes, before any of that is heard")
    func meanwhile() async throws {
        let narration = Narration(
            of: StringSource(Self.text),
            voice: Self.former(sampleRate: 16_000),
            synthesizer: ScriptedSynthesizer(),
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
        let passages = narration.makeAsyncIterator()
        await #expect(throws: SynthesisError.voiceChanged(ScriptedSynthesizer.narrator.id)) {
            try await passages.next()
        }
    }
}
