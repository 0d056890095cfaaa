import EchoText
import EchoTextTesting
import Testing

@Suite("Paragraph reader", .endsInTime)
struct ParagraphReaderTests {
    /// A text handed on in pieces of a given size.
    private actor Pieces: TextSource {
        private var rest: Substring
        private let size: Int
        let length: Int? = nil

        init(_ text: String, size: Int) {
            rest = text[...]
            self.size = size
        }

        func next() -> String? {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return String(rest.prefix(size))
        }
    }

    private func paragraphs(_ text: String, size: Int = .max) async throws -> [Paragraph] {
        var reader = ParagraphReader(of: Pieces(text, size: min(size, 1_000_000)))
        var paragraphs: [Paragraph] = []
        while let paragraph = try await reader.next() { paragraphs.append(paragraph) }
        return paragraphs
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let paragraphs: [(Int, Paragraph.Kind, String)]

        init(_ name: String, _ text: String, _ paragraphs: (Int, Paragraph.Kind, String)...) {
            testDescription = name
            self.text = text
            self.paragraphs = paragraphs
        }
    }

    static let examples: [Example] = [
        .init("nothing", ""),
        .init("white space", " \n\t\n  \u{A0}\n"),
        .init("one line", "Hello.", (0, .body, "Hello.")),
        .init("one line without a mark is no title", "Hello", (0, .body, "Hello")),
        .init("hard-wrapped lines", "One two\nthree.\n", (0, .body, "One two three.")),
        .init("a blank line", "One.\n\nTwo.", (0, .body, "One."), (6, .body, "Two.")),
        .init("Windows line ends", "One\r\ntwo.\r\n\r\nThree.", (0, .body, "One  two."), (13, .body, "Three.")),
        .init("a blank line with spaces in it", "One.\n  \t\nTwo.", (0, .body, "One."), (9, .body, "Two.")),
        .init("a title", "A Title\n\nThe text.", (0, .heading, "A Title"), (9, .body, "The text.")),
        .init("a marked heading", "# One\nText.", (0, .heading, "# One"), (6, .body, "Text.")),
        .init("a hashtag is no heading", "#one is a tag.\nText.", (0, .body, "#one is a tag. Text.")),
        .init(
            "a list",
            "See:\n- one\n- two\n1. three",
            (0, .body, "See:"),
            (5, .item, "- one"),
            (11, .item, "- two"),
            (17, .item, "1. three")
        ),
        .init("a dash in the text", "One\n-two- three.", (0, .body, "One -two- three.")),
        .init("a form feed", "One.\u{0C}Two.", (0, .body, "One."), (5, .body, "Two.")),
        .init("indented lines", "  One\n  two.", (2, .body, "One   two.")),
    ]

    @Test("finds paragraphs, whatever pieces the text comes in", arguments: examples, [1, 2, 5, .max])
    func finds(_ example: Example, _ size: Int) async throws {
        let found = try await paragraphs(example.text, size: size)
        #expect(found.map(\.text) == example.paragraphs.map(\.2))
        #expect(found.map(\.start) == example.paragraphs.map(\.0))
        #expect(found.map(\.kind) == example.paragraphs.map(\.1))
    }

    @Test("hands on a paragraph that is too long in parts, at the ends of sentences", arguments: [65_536, .max])
    func longParagraph(_ size: Int) async throws {
        let sentence = "This sentence has exactly fifty characters in it. "
        let text = String(repeating: sentence, count: 2_000)
        let parts = try await paragraphs(text + "\n\nEnd.", size: size).dropLast()
        #expect(parts.count > 5)
        #expect(parts.allSatisfy { $0.text.utf16.count <= ParagraphReader.longest && $0.kind == .body })
        #expect(parts.allSatisfy { $0.start % 50 == 0 })
        #expect(parts.map { $0.text.trimmingSpaces + " " }.joined() == text)
    }

    @Test(
        "hands on whole sentences when the writer pauses",
        arguments: [
            (["One.\n", "Two.\n"], ["One.", "Two."]),
            (["One. Tw", "o. Three"], ["One.", "Two.", "Three"]),
            (["One"], ["One"]),
            (["One. ", "Two."], ["One.", "Two."]),
            (["One\n", "two.\n", "\nThree."], ["One two.", "Three."]),
            (["# Title\nOne. Two", ".\n"], ["# Title", "One.", "Two."]),
        ]
    )
    func pauses(_ pieces: [String], paragraphs: [String]) async throws {
        var reader = ParagraphReader(of: PausingSource(pieces)) {
            PlainSegmenter().sentences(in: $0, language: "en")
        }
        var found: [Paragraph] = []
        while let paragraph = try await reader.next() { found.append(paragraph) }
        #expect(found.map(\.text) == paragraphs)
        let units = Array(pieces.joined().utf16)
        #expect(found.allSatisfy { units[$0.start] == $0.text.utf16.first })
    }

    /// The paragraphs of a whole text as they are written in it.
    private func written(_ text: String) async throws -> [(text: String, isHeading: Bool)] {
        try await ParagraphRange.all(in: text).map { (String(text.part($0.source)), $0.isHeading) }
    }

    @Test("finds where the paragraphs of a whole text are, which end at blank lines")
    func ranges() async throws {
        let found = try await written("  First line\nsecond line.\n\n\nNext one.  ")
        #expect(found.map(\.text) == ["First line\nsecond line.", "Next one."])
    }

    @Test("finds titles, which are marked by hashes or stand alone before a paragraph")
    func titles() async throws {
        let found = try await written("# Marked\nBody one.\n\nA short line\n\nBody two.\n\nThe end")
        #expect(found.filter(\.isHeading).map(\.text) == ["# Marked", "A short line"])
    }

    @Test("takes neither points of a list nor sentences for titles")
    func noTitles() async throws {
        let found = try await written("- a point\n2. another\n\nA sentence.\n\nEnd.")
        #expect(found.map(\.isHeading) == [false, false, false, false])
    }

    @Test("finds a paragraph in one piece, however long it is")
    func longRange() async throws {
        let long = String(repeating: "This sentence has exactly fifty characters in it. ", count: 2_000)
        let found = try await ParagraphRange.all(in: "One.\n\n" + long + "\n\nEnd.")
        let end = 6 + long.utf16.count
        #expect(found.map(\.source) == [0..<4, 6..<end - 1, end + 2..<end + 6])
    }

    @Test("hands on a sentence with a space behind it before the writer continues")
    func pausesBehindSpace() async throws {
        let source = PausingSource(["One. ", "Two."])
        var reader = ParagraphReader(of: source) { PlainSegmenter().sentences(in: $0, language: "en") }
        #expect(try await reader.next()?.text == "One.")
        #expect(await source.hasMore)
    }

    @Test("cuts a paragraph without spaces between characters")
    func withoutSpaces() async throws {
        let text = "a" + String(repeating: "😀", count: 40_000)
        let parts = try await paragraphs(text, size: 10_000)
        #expect(parts.map(\.text).joined() == text)
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
