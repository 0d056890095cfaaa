import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import DocumentReaders

@Suite("Text and Markdown", .timeLimit(.minutes(2)))
struct PlainReaderTests {
    private let reader = LocalDocumentReader()

    private func read(_ text: String, _ encoding: String.Encoding = .utf8) async throws -> DocumentText {
        let bytes = try #require(text.data(using: encoding))
        let document = try await reader.read(DocumentFile(name: "x", bytes: bytes))
        #expect(document.brokenPromise == nil)
        return document
    }

    @Test func `keeps the promises of a reader`() async throws {
        let texts = [
            "Hello.\n\nWorld.", "# Title\n\nSome *words*, [a link](https://example.org).\n\n- one\n- two\n\n`code`\n",
        ]
        try await verifyContract(of: reader, with: texts.map { DocumentFile(name: "x", bytes: Data($0.utf8)) })
    }

    static let encodings: [(String, String.Encoding, [DocumentNotice])] = [
        ("Õues on külm ja öö läheneb. Šokolaad žürii — “jutumärgid”.", .utf8, []),
        ("Õues on külm ja öö läheneb.", .utf16, []),
        ("Plain words without a mark of their order.", .utf16LittleEndian, [.guessedEncoding("UTF-16")]),
        ("Plain words without a mark of their order.", .utf16BigEndian, [.guessedEncoding("UTF-16")]),
        ("Le garçon a mangé une crêpe près de la fenêtre, à côté.", .isoLatin1, [.guessedEncoding("CP1252")]),
        ("“Schöne Grüße” – für 5 € im Café…", .windowsCP1252, [.guessedEncoding("CP1252")]),
    ]

    @Test(arguments: encodings)
    func `finds out how characters are written`(
        sample: (text: String, encoding: String.Encoding, notices: [DocumentNotice])
    ) async throws {
        let document = try await read(sample.text, sample.encoding)
        #expect(document.text == sample.text)
        #expect(document.notices == sample.notices)
    }

