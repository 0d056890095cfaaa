import Foundation
import Testing

@testable import EchoText

/// How much of public suites of readings is read as they say.
///
/// `Documentation/TextPreparation.md` says how that is scored, `Documentation/Corpora.md` where the readings come from.
@Suite("Readings of public suites")
struct TextSharesTests {
    struct Language: Sendable, CustomTestStringConvertible {
        let code: String
        /// The least share that has to be right, in percent.
        let bar: Int

        var testDescription: String { code }
    }

    static let languages: [Language] = [
        .init(code: "en", bar: 97), .init(code: "de", bar: 93), .init(code: "fr", bar: 93), .init(code: "es", bar: 93),
        .init(code: "et", bar: 93),
    ]

    /// A line of `Tests/Fixtures/readings`: a language tag, a category, what is written, and what may be said for it.
    private struct Reading {
        let language: String
        let category: String
        let written: String
        let spoken: [String]

        init?(line: Substring) {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count > 3 else { return nil }
            language = fields[0]
            category = fields[1]
            written = fields[2]
            spoken = Array(fields[3...])
        }
    }

    private static func readings(in code: String) throws -> [Reading] {
        let path = "../../Fixtures/readings/\(code).tsv"
        let file = URL(filePath: #filePath).appending(path: path).standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let readings = lines.compactMap(Reading.init)
        #expect(readings.count == lines.count, "each line has four fields")
        return readings
    }

    @Test("are read as they say in the share that is asked for", arguments: languages)
    func share(_ language: Language) throws {
        let readings = try Self.readings(in: language.code)
        #expect(readings.count > 100)
        var wrong: [String: [String]] = [:]
        for reading in readings {
            let spoken = TextPreparation(language: reading.language).prepare(reading.written, at: 0)
            expectSound(spoken, for: reading.written, at: 0)
            let comparison = ReadingComparison(language: reading.language)
            guard !comparison.areSame(spoken.saying, reading.spoken) else { continue }
            wrong[reading.category, default: []].append("“\(reading.written)” is read “\(spoken.saying)”")
        }
        for (category, all) in Dictionary(grouping: readings, by: \.category).sorted(by: { $0.key < $1.key }) {
            print("share: \(language.code) \(category) \(all.count - (wrong[category]?.count ?? 0)) of \(all.count)")
        }
        let right = readings.count - wrong.values.reduce(0) { $0 + $1.count }
        let tenths = 1_000 * right / readings.count
        print("share: \(language.code) all \(right) of \(readings.count), \(tenths / 10).\(tenths % 10) percent")
        for line in wrong.values.joined().sorted() { print("share: \(language.code) wrong: \(line)") }
        #expect(
            100 * right >= language.bar * readings.count,
            "\(right) of \(readings.count) are right; the output says which are not"
        )
    }

    @Test(
        "are compared by what is heard",
        arguments: [
            ("en-US", "21,500", "twenty one thousand five hundred"), ("en-US", "the 21st", "the twenty-first"),
            ("en-US", "5 metres", "Five meters."), ("de-DE", "1.100,5", "eintausend einhundert Komma fünf"),
            ("fr-FR", "5,14", "cinq virgule quatorze"), ("fr-FR", "5,14", "cinq virgule un quatre"),
            ("es-ES", "007", "cero cero siete"), ("et-EE", "100 %", "ükssada protsenti"),
        ]
    )
    func sameReadings(_ language: String, _ said: String, _ spoken: String) {
        #expect(ReadingComparison(language: language).areSame(said, [spoken]))
    }

    @Test(
        "are different where other words are heard",
        arguments: [
            ("en-US", "12", "twenty"), ("en-US", "3.14", "three one four"), ("de-DE", "2,5", "fünfundzwanzig"),
            ("fr-FR", "1er", "un"), ("es-ES", "21 personas", "veintiuna personas"), ("et-EE", "3. mai", "kolmas mai"),
        ]
    )
    func otherReadings(_ language: String, _ said: String, _ spoken: String) {
        #expect(!ReadingComparison(language: language).areSame(said, [spoken]))
    }
}

/// Compares readings by their letters, once the numbers that are left to engines are in words.
private struct ReadingComparison {
    private let rules: LanguageRules?

    init(language: String) { rules = TextPreparation(language: language).rules }

    func areSame(_ said: String, _ spoken: [String]) -> Bool {
        !forms(of: said).isDisjoint(with: spoken.flatMap { forms(of: $0) })
    }

    /// Engines say decimals digit by digit or as a number.
    private func forms(of text: String) -> Set<String> {
        Set([Numerals.Decimals.digitByDigit, .asNumber].map { letters(of: inWords(text, decimals: $0)) })
    }

