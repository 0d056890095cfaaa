import EchoText
import Testing

@Suite("The segments of a transcript")
struct TranscriptAssemblyTests {
    private static let rate = RecognitionClip.sampleRate

    /// A clip of speech only.
    private static func clip(_ seconds: Range<Double>, before: Bool = false, after: Bool = false) -> SpeechClip {
        let range = Int(seconds.lowerBound * Double(rate))..<Int(seconds.upperBound * Double(rate))
        let window = VoiceWindow(isSpeech: true, level: -20)
        return SpeechClip(
            range: range,
            windows: Array(repeating: window, count: range.count / VoiceWindow.samples),
            overlapsPrevious: before,
            overlapsNext: after
        )
    }

    /// The words of `text`, each half a second long from `start` on.
    private static func heard(_ text: String, from start: Double = 0) -> RecognizedSpeech {
        var words: [RecognizedWord] = []
        var place = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let time = start + Double(words.count) / 2
            words.append(
                RecognizedWord(source: place..<place + word.utf16.count, start: time, end: time + 0.5, confidence: 0.9)
            )
            place += word.utf16.count + 1
        }
        return RecognizedSpeech(text: text, words: words, timing: .tokens)
    }

    @Test("A segment ends where a sentence ends")
    func sentences() {
        var assembly = TranscriptAssembly(offset: 100)
        let segments = assembly.add(Self.heard("It rains. We stay at home."), of: Self.clip(10..<14))
        #expect(segments.map(\.text) == ["It rains.", "We stay at home."])
        #expect(segments[0].time == 110..<111)
        #expect(segments[1].words[0].start == 111)
        #expect(segments[1].words[1].source == 3..<7)
    }

    @Test(
        "A title is no end of a sentence, and neither is a small letter",
        arguments: [
            "Then Dr. Smith came.", "We saw it at 5 p.m. and left.",
        ]
    )
    func abbreviations(text: String) {
        var assembly = TranscriptAssembly()
        #expect(assembly.add(Self.heard(text), of: Self.clip(0..<5)).map(\.text) == [text])
    }

    @Test("A segment ends where the speaker pauses, and before it is too long")
    func pauses() {
        var speech = Self.heard("one two three four")
        for place in 2..<4 {
            speech.words[place].start += 1
            speech.words[place].end += 1
        }
        var assembly = TranscriptAssembly()
        #expect(assembly.add(speech, of: Self.clip(0..<5)).map(\.text) == ["one two", "three four"])
        let long = assembly.add(
            Self.heard(Array(repeating: "on", count: 50).joined(separator: " ")),
            of: Self.clip(5..<33)
        )
        #expect(long.count == 2)
        #expect(long.allSatisfy { $0.time.upperBound - $0.time.lowerBound <= 15 })
    }

    @Test("Where clips overlap no word is lost or doubled")
    func seam() {
        var assembly = TranscriptAssembly()
        let first = assembly.add(Self.heard("the old man went to the sea aga"), of: Self.clip(0..<4, after: true))
        #expect(first.isEmpty && !assembly.isComplete)
        // Heard from 3 s on, a tenth late.
        let next = assembly.add(Self.heard("the sea again and sang", from: 0.1), of: Self.clip(2.5..<6, before: true))
        #expect((first + next).map(\.text) == ["the old man went to the sea again and sang"])
        #expect(assembly.isComplete)
    }

    @Test(
        "Where clips overlap there is a space between words, wherever the seam is",
        arguments: [
            ("heard in the cold", "the cold rain", "heard in the cold rain"),
            ("a mill", "stood still", "a mill stood still"),
        ]
    )
    func spaces(first: String, second: String, joined: String) {
        var assembly = TranscriptAssembly()
        let count = first.split(separator: " ").count
        _ = assembly.add(Self.heard(first), of: Self.clip(0..<Double(count) / 2, after: true))
        let shared = first.hasSuffix("the cold") ? 1.0 : 0
        let start = Double(count) / 2 - shared
        let next = assembly.add(Self.heard(second), of: Self.clip(start..<start + 2, before: true))
        #expect(next.map(\.text) == [joined])
    }

    @Test("In sound without a gap, sentences that no seam can change are there at once")
    func unbroken() {
        let sentence = "One two three four five six seven eight nine ten. "
        let text = String(repeating: sentence, count: 5) + "And one more"
        var assembly = TranscriptAssembly()
        let first = assembly.add(Self.heard(text), of: Self.clip(0..<28, after: true))
        #expect(first.map(\.text) == Array(repeating: String(sentence.dropLast()), count: 4))
        let next = assembly.add(Self.heard("one more word.", from: 0.5), of: Self.clip(25..<28, before: true))
        #expect(next.map(\.text) == [String(sentence.dropLast()), "And one more word."])
    }

    @Test("Where clips of a script without spaces overlap there is none between words")
    func noSpaces() {
        var assembly = TranscriptAssembly()
        _ = assembly.add(RecognizedSpeech(text: "今日は"), of: Self.clip(0..<3, after: true))
        let next = assembly.add(RecognizedSpeech(text: "は雨だ"), of: Self.clip(2..<5, before: true))
        #expect(next.map(\.text) == ["今日は雨だ"])
        #expect(next.flatMap(\.words).map(\.source) == [0..<1, 1..<2, 2..<3, 3..<4, 4..<5])
    }

    @Test("The first word of a clip has the signs before it; other signs are between words")
    func signs() {
        var speech = RecognizedSpeech(text: "“Yes” – no. “Why?”", timing: .tokens)
        speech.words = [
            RecognizedWord(source: 1..<4, start: 0, end: 0.5), RecognizedWord(source: 8..<11, start: 0.5, end: 1),
            RecognizedWord(source: 13..<18, start: 1, end: 1.5),
        ]
        var assembly = TranscriptAssembly()
        let segments = assembly.add(speech, of: Self.clip(0..<2))
        #expect(segments.map(\.text) == [speech.text])
        #expect(segments.flatMap(\.words).map(\.source) == [0..<4, 8..<11, 13..<18])
    }

    @Test("The words of a segment have no passages: its timing says how exact their times are")
    func passages() {
        var speech = Self.heard("one two")
        speech.timing = .segments
        for place in speech.words.indices {
            (speech.words[place].isEstimated, speech.words[place].passage) = (true, 0..<1)
        }
        var assembly = TranscriptAssembly()
        let segments = assembly.add(speech, of: Self.clip(0..<2))
        #expect(segments.map(\.timing) == [.segments])
        #expect(segments.flatMap(\.words).allSatisfy { $0.passage == nil && !$0.isEstimated })
    }

    @Test("A word that is said twice within a second joins overlapping clips where both heard it")
    func wordSaidTwice() {
        var assembly = TranscriptAssembly()
        _ = assembly.add(Self.heard("here and there and"), of: Self.clip(0..<2, after: true))
        let next = assembly.add(Self.heard("and so on", from: 0.4), of: Self.clip(1..<4, before: true))
        #expect(next.map(\.text) == ["here and there and so on"])
    }

    @Test("Where overlapping clips share no word, each counts up to the middle")
    func seamWithoutWords() {
        var assembly = TranscriptAssembly()
        _ = assembly.add(Self.heard("alpha beta gamma delta"), of: Self.clip(0..<2, after: true))
        let next = assembly.add(Self.heard("epsilon zeta eta"), of: Self.clip(1..<3, before: true))
        #expect(next.map(\.text) == ["alpha beta gamma zeta eta"])
    }

    @Test("Words without times are spread over the speech, and count as estimated")
    func estimated() {
        let quiet = VoiceWindow(isSpeech: false, level: -70)
        var clip = Self.clip(0..<4.096)
        for place in 0..<32 { clip.windows[place] = quiet }
        var assembly = TranscriptAssembly()
        let segments = assembly.add(RecognizedSpeech(text: "a word or two"), of: clip)
        #expect(segments.first?.timing == Recognizer.Timing.none)
        let words = segments.flatMap(\.words)
        #expect(words.count == 4)
        #expect(words[0].start >= 1.02 && words[3].end <= 4.1)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.end <= $1.start + 1e-9 })
    }

    @Test("Words of a script without spaces are its characters")
    func ideographs() {
        var assembly = TranscriptAssembly()
        let words = assembly.add(RecognizedSpeech(text: "今日は"), of: Self.clip(0..<3)).flatMap(\.words)
        #expect(words.map(\.source) == [0..<1, 1..<2, 2..<3])
    }

    @Test("A word that reaches into a silence is moved out of it")
    func snapped() {
        var clip = Self.clip(0..<3.2)
        for place in 31..<63 { clip.windows[place] = VoiceWindow(isSpeech: false, level: -70) }
        var speech = RecognizedSpeech(text: "before after", timing: .tokens)
        speech.words = [
            RecognizedWord(source: 0..<6, start: 0.1, end: 1.8), RecognizedWord(source: 7..<12, start: 1.8, end: 2.9),
        ]
        var assembly = TranscriptAssembly()
        let words = assembly.add(speech, of: clip).flatMap(\.words)
        #expect(words[0].end < 1 && words[1].start > 2)
    }

    @Test("A silence is named, and a short one is not")
    func silence() {
        var assembly = TranscriptAssembly()
        #expect(assembly.skip(0..<Self.rate).isEmpty)
        #expect(assembly.skip(Self.rate..<6 * Self.rate).map(\.time) == [1..<6])
    }
}

