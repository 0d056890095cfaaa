import EchoText
import Testing

@Suite("Pronunciation dictionary")
struct TextDictionaryTests {
    private static let file = """
        # How names are said
        Nguyen = win
        gif = /dʒɪf/
        New York = the city
        New York City = the big city
        "WHO" = World Health Organization
        "polish" = make shiny
        un* = oon
        *ology = oh lodge ee
        C++ = C plus plus   # a language
        C# = C sharp
        "a = b" = equation
        km = kay em
        café = coffee house
        example.com = our site
        gif = /ɡɪf/
        """

    static let rows: [TextReading] = [
        .init("Mr Nguyen came", "Mister win came"),
        .init("NGUYEN", "win"),
        .init("Nguyens are", "Nguyens are"),
        .init("A gif.", "A /ɡɪf/."),
        .init("in New York City now", "in the big city now"),
        .init("in new  york now", "in the city now"),
        .init("in New\nYork now", "in the city now"),
        .init("The WHO and who", "The World Health Organization and who"),
        .init("polish Polish", "make shiny Polish"),
        .init("undone by biology", "oondone by bioh lodge ee"),
        .init("un ology", "un ology"),
        .init("C++ and C#", "C plus plus and C sharp"),
        .init("so a = b holds", "so equation holds"),
        .init("5 km away", "5 kay em away"),
        .init("cafe\u{301} noir", "coffee house noir"),
        .init("see example.com", "see our site"),
        .init("see https://new.example.com", "see new dot example dot com"),
        .init("$5 for Nguyen", "five dollars for win"),
    ]

    @Test("is followed", arguments: rows)
    func reading(_ row: TextReading) throws {
        let dictionary = try PronunciationDictionary(parsing: Self.file)
        let spoken = TextPreparation(language: "en-GB", dictionary: dictionary).prepare(row.written, at: 5)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 5)
    }

    @Test("works in languages without rules")
    func worksLanguagesWithout() throws {
        let dictionary = try PronunciationDictionary(parsing: "Москва = столица\n\u{4E2D}\u{6587} = X")
        let preparation = TextPreparation(language: "ru", dictionary: dictionary)
        #expect(preparation.prepare("Это МОСКВА.", at: 0).saying == "Это столица.")
    }

    @Test("is left alone when its step is switched off")
    func leftAloneWhen() throws {
        let dictionary = try PronunciationDictionary(parsing: Self.file)
        let steps = TextPreparation.Steps.all.subtracting(.dictionary)
        let spoken = TextPreparation(language: "en", steps: steps, dictionary: dictionary).prepare("A gif.", at: 0)
        #expect(spoken.saying == "A gif.")
    }

    @Test("counts its entries and lets later lines override")
    func countsEntriesLets() throws {
        #expect(try PronunciationDictionary(parsing: Self.file).count == 14)
        #expect(try PronunciationDictionary(parsing: "\u{FEFF}\r\n# only\r\n\r\na = b\r\nA = c\r\n").count == 1)
    }

    @Test("ends a line at every sign for it", arguments: ["\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func lines(end: String) throws {
        let dictionary = try PronunciationDictionary(parsing: "gif = jif\(end)cat = dog\(end)")
        #expect(dictionary.count == 2)
        let preparation = TextPreparation(language: "en", dictionary: dictionary)
        #expect(preparation.prepare("A gif of a cat.", at: 0).saying == "A jif of a dog.")
        #expect(throws: PronunciationDictionaryError.missingEqualsSign(line: 2)) {
            try PronunciationDictionary(parsing: "a = b\(end)word")
        }
    }

    private static let wrong: [(String, PronunciationDictionaryError)] = [
        ("a = b\nword", .missingEqualsSign(line: 2)),
        ("\n= x", .missingWord(line: 2)),
        ("a =", .missingReplacement(line: 1)),
        ("a = //", .missingReplacement(line: 1)),
        ("a = /x", .unclosedPhonemes(line: 1)),
        ("a = /", .unclosedPhonemes(line: 1)),
        ("\"a = x", .unclosedQuotes(line: 1)),
        ("\"\" = x", .missingWord(line: 1)),
        ("\"a\" x", .missingEqualsSign(line: 1)),
        ("a*b = x", .misplacedStar(line: 1)),
        ("*a* = x", .misplacedStar(line: 1)),
        ("a b* = x", .misplacedStar(line: 1)),
        (String(repeating: "a", count: 201) + " = x", .wordTooLong(line: 1)),
        ("a = b\nx = /" + String(repeating: "ə", count: 201) + "/", .phonemesTooLong(line: 2)),
        ("a = b\nx\0 = y\nc = d", .nullCharacter(line: 2)),
        ("a = b\n# no\0te\nc = d", .nullCharacter(line: 2)),
    ]

    @Test("names the line that is wrong", arguments: wrong)
    func refusal(_ file: String, _ error: PronunciationDictionaryError) {
        #expect(throws: error) { try PronunciationDictionary(parsing: file) }
        #expect(error.suggestion != nil)
        #expect(error.code.hasPrefix("dictionary."))
    }

    @Test("takes as many phonemes as the longest word has")
    func takesAsMany() throws {
        _ = try PronunciationDictionary(parsing: "x = /" + String(repeating: "ə", count: 200) + "/")
    }

    @Test("has limits")
    func limits() {
        #expect(throws: PronunciationDictionaryError.tooLarge) {
            try PronunciationDictionary(parsing: String(repeating: "#", count: 1_000_001))
        }
        let lines = (0...50_000).map { "w\($0) = x" }.joined(separator: "\n")
        #expect(throws: PronunciationDictionaryError.tooManyEntries(line: 50_001)) {
            try PronunciationDictionary(parsing: lines)
        }
    }
}
