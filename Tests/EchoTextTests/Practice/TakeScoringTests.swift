import EchoTextTesting
import Foundation
import Testing

@testable import EchoText

@Suite("Score of a take")
struct TakeScoringTests {
    /// Something loud enough to be speech: syllables of a low voice.
    private static func voice(_ stretches: [(sound: Double, pause: Double)], sampleRate: Int = 16_000) -> AudioClip {
        var samples: [Float] = []
        for (sound, pause) in stretches {
            samples += (0..<Int(sound * Double(sampleRate))).map { index in
                let time = Double(index) / Double(sampleRate)
                let syllable = 0.6 + 0.4 * sin(2 * .pi * 4 * time)
                let tone = (1...5).reduce(0.0) { $0 + sin(2 * .pi * 120 * Double($1) * time) / Double($1) }
                return Float(0.2 * syllable * tone)
            }
            samples += [Float](repeating: 0, count: Int(pause * Double(sampleRate)))
        }
        return AudioClip(samples: samples, sampleRate: sampleRate)
    }

    /// Consecutive words, each half a second long.
    private static func speech(_ text: String) -> RecognizedSpeech {
        let words = text.spokenWords.enumerated().map { index, source in
            RecognizedWord(source: source, start: Double(index) / 2, end: Double(index + 1) / 2)
        }
        return RecognizedSpeech(text: text, words: words, timing: .words)
    }

    private func score(_ segment: String, heard: String, _ language: String = "en") -> TakeScore {
        let words = segment.spokenWords.enumerated().map { index, source in
            TimedWord(source: source, samples: 4_000 * index..<4_000 * (index + 1), precision: .exact)
        }
        let scoring = TakeScoring(
            of: segment,
            TextPreparation(language: language),
            model: Self.voice([(2, 0)]),
            words: words
        )
        return scoring.score(of: Self.voice([(3, 0)]), recognized: Self.speech(heard))
    }

    private func kinds(_ score: TakeScore) -> String {
        score.words.map { $0.kind == .said ? "s" : $0.kind == .missed ? "m" : "d" }.joined()
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let language: String
        let segment: String
        let heard: String
        let kinds: String
        let score: Double
        var extra: [String] = []
        var testDescription: String { "\(language): \(segment) | \(heard)" }

        init(
            _ language: String,
            _ segment: String,
            _ heard: String,
            _ kinds: String,
            _ score: Double,
            extra: [String] = []
        ) {
            (self.language, self.segment, self.heard) = (language, segment, heard)
            (self.kinds, self.score, self.extra) = (kinds, score, extra)
        }
    }

    static let examples: [Example] = [
        Example("en", "The keeper sleeps at night.", "the keeper sleeps at night", "sssss", 1),
        Example("en", "The keeper sleeps at night.", "The keeper sleeps", "sssmm", 0.6),
        Example("en", "The keeper sleeps at night.", "", "mmmmm", 0),
        Example("en", "The keeper sleeps at night.", "The sleeper sings at night", "sddss", 0.6),
        Example(
            "en",
            "The keeper sleeps at night.",
            "Well, the keeper sleeps at night",
            "sssss",
            5.0 / 6,
            extra: ["Well"]
        ),
        Example(
            "en",
            "The keeper sleeps.",
            "The keeper sleeps sleeps sleeps",
            "sss",
            0.6,
            extra: ["sleeps", "sleeps"]
        ),
        Example("en", "It has 3 rooms.", "It has three rooms", "ssss", 1),
        Example("en", "It has three rooms.", "It has 3 rooms.", "ssss", 1),
        Example("en", "Born in 1984, he left.", "Born in nineteen eighty-four, he left.", "sssss", 1),
        Example("en", "Born in 1984, he left.", "Borne on nineteen eighty four, she left.", "sdsds", 0.6),
        Example("en", "We like ice cream.", "We like icecream.", "ssss", 1),
        Example("en", "We like icecream.", "We like ice cream.", "sss", 1),
        Example("en", "The colour is grey.", "The color is gray.", "ssss", 1),
        Example("et", "Majas on 3 tuba.", "majas on kolm tuba", "ssss", 1),
        Example("et", "Õues on külm ja pime.", "õues on külm", "sssmm", 0.6),
        Example("de", "Wir kommen um 5.", "Wir kommen um fünf", "ssss", 1),
        Example("zh", "今天天气很好。", "今天天气很好", "ssssss", 1),
        Example("zh", "今天天气很好。", "今天天气", "ssssmm", 4.0 / 6),
        Example("ja", "元気ですか？", "元気です", "ssssm", 0.8),
        Example("th", "ฉันชอบ", "ฉันชอบ", "sssss", 1),
    ]