@Suite("The check for repetitions")
struct RepetitionCheckTests {
    @Test(
        "What people say is no repetition",
        arguments: [
            "no no no I did not", "very very good", "row row row your boat gently down the stream", "",
            "the cat and the dog and the cat",
        ]
    )
    func natural(text: String) {
        #expect(RepetitionCheck.start(in: text.split(separator: " ")) == nil)
    }

    @Test(
        "A decoder in a loop is found, with the place where it begins",
        arguments: [
            ("so " + String(repeating: "the ", count: 30), 6),
            ("I went home. I went home. I went home. I went home. I went home.", 9),
            ("a " + String(repeating: "thank you for watching this video. ", count: 3), 13),
        ]
    )
    func loops(text: String, start: Int) {
        #expect(RepetitionCheck.start(in: text.split(separator: " ")) == start)
    }
}

@Suite("The wait before the next try")
struct BackoffTests {
    @Test("It grows, has a limit, and is left to chance")
    func growth() {
        let backoff = Backoff(first: .seconds(2), longest: .seconds(60))
        #expect(backoff.wait(afterFailures: 1, wanted: nil, chance: 1) == .seconds(2))
        #expect(backoff.wait(afterFailures: 3, wanted: nil, chance: 1) == .seconds(8))
        #expect(backoff.wait(afterFailures: 3, wanted: nil, chance: 0.5) == .seconds(4))
        #expect(backoff.wait(afterFailures: 40, wanted: nil, chance: 1) == .seconds(60))
        #expect(backoff.wait(afterFailures: 1, wanted: nil, chance: 0) == .zero)
    }

    @Test("It is never shorter than the other side asks for")
    func wanted() {
        #expect(Backoff().wait(afterFailures: 1, wanted: .seconds(1_000), chance: 0.3) == .seconds(1_000))
    }
}
