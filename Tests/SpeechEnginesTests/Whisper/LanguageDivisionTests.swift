import Testing

@testable import SpeechEngines

@Suite("Division of a sound by languages")
struct LanguageDivisionTests {
    private func guess(_ language: String, _ probability: Double = 0.9) -> LanguageDivision.Guess {
        LanguageDivision.Guess(language: language, probability: probability)
    }

    private func part(_ frames: Range<Int>, _ language: String?) -> LanguageDivision.Part {
        LanguageDivision.Part(frames: frames, language: language)
    }

    @Test
    func `stretches are parted by a second of silence`() {
        func sound(_ frames: [(count: Int, size: Float)]) -> [Float] {
            frames.flatMap { [Float](repeating: $0.size, count: $0.count * WhisperModel.frame) }
        }
        func stretches(_ samples: [Float]) -> [Range<Int>] {
            LanguageDivision.stretches(of: samples, silentUpTo: 0.001)
        }
        #expect(stretches(sound([(10, 0.001), (20, -0.1), (50, 0), (30, 0.002), (5, 0)])) == [10..<30, 80..<110])
        #expect(stretches(sound([(20, 0.1), (49, 0), (30, 0.1)])) == [0..<99])
        #expect(stretches(sound([(20, 0)])).isEmpty && stretches([]).isEmpty)
        #expect(stretches(sound([(20, 0)]) + [0.1]) == [20..<21], "the last frame may be incomplete")
    }

    @Test
    func `a sound is divided in the silence before another language`() {
        let stretches = [0..<200, 300..<500, 600..<800]
        func parts(_ guesses: [LanguageDivision.Guess?]) -> [LanguageDivision.Part] {
            LanguageDivision.parts(of: stretches, guesses, frames: 820)
        }
        #expect(parts([guess("en"), guess("en"), guess("en")]) == [part(0..<820, "en")])
        #expect(parts([guess("en"), guess("de"), guess("de")]) == [part(0..<250, "en"), part(250..<820, "de")])
        let there = [part(0..<250, "en"), part(250..<550, "de"), part(550..<820, "en")]
        #expect(parts([guess("en"), guess("de"), guess("en")]) == there)
    }

    @Test
    func `a guess that is improbable or of little sound is not believed`() {
        let stretches = [0..<200, 300..<399, 500..<800]
        func parts(_ guesses: [LanguageDivision.Guess?]) -> [LanguageDivision.Part] {
            LanguageDivision.parts(of: stretches, guesses, frames: 800)
        }
        #expect(parts([guess("en"), guess("cy"), guess("en")]) == [part(0..<800, "en")])
        #expect(parts([guess("en", 0.5), nil, guess("de")]) == [part(0..<800, "de")])
        #expect(parts([guess("en"), nil, guess("de", 0.4)]) == [part(0..<800, "en")])
        #expect(parts([guess("en"), nil, guess("de")]) == [part(0..<449, "en"), part(449..<800, "de")])
        #expect(parts([nil, guess("cy"), guess("de", .nan)]) == [part(0..<800, nil)])
        #expect(LanguageDivision.parts(of: [], [], frames: 9) == [part(0..<9, nil)])
    }

    @Test
    func `the likeliest language is guessed, as probable as it is among languages`() throws {
        let logits: [Float] = [9, 1, 3, 1]
        let guess = try #require(LanguageDivision.Guess(["en": 1, "de": 2, "et": 3], logits))
        #expect(guess.language == "de" && abs(guess.probability - 0.7869860421615985) < 1e-6)
        #expect(LanguageDivision.Guess(["en": 0], logits)?.probability == 1)
        #expect(LanguageDivision.Guess([:], logits) == nil && LanguageDivision.Guess(["en": 7], logits) == nil)
    }
}
