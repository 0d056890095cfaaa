import EchoTextTesting
import Testing

@testable import EchoText

@Suite("A passage whose sound ends early")
struct CutPassageTests {
    private static let rate = ScriptedSynthesizer.sampleRate

    private func passage(_ text: String) async throws -> Passage {
        let narration = Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: ScriptedSynthesizer(),
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 1)
        )
        let passages: [Passage] = try await narration.reduce(into: []) { $0.append($1) }
        return try #require(passages.first)
    }

    @Test("has the words that begin before its end, with times within it")
    func words() async throws {
        let whole = try await passage("The keeper sleeps tonight.")
        let third = whole.words[2]
        let end = third.samples.lowerBound + third.samples.count / 2
        let cut = try #require(whole.cut(at: end))
        #expect(cut.text == "The keeper sleeps" && cut.source == 0..<17)
        #expect(cut.words.map(\.source) == whole.words.prefix(3).map(\.source))
        #expect(cut.words.last?.samples == third.samples.lowerBound..<end)
        #expect(cut.end == end && cut.start + cut.speech == end && cut.endsSentence)
        var timing = SentenceTiming()
        let sentence = timing.add(cut)
        #expect(sentence?.samples == whole.start..<end && sentence?.text == cut.text)
    }

    @Test("is whole without its silence where all of its speech is heard, and nothing where none is")
    func ends() async throws {
        let whole = try await passage("The keeper sleeps. Waves come in.")
        let spoken = whole.start + whole.clip.samples.count
        for end in [spoken, spoken + whole.silence / 2] {
            let cut = try #require(whole.cut(at: end))
            #expect((cut.text, cut.words, cut.end) == (whole.text, whole.words, spoken))
            #expect(cut.clip.samples == whole.clip.samples && cut.decay == whole.decay)
        }
        #expect(whole.cut(at: whole.start) == nil)
    }
}