    @Test("says what became of each word", arguments: examples)
    func words(_ example: Example) throws {
        let score = score(example.segment, heard: example.heard, example.language)
        #expect(kinds(score) == example.kinds)
        #expect(abs(try #require(score.score) - example.score) < 1e-9)
        #expect(score.extra.map(\.heard) == example.extra)
        #expect(score.reason == nil)
    }

    @Test("is small for another text, and about half for half of it")
    func shares() throws {
        let text = "Once there was a keeper who lived in a tall white lighthouse by the cold grey sea."
        let other = "Please bring four large boxes of paper to our office before Tuesday morning, thank you."
        #expect(try #require(score(text, heard: text).score) >= 0.9)
        #expect(try #require(score(text, heard: other).score) <= 0.3)
        let half = text.split(separator: " ").prefix(8).joined(separator: " ")
        #expect((0.4...0.6).contains(try #require(score(text, heard: half).score)))
    }

    @Test("says where words are written, what was heard instead, and when")
    func places() throws {
        let score = score("The keeper sleeps.", heard: "The teacher sleeps now.")
        let word = score.words[1]
        #expect(word.kind == .different && word.source == 4..<10 && word.heard == "teacher")
        #expect(word.take == 0.5..<1 && word.model == 0.25..<0.5)
        #expect(score.words[0].heard == nil)
        #expect(score.extra == [.init(heard: "now", after: 3, time: 1.5..<2)])
    }

    @Test("has no times where the recognizer gives none")
    func untimed() {
        let scoring = TakeScoring(
            of: "Red lorry.",
            TextPreparation(language: "en"),
            model: Self.voice([(1, 0)]),
            words: []
        )
        let score = scoring.score(of: Self.voice([(1, 0)]), recognized: RecognizedSpeech(text: "red lorry"))
        #expect(score.score == 1 && score.words.allSatisfy { $0.take == nil && $0.model == nil })
    }

    @Test("is nothing for silence and for noise, whatever a recognizer makes of it")
    func silence() throws {
        var random = SeededNumbers(seed: 7)
        let noise = (0..<48_000).map { _ in Float.random(in: -0.02...0.02, using: &random) }
        for samples in [[Float](repeating: 0, count: 48_000), noise, []] {
            let scoring = TakeScoring(
                of: "Thank you.",
                TextPreparation(language: "en"),
                model: Self.voice([(1, 0)]),
                words: []
            )
            let take = AudioClip(samples: samples, sampleRate: 16_000)
            let score = scoring.score(of: take, recognized: Self.speech("Thank you."))
            #expect(score.score == 0 && score.pace.take == nil && score.words.allSatisfy { $0.kind == .missed })
        }
    }

    @Test("has pace and pauses of both, also without a recognizer")
    func pace() throws {
        let scoring = TakeScoring(
            of: "One two three four five six.",
            TextPreparation(language: "en"),
            model: Self.voice([(2, 0)], sampleRate: 22_050),
            words: []
        )
        let score = scoring.score(of: Self.voice([(1, 0.2), (1, 0.5), (1.5, 1)]), without: .noRecognizer)
        #expect(score.score == nil && score.reason == .noRecognizer && score.words.isEmpty)
        #expect(abs(try #require(score.pace.model) - 180) < 2)
        #expect(abs(try #require(score.pace.take) - 6 * 60 / 4.2) < 4)
        #expect(score.pauses.model.isEmpty)
        let pause = try #require(score.pauses.take.first)
        #expect(score.pauses.take.count == 1)
        #expect(abs(pause.lowerBound - 2.2) < 0.05 && abs(pause.upperBound - 2.7) < 0.05)
    }

    @Test("has the pace of the voice alone, however long the person waits before they speak and after it")
    func latePace() throws {
        let scoring = TakeScoring(
            of: "The keeper sleeps at night.",
            TextPreparation(language: "en"),
            model: Self.voice([(2, 0)]),
            words: []
        )
        let late = Self.voice([(0, 0.7), (2.5, 0.6)])
        let score = scoring.score(of: late, recognized: Self.speech("The keeper sleeps at night"))
        #expect(abs(try #require(score.pace.take) - 5 * 60 / 2.5) < 3)
        #expect(score.pauses.take.isEmpty)
    }

