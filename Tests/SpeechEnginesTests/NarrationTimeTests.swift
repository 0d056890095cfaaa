import EchoText
import EchoTextTesting
import SpeechEngines
import Testing

@Suite("Times of a narration", .endsInTime)
struct NarrationTimeTests {
    // The last sample ends with a combining mark, which the plain segmenter takes for no part of a word.
    @Test(
        "of a Piper voice follow one another and end with the speech, in every script",
        arguments: scriptSamples.dropLast()
    )
    func times(_ sample: (language: String, text: String)) async throws {
        let loader = PiperModelLoader(libraries: Fixtures.library)
        let synthesizer = try await Fixtures.synthesizer(loader: loader)
        let narration = Narration(
            of: StringSource(sample.text),
            voice: try #require(try await synthesizer.voices().first),
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: sample.language),
            settings: .init(lanes: 2)
        )
        var reached = 0
        var end = 0
        for try await passage in narration {
            for word in passage.words {
                #expect(word.samples.lowerBound >= reached)
                reached = word.samples.upperBound
            }
            end = passage.start + passage.speech
            #expect(reached <= end)
        }
        #expect(end - reached <= 16_000 / 20, "the last word must end within 50 ms of the sound")
    }

    @Test("of a Piper voice do not count its decay, which ends in silence and fits into the pause")
    func decay() async throws {
        let loader = PiperModelLoader(libraries: Fixtures.library)
        let synthesizer = try await Fixtures.synthesizer(loader: loader)
        let voice = try #require(try await synthesizer.voices().first)
        let narration = Narration(
            of: StringSource("She nodded. How strange. Of stone."),
            voice: voice,
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
        let passages = try await narration.reduce(into: [Passage]()) { $0.append($1) }
        let pause = Int((NarrationSettings.Pauses().sentence * Double(voice.sampleRate)).rounded())
        for passage in passages where passage.endsSentence {
            #expect(passage.clip.samples.last == 0)
            #expect(passage.decay <= voice.sampleRate * 3 / 20)
            #expect(passage.words.allSatisfy { $0.samples.upperBound <= passage.start + passage.speech })
        }
        for passage in passages.filter(\.endsSentence).dropLast() {
            #expect(passage.decay + passage.silence == pause)
        }
        #expect(passages.filter(\.endsSentence).count == 3)
    }
}