    // MARK: Numbers

    private func inWords(_ text: String, decimals: Numerals.Decimals) -> String {
        guard let rules else { return text }
        let characters = Array(text)
        var words = ""
        var index = 0
        while index < characters.count {
            if let sign = Self.signs[rules.code]?[characters[index]] {
                words += " \(sign) "
                index += 1
            } else if Self.isDigit(characters[index]) {
                index = append(numberAt: index, in: characters, to: &words, rules, decimals)
            } else {
                words.append(characters[index])
                index += 1
            }
        }
        return words
    }

    /// Appends the words of a number and returns its end.
    private func append(
        numberAt start: Int,
        in characters: [Character],
        to words: inout String,
        _ rules: LanguageRules,
        _ decimals: Numerals.Decimals
    ) -> Int {
        let numerals = rules.numerals
        var end = Self.digitsEnd(characters, from: start)
        var whole = String(characters[start..<end])
        let isShort = whole.count <= 3
        while isShort, numerals.groupMark != " ", end < characters.count,
            characters[end] == Character(numerals.groupMark),
            Self.digitsEnd(characters, from: end + 1) == end + 4
        {
            whole += String(characters[end + 1..<end + 4])
            end += 4
        }
        words += " " + number(whole, rules) + " "
        let partEnd = Self.digitsEnd(characters, from: end + 1)
        if end < characters.count, characters[end] == Character(numerals.decimalMark), partEnd > end + 1 {
            let part = String(characters[end + 1..<partEnd])
            let isNumber = decimals == .asNumber && part.first != "0"
            words += " \(rules.signs.point) \(isNumber ? number(part, rules) : spelled(part, rules)) "
            return partEnd
        }
        let suffix = String(characters[end..<min(end + 2, characters.count)])
        if rules.code == "en", ["st", "nd", "rd", "th"].contains(suffix), let value = Int(whole) {
            words.removeLast(number(whole, rules).count + 2)
            words += " " + EnglishNumbers.ordinal(value) + " "
            return end + 2
        }
        return end
    }

    private func number(_ digits: String, _ rules: LanguageRules) -> String {
        guard digits.count == 1 || digits.first != "0" else { return spelled(digits, rules) }
        guard digits.count <= 15, let value = Int(digits) else { return digits }
        return rules.numerals.cardinal(value, nil)
    }

    private func spelled(_ digits: String, _ rules: LanguageRules) -> String {
        digits.compactMap(\.wholeNumberValue).map { rules.numerals.digitNames[$0] }.joined(separator: " ")
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private static func digitsEnd(_ characters: [Character], from start: Int) -> Int {
        var index = start
        while index < characters.count, isDigit(characters[index]) { index += 1 }
        return index
    }

    /// Signs that engines say.
    private static let signs: [String: [Character: String]] = [
        "en": ["%": "percent", "+": "plus", "=": "equals"], "de": ["%": "Prozent", "+": "plus", "=": "gleich"],
        "fr": ["%": "pour cent", "+": "plus"], "es": ["%": "por ciento", "+": "más"],
        "et": ["%": "protsenti", "+": "pluss"],
    ]

    // MARK: Letters

    private func letters(of text: String) -> String {
        let plain = text.lowercased().filter { $0 != "'" && $0 != "’" }
            .map { $0.isLetter || $0.isNumber ? $0 : " " }
        var spaced = " " + String(plain).split(separator: " ").joined(separator: " ") + " "
        for (words, other) in Self.words[rules?.code ?? ""] ?? [] {
            spaced = spaced.replacingOccurrences(of: words, with: other)
        }
        var letters = spaced.filter { $0 != " " }
        for (parts, other) in Self.parts[rules?.code ?? ""] ?? [] {
            letters = letters.replacingOccurrences(of: parts, with: other)
        }
        return letters
    }

    /// Words that may be said or left out.
    private static let words: [String: [(String, String)]] = [
        "en": [(" and ", " ")], "de": [(" euro und ", " euro "), (" cent ", " ")],
        "fr": [(" euros et ", " euros "), (" euro et ", " euro "), (" centimes ", " "), (" centime ", " ")],
        "es": [(" con ", " ")],
    ]

    /// Parts of words that are said or written in two ways.
    private static let parts: [String: [(String, String)]] = [
        "en": [("metre", "meter"), ("litre", "liter")],
        "de": [("einhundert", "hundert"), ("eintausend", "tausend")],
        "es": [("décim", "decim"), ("vigésim", "vigesim")],
        "et": [("ükssada", "sada"), ("üksmiljon", "miljon"), ("üksmiljard", "miljard")],
    ]
}