    @Test("is written and read")
    func coding() throws {
        let score = score("The keeper sleeps.", heard: "The teacher sleeps now.")
        #expect(try JSONDecoder().decode(TakeScore.self, from: JSONEncoder().encode(score)) == score)
    }

    @Test("compares many words with many others")
    func manyWords() throws {
        var random = SeededNumbers(seed: 3)
        let words = (0..<600).map { _ in
            String((0..<6).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
        }
        let others = words.enumerated().map { $0 % 2 == 0 ? $1 : String($1.reversed()) }
        let score = score(words.joined(separator: " "), heard: others.joined(separator: " "))
        #expect(abs(try #require(score.score) - 0.5) < 0.05)
    }
}

@Suite("Picture of a sound")
struct SoundPictureTests {
    private func clip(seconds: Double, sampleRate: Int, _ pitch: (Double) -> Double) -> AudioClip {
        var phase = 0.0
        let samples = (0..<Int(seconds * Double(sampleRate))).map { index in
            phase += pitch(Double(index) / Double(sampleRate)) / Double(sampleRate)
            return Float((1...4).reduce(0.0) { $0 + 0.2 * sin(2 * .pi * phase * Double($1)) / Double($1) })
        }
        return AudioClip(samples: samples, sampleRate: sampleRate)
    }

    @Test("has the pitch of voices from low to high", arguments: [80.0, 120, 200, 310, 440], [16_000, 22_050, 48_000])
    func pitch(_ pitch: Double, _ sampleRate: Int) {
        let picture = SoundPicture(of: clip(seconds: 0.5, sampleRate: sampleRate) { _ in pitch })
        let found = picture.pitch.prefix(20).compactMap(\.self)
        #expect(found.count == 20)
        #expect(found.allSatisfy { abs($0 - pitch) < 0.02 * pitch }, "\(found)")
    }

    @Test("follows a melody")
    func melody() {
        let picture = SoundPicture(of: clip(seconds: 1, sampleRate: 16_000) { 120 + 100 * $0 })
        for (index, pitch) in picture.pitch.enumerated().dropLast(4) {
            let time = Double(index) * picture.step + 0.02
            #expect(abs((pitch ?? 0) - (120 + 100 * time)) < 8, "at \(time) s")
        }
    }

    @Test("has no pitch where there is none")
    func unvoiced() {
        var random = SeededNumbers(seed: 1)
        let noise = (0..<16_000).map { _ in Float.random(in: -0.3...0.3, using: &random) }
        let noisy = SoundPicture(of: AudioClip(samples: noise, sampleRate: 16_000))
        #expect(noisy.pitch.count { $0 != nil } < noisy.pitch.count / 10)
        let silent = SoundPicture(of: AudioClip(samples: [Float](repeating: 0, count: 8_000), sampleRate: 16_000))
        #expect(silent.pitch.allSatisfy { $0 == nil } && silent.loudness.allSatisfy { $0 == -96 })
        #expect(SoundPicture(of: AudioClip(samples: [], sampleRate: 16_000)).pitch.isEmpty)
    }

    @Test("has no pitch at a rate at which no voice can be heard", arguments: [1, 59, 119])
    func lowRate(rate: Int) {
        let picture = SoundPicture(of: AudioClip(samples: [Float](repeating: 0.5, count: 4 * rate), sampleRate: rate))
        #expect(!picture.pitch.isEmpty && picture.pitch.allSatisfy { $0 == nil })
    }

    @Test("has the loudness, and no more values than are drawn")
    func loudness() {
        let square = (0..<16_000).map { Float($0 / 40 % 2 == 0 ? 0.1 : -0.1) }
        let picture = SoundPicture(of: AudioClip(samples: square, sampleRate: 16_000))
        #expect(picture.loudness.dropLast(2).allSatisfy { abs($0 + 20) < 0.1 })
        let long = AudioClip(samples: [Float](repeating: 0, count: 600 * 8_000), sampleRate: 8_000)
        #expect(SoundPicture(of: long).loudness.count <= 3_000)
    }
}