    @Test func `puts lines of fixed width together, and words that they divide`() async throws {
        let document = try await read(
            """
            It was a bright cold day in April, and the clocks were striking
            thirteen. The hallway smelt of boiled cabbage and old rag mats,\u{20}
            and at one end of it a coloured poster had been tacked to the extraordi-
            nary wall.\r
            \r

            A second paragraph, also long enough that it has to be broken
            somewhere.
            """
        )
        #expect(
            document.text == """
                It was a bright cold day in April, and the clocks were striking thirteen. The hallway smelt of boiled cabbage \
                and old rag mats, and at one end of it a coloured poster had been tacked to the extraordinary wall.

                A second paragraph, also long enough that it has to be broken somewhere.
                """
        )
    }

    @Test func `keeps the lines of a poem, and lines that are paragraphs apart`() async throws {
        #expect(try await read("The sea\nis calm\n\ntonight").text == "The sea\nis calm\n\ntonight")
        let long = String(repeating: "word ", count: 60).trimmed
        #expect(try await read("\(long).\n\(long).").text == "\(long).\n\n\(long).")
    }

    @Test func `takes form feeds for pages and headings for chapters`() async throws {
        let document = try await read(
            "CHAPTER I\n\nOne.\n\u{0C}Still one.\n\u{0C}\nCHAPTER II. The End\n\nTwo.\n\u{0C}"
        )
        #expect(document.pages.count == 3)
        #expect(document.words(document.pages[1].range).trimmed == "Still one.")
        #expect(document.chapters.map(\.title) == ["CHAPTER I", "CHAPTER II. The End"])
        #expect(document.words(document.chapters[1].range) == "CHAPTER II. The End\n\nTwo.")
        let parts = try await read("PART ONE\n\nA.\n\nChapter 1\n\nB.\n\nPART TWO\n\nChapter 2\n\nC.")
        #expect(parts.chapters.map(\.level) == [1, 2, 1, 2])
    }

    @Test func `replaces what is no character, and counts`() async throws {
        var bytes = Data(("A" + String(repeating: " Õhtu jõudis öö äärde.", count: 40)).utf8)
        bytes.insert(0xFF, at: 1)
        let document = try await reader.read(DocumentFile(name: "x", bytes: bytes))
        #expect(document.notices == [.replacedCharacters(1)])
        #expect(document.text.filter { $0 == "\u{FFFD}" }.count == 1)
    }

    @Test func `has no more pages than can be listed`() async throws {
        let bytes = Data(String(repeating: "a\u{0C}", count: 1_000_000).utf8)
        await #expect(throws: DocumentError.tooManyPages(limit: DocumentKind.mostPages)) {
            try await reader.read(DocumentFile(name: "x", bytes: bytes))
        }
    }

    @Test func `reads Markdown as it is heard`() async throws {
        let document = try await read(
            """
            ---
            title: "A Title"
            lang: et
            ---
            # One

            Some **bold** and `code`, a [link](https://example.org) and a note[^1].
            Same paragraph.

            1. first
            2. second
               - inner

            > quoted

            | a | b |
            |---|---|
            | 1 | 2 |

            ![a rose](rose.png)

            ## Two

            ```
            let x
            ```

            [^1]: The note.
            """
        )
        #expect(document.kind == .markdown && document.title == "A Title" && document.language == "et")
        #expect(
            document.cut() == """
                One

                Some bold and code, a link and a note. Same paragraph.

                1. first

                2. second

                inner

                quoted

                a, b

                1, 2

                a rose

                Two

                let x
                """
        )
        #expect(document.chapters.map(\.title) == ["One", "Two"])
        #expect(document.chapters.map(\.level) == [1, 2])
        #expect(document.marked(.footnote) == ["The note."])
        #expect(document.blocks(.altText) == ["a rose"])
    }

    @Test func `tells how Markdown was read, as of plain text`() async throws {
        let markdown = "# Ühe pealkiri\n\n## Teine\n\nSõnad, *öö* ja [viide](https://example.org).\n"
        let bytes = try #require(markdown.data(using: .windowsCP1252, allowLossyConversion: true))
        let document = try MarkdownReader().read(DocumentFile(name: "a.md", bytes: bytes))
        #expect(!document.notices.isEmpty)
    }

    static let kinds: [(String, DocumentKind?)] = [
        ("%PDF-1.4", .pdf), ("some rubbish first\n%PDF-1.7\n…\nstartxref\n9\n%%EOF", .pdf),
        ("\u{FEFF}\r\n%PDF-1.4", .pdf), ("How it begins: every file starts with %PDF-1.7.", .text),
        ("Just words.", .text),
        ("Item #1 costs 5 * 3 = 15.\nAnd a line.", .text), ("# Title\n\n## Part\n\nwords", .markdown),
        ("\u{7F}ELF\u{2}\u{1}", nil), ("<?xml version=\"1.0\"?><svg/>", nil), ("<!DOCTYPE html><p>x", nil),
        ("GIF89a", nil), ("PK\u{03}\u{04} word/document.xml", nil), ("", nil), ("  \n\t ", nil),
    ]

    @Test(arguments: kinds)
    func `tells the kind by the content alone`(sample: (text: String, kind: DocumentKind?)) {
        #expect((try? DocumentKind(of: Data(sample.text.utf8))) == sample.kind)
    }

    @Test(arguments: 1...40)
    func `keeps its promises for bytes that make no sense`(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed: seed)
        let alphabet: [UInt8] = [
            0x0A, 0x0C, 0x0D, 0x20, 0x20, 0x2D, 0x2E, 0x41, 0x61, 0x62, 0xC3, 0xB5, 0xE2, 0x80, 0x9D, 0xF0, 0x9F, 0x98,
            0x80, 0xFF,
        ]
        let bytes = Data(
            (0..<Int.random(in: 1...3_000, using: &numbers)).map { _ in alphabet.randomElement(using: &numbers) ?? 0 }
        )
        do {
            let document = try await reader.read(DocumentFile(name: "x", bytes: bytes))
            #expect(document.brokenPromise == nil)
        } catch let error as DocumentError {
            #expect(error == .empty || error.code == "document.unsupported" || error.code == "document.too-many-pages")
        }
    }
}
