import Testing

@testable import EchoText

@Suite("Speech comparison")
struct SpeechComparisonTests {
    private static let preparation = TextPreparation(language: "en-GB")

    /// The fault of each sentence, `nil` for a correct one.
    private func faults(in sentences: [String], heardAs recognized: String) -> [SpeechFinding.Kind?] {
        let expected = sentences.map { ExpectedSpeech(of: $0, by: Self.preparation) }
        let comparison = SpeechComparison(of: expected, with: recognized, Self.preparation)
        return zip(comparison.differences, expected).map { $0.fault(ofWords: $1.words.count) }
    }

    @Test(
        "finds nothing where only the spelling differs",
        arguments: [
            ("The mill stood still.", "the mill stood still"),
            ("Dr. Lee paid $5 for it.", "Doctor Lee paid five dollars for it."),
            ("Dr. Lee paid $5 for it.", "Dr. Lee paid $5 for it."),
            ("It was built in 1984.", "It was built in nineteen eighty-four."),
            ("It was built in nineteen eighty-four.", "It was built in 1984."),
            ("It has 1,250 pages.", "It has one thousand two hundred and fifty pages."),
            ("Thirty-one years went by.", "31 years went by."),
            ("He cannot see the light house.", "He can not see the lighthouse."),
            ("“Hello?” she called.", "hello she called"),
            ("At 5 p.m. the colour changed.", "At five p m the color changed."),
            ("Nora walked past it every morning.", "Norah walked past it every mourning."),
            ("Beside it lay a notebook.", "Beside it lay in notebook."),
            ("By autumn she could tell how high it was.", "I autumn she could tell how high it was."),
            ("We met on 3 May 2021.", "We met on the third of May, twenty twenty-one."),
        ]
    )
    func spelling(_ example: (written: String, heard: String)) {
        #expect(faults(in: [example.written], heardAs: example.heard) == [nil])
    }

    @Test(
        "finds what is missing, added or garbled",
        arguments: [
            ("The keeper of the lighthouse sleeps.", "The keeper of the sleeps.", SpeechFinding.Kind.missing),
            ("The keeper of the lighthouse sleeps.", "The keeper sleeps.", .missing),
            ("The keeper of the lighthouse sleeps.", "", .missing),
            ("Dr. Lee paid $5 for it.", "Lee paid $5 for it.", .missing),
            ("The keeper sleeps.", "The keeper of the lighthouse sleeps.", .added),
            ("The keeper sleeps.", "The keeper sleeps the keeper sleeps.", .added),
            ("The keeper of the lighthouse sleeps.", "The keeper of the elephant sleeps.", .garbled),
            ("The keeper sleeps well.", "A dog barks well.", .garbled),
        ]
    )
    func fault(_ example: (written: String, heard: String, kind: SpeechFinding.Kind)) {
        #expect(faults(in: [example.written], heardAs: example.heard) == [example.kind])
    }

    @Test("overlooks one word of many that is heard as another")
    func oneWord() {
        #expect(
            faults(in: ["The old mill at the bend stood still."], heardAs: "The cold meal at the bend stood still.")
                == [nil]
        )
    }

    @Test("takes words that sound alike for a mishearing, however many they are")
    func soundingAlike() {
        let written = "For thirty-one years, in winter ice, in drought, on holidays, through two floods."
        let recognized = "For 31 years and went to her eyes and drought on holidays through two floods."
        #expect(faults(in: [written], heardAs: recognized) == [nil])
    }

    @Test("finds the sentence that is wrong among its neighbors")
    func neighbors() {
        let sentences = ["The keeper sleeps.", "Waves come in from the sea.", "It is night."]
        #expect(
            faults(in: sentences, heardAs: "The keeper sleeps. Waves come in. It is night.") == [nil, .missing, nil]
        )
        #expect(faults(in: sentences, heardAs: "The keeper sleeps. It is night.") == [nil, .missing, nil])
        let between = faults(
            in: sentences,
            heardAs: "The keeper sleeps. Oh no! Waves come in from the sea. It is night."
        )
        #expect(between == [.added, .added, nil], "either may be wrong; each is heard again alone")
    }

    @Test("has every word of a sentence with its place, and says what is written there")
    func places() {
        let sentence = ExpectedSpeech(of: "So “Dr. Lee” paid $5!", by: Self.preparation)
        #expect(sentence.words.map(\.text) == ["so", "doctor", "lee", "paid", "five", "dollars"])
        #expect(sentence.written(sentence.source(of: 4..<6)) == "$5")
        #expect(sentence.source(of: 3..<3).isEmpty && sentence.source(of: 6..<6).isEmpty)
    }

    @Test("confirms only what is found in the same place twice")
    func confirmation() {
        typealias Difference = SpeechComparison.Difference
        let first = [Difference(expected: 2..<4, heard: [], likeness: .init(share: 0, written: 9, heard: 0))]
        #expect(
            [Difference(expected: 3..<5, heard: [], likeness: .init(share: 0, written: 9, heard: 0))].confirmed(
                by: first
            ).count == 1
        )
        #expect(
            [Difference(expected: 4..<5, heard: [], likeness: .init(share: 0, written: 9, heard: 0))].confirmed(
                by: first
            ).isEmpty
        )
        #expect(
            [Difference(expected: 4..<4, heard: ["oh"], likeness: .init(share: 0, written: 0, heard: 2))].confirmed(
                by: first
            ).count == 1
        )
        #expect(
            [Difference(expected: 5..<5, heard: ["oh"], likeness: .init(share: 0, written: 0, heard: 2))].confirmed(
                by: first
            ).isEmpty
        )
    }
}
