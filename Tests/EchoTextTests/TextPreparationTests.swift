import EchoText
import Testing

@Suite("Text preparation")
struct TextPreparationTests {
    typealias Steps = TextPreparation.Steps

    @Test(
        "leaves alone what its step is switched off for",
        arguments: [
            ("ﬁne", Steps.unicode), ("Dr. Smith, e.g.", .abbreviations), ("10–20 or 1/2 in 1984, Henry VIII", .numbers),
            ("2026-11-21", .dates), ("14:05", .times), ("$5.50", .currency), ("5 km", .units),
            ("https://example.org", .addresses), ("#swift → x!!!", .symbols), ("**bold**", .markup),
        ]
    )
    func switchedOff(_ text: String, _ step: Steps) {
        #expect(TextPreparation(language: "en").prepare(text, at: 0).saying != text)
        let without = TextPreparation(language: "en", steps: .all.subtracting(step)).prepare(text, at: 0)
        #expect(without.saying == text)
        #expect(TextPreparation(language: "en", steps: []).prepare(text, at: 0) == SpokenText(written: text))
    }

    @Test("names its steps")
    func namesSteps() {
        #expect(
            Steps.all.names == [
                "unicode", "abbreviations", "numbers", "dates", "times", "currency", "units", "addresses", "symbols",
                "markup", "dictionary",
            ]
        )
        #expect(Steps(names: Steps.all.names) == .all)
        #expect(Steps(names: ["units", "dates"]) == [.units, .dates])
        #expect(Steps(names: ["units", "nonsense"]) == nil)
    }

    @Test("makes one tight piece of each rewritten thing")
    func makesOneTight() {
        let spoken = TextPreparation(language: "en").prepare("Dr. Lee paid $5", at: 20)
        #expect(
            spoken.pieces == [
                .init(.words("Doctor"), source: 20..<23), .init(.written(" Lee paid "), source: 23..<33),
                .init(.words("five dollars"), source: 33..<35),
            ]
        )
    }

    @Test("leaves a plain sentence in one piece")
    func leavesPlainSentence() {
        let text = "It was a dark and stormy night; the rain fell in torrents."
        #expect(TextPreparation(language: "en").prepare(text, at: 9) == SpokenText(written: text, at: 9))
    }

    @Test("reads slashed dates by the region")
    func readsSlashedDates() {
        let text = "03/04/2026"
        #expect(TextPreparation(language: "en-US").prepare(text, at: 0).saying == "March fourth, twenty twenty-six")
        let british = TextPreparation(language: "en-GB").prepare(text, at: 0).saying
        #expect(british == "the third of April, twenty twenty-six")
        #expect(TextPreparation(language: "en_us").prepare("31/12/2026", at: 0).saying.hasPrefix("December"))
    }

    static let unicodeRows: [TextReading] = [
        .init("a\nb\tc\u{A0}d", "a b c d"),
        .init("the ﬁne oﬀer", "the fine offer"),
        .init("ＡＢＣ　１２", "ABC 12"),
        .init("𝐛𝐨𝐥𝐝 𝓉ext", "bold text"),
        .init("cafe\u{301}", "café"),
        .init("in\u{AD}ter\u{200B}na\u{2060}tional", "international"),
        .init("one\u{1C}two\u{1F}three\u{B}four", "one two three four"),
        .init("\u{FEFF}Hello\u{0}\u{7} \u{FFFD}you", "Hello you"),
        .init("don’t", "don't"),
        .init("\u{1112}\u{1161}\u{11AB}", "한"),
        .init("ﾊﾝｶｸ", "ハンカク"),
        .init("№ 5 ℃", "No 5 °C"),
        .init(asWritten: "👩‍👩‍👧 🇪🇪 ❤️"),
        .init(asWritten: "می‌خواهم"),
        .init(asWritten: "क्‍ष"),
        .init("z" + String(repeating: "\u{301}", count: 40), "ź" + String(repeating: "\u{301}", count: 15)),
    ]

    @Test("puts Unicode in its plain form", arguments: unicodeRows)
    func unicode(_ row: TextReading) {
        let spoken = TextPreparation(language: "zz").prepare(row.written, at: 3)
        #expect(spoken.saying.unicodeScalars.elementsEqual(row.spoken.unicodeScalars))
        expectSound(spoken, for: row.written, at: 3)
    }

    static let neutralRows: [TextReading] = [
        .init("Смотри https://www.example.ru/a?b=1.", "Смотри example.ru/a."),
        .init("Пиши a.b@example.ru!", "Пиши a.b@example.ru!"),
        .init(asWritten: "Цена 5 км, 14:30, 21.11.2026 и $5"),
        .init("**важно** и `код`", "важно и код"),
        .init("Ура!!!", "Ура!"),
    ]

    @Test("does only what needs no rules in other languages", arguments: neutralRows)
    func neutral(_ row: TextReading) {
        let spoken = TextPreparation(language: "ru-RU").prepare(row.written, at: 0)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 0)
    }

    @Test("knows what is blank")
    func knowsBlank() {
        let preparation = TextPreparation(language: "en")
        #expect(preparation.prepare("", at: 0).isBlank)
        #expect(preparation.prepare(" \u{200B}\n-----\u{FFFD}", at: 0).isBlank)
        #expect(!preparation.prepare("½", at: 0).isBlank)
    }
}
