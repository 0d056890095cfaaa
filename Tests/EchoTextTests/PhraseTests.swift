import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Phrases of a spoken text")
struct PhraseTests {
    @Test("lose and double nothing, and keep the limit", arguments: scriptSamples, [7, 20, 55, 200])
    func partition(_ sample: (language: String, text: String), _ longest: Int) {
        let text = String(repeating: sample.text + " ", count: 3)
        let phrases = SpokenText(written: text, at: 100).phrases(longest: longest)
        #expect(phrases.map(Self.said).joined() == text)
        var end = 100
        for phrase in phrases {
            #expect(
                phrase.spokenLength <= longest
                    || Self.said(phrase).trimmingCharacters(in: .whitespaces).utf16.count <= max(longest, 12)
            )
            for piece in phrase.pieces {
                #expect(piece.source.lowerBound == end, "sources must follow one another")
                end = piece.source.upperBound
            }
        }
        #expect(end == 100 + text.utf16.count)
    }

    @Test("end at a clause where there is one")
    func clauses() {
        let text = "When the rain came, we ran to the house; nobody was there, so we waited."
        let phrases = SpokenText(written: text).phrases(longest: 45).map(Self.said)
        #expect(phrases == ["When the rain came, we ran to the house; ", "nobody was there, so we waited."])
    }

    @Test("end between words where there is no clause")
    func words() {
        let phrases = SpokenText(written: "one two three four five").phrases(longest: 10).map(Self.said)
        #expect(phrases == ["one two ", "three four ", "five"])
    }

    @Test(
        "cut a character that continues without end",
        arguments: [
            String(repeating: "क्", count: 50_000) + "क", "a" + String(repeating: "\u{301}", count: 20_000),
            String(repeating: "👩\u{200D}", count: 10_000) + "👩",
            "x " + String(repeating: "ก\u{E49}\u{E49}", count: 9_000),
        ]
    )
    func endlessCharacters(_ text: String) {
        let phrases = SpokenText(written: text).phrases(longest: 450)
        #expect(phrases.allSatisfy { $0.spokenLength <= 450 })
        #expect(phrases.map(Self.said).joined().unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test("never cut a character or a phoneme")
    func characters() {
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 4)
        let cut = SpokenText(written: family).phrases(longest: 12)
        #expect(cut.allSatisfy { Self.said($0).count * 11 == Self.said($0).utf16.count })
        let phonemes = SpokenText(pieces: [.init(.phonemes("həlˈoʊ wˈɜːld"), source: 0..<3)])
        #expect(phonemes.phrases(longest: 4) == [phonemes])
    }

    @Test("keep given phonemes and the rest of their word together")
    func phonemesInWords() {
        let text = SpokenText(pieces: [
            .init(.written("one two "), source: 0..<8), .init(.phonemes("fuː"), source: 8..<11),
            .init(.written("ing there"), source: 11..<20),
        ])
        #expect(text.phrases(longest: 13).map(Self.said) == ["one two ", "fuːing there"])
    }

    @Test("are cut in time that does not grow with the square of the pieces")
    func manyPieces() {
        let pieces = (0..<100_000).map { SpokenText.Piece(.words(" five"), source: $0..<$0 + 1) }
        let phrases = SpokenText(pieces: pieces).phrases(longest: 13)
        #expect(phrases.flatMap(\.pieces).map(Self.letters).joined() == String(repeating: " five", count: 100_000))
    }

    @Test("let words that stand for something keep its place")
    func replaced() {
        let text = SpokenText(pieces: [
            .init(.written("It cost "), source: 0..<8),
            .init(.words("one thousand two hundred and thirty-four dollars"), source: 8..<14),
            .init(.written(" in all."), source: 14..<22),
        ])
        let phrases = text.phrases(longest: 30)
        #expect(phrases.map(Self.said).joined() == "It cost one thousand two hundred and thirty-four dollars in all.")
        #expect(
            phrases.flatMap(\.pieces).allSatisfy {
                $0.source == 8..<14 || $0.source.count == Self.said(.init(pieces: [$0])).utf16.count
            }
        )
    }

    @Test("take no more than linear work")
    func long() {
        let text = String(repeating: "word ", count: 100_000)
        #expect(SpokenText(written: text).phrases(longest: 200).count == 2_500)
    }

    private static func said(_ text: SpokenText) -> String { text.pieces.map(letters).joined() }

    private static func letters(_ piece: SpokenText.Piece) -> String {
        switch piece.content {
        case .written(let said), .words(let said), .phonemes(let said): said
        }
    }
}
