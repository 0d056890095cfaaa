import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import DocumentReaders

@Suite("Text and Markdown", .endsInTime)
struct PlainReaderTests {
    private let reader = LocalDocumentReader()

    private func read(_ text: String, _ encoding: String.Encoding = .utf8) async throws -> DocumentText {
        let bytes = try #require(text.data(using: encoding))
        let document = try await reader.read(DocumentFile(name: "x", bytes: bytes))
        #expect(document.invariantViolation == nil)
        return document
    }

    @Test func `keeps the promises of a reader`() async throws {
        let texts = [
            "Hello.\n\nWorld.", "# Title\n\nSome *words*, [a link](https://example.org).\n\n- one\n- two\n\n`code`\n",
        ]
        try await verifyContract(of: reader, with: texts.map { DocumentFile(name: "x", bytes: Data($0.utf8)) })
    }

    @Test(
        arguments: [
            ("Es war am 3. Oktober, und die Leute kamen um acht Uhr.", "de"),
            ("# Esimene\n\n## Teine\n\nTere, siin räägib eesti keel, ja kell on 9.05.", "et"),
            ("---\nlang: fr\n---\n# One\n\n## Two\n\nThe king fled to the sea, and nobody was there.", "fr"),
            ("1\n00:00:01,000 --> 00:00:02,000\nLe chat dort sur la chaise, et il fait nuit.\n", "fr"),
            ("Lorem ipsum.", nil), ("# Lorem\n\n## Ipsum\n\ndolor", nil),
        ] as [(String, String?)]
    )
    func `knows a language that is not stated by its words`(text: String, language: String?) async throws {
        #expect(try await read(text).language == language)
    }

    @Test(arguments: ["", "# "])
    func `knows the language of a long text by words from behind its front matter`(sign: String) async throws {
        let front = String(repeating: "This is for the use of anyone anywhere, and you may copy it.\n", count: 20)
        let story = String(repeating: "Es war am 3. Oktober, und die Leute kamen um acht Uhr.\n", count: 200)
        #expect(try await read("\(sign)Notice\n\n\(front)\n\(sign)Buch\n\n\(story)").language == "de")
    }

    private static let latin9 = String.Encoding(rawValue: 0x8000_020F)
    private static let stalk = "Źdźbło trawy kołysało się na wietrze."

    static let encodings: [(String, String.Encoding, [DocumentNotice])] = [
        ("Õues on külm ja öö läheneb. Šokolaad žürii — “jutumärgid”.", .utf8, []),
        ("Õues on külm ja öö läheneb.", .utf16, []),
        ("Plain words without a mark of their order.", .utf16LittleEndian, [.guessedEncoding("UTF-16")]),
        ("Plain words without a mark of their order.", .utf16BigEndian, [.guessedEncoding("UTF-16")]),
        ("Le garçon a mangé une crêpe près de la fenêtre, à côté.", .isoLatin1, [.guessedEncoding("CP1252")]),
        ("Скоро наступит ночь, и мы пойдём домой.", .windowsCP1251, [.guessedEncoding("CP1251")]),
        ("— Я знаю, — сказал он, — это моя земля.", .windowsCP1251, [.guessedEncoding("CP1251")]),
        ("— Я знаю, — сказал он, — это моя земля.", .init(rawValue: 0x8000_0007), [.guessedEncoding("MAC-CYRILLIC")]),
        ("Скоро наступит ночь, и мы пойдём домой.", .init(rawValue: 0x8000_0A02), [.guessedEncoding("KOI8-R")]),
        ("夜が近づいている。外は寒い。", .shiftJIS, [.guessedEncoding("SHIFT_JIS")]),
        ("“Schöne Grüße” – für 5 € im Café…", .windowsCP1252, [.guessedEncoding("CP1252")]),
        ("Žürii ootas õues, kuni garaaži uks avanes, ja sõi šokolaadi.", .windowsCP1252, [.guessedEncoding("CP1252")]),
        ("Žürii ootas õues, kuni garaaži uks avanes, ja sõi šokolaadi.", latin9, [.guessedEncoding("ISO-8859-15")]),
        ("Le cœur battait, et où était sa sœur ?", latin9, [.guessedEncoding("ISO-8859-15")]),
        ("Le nom¦le prix étaient indiqués à côté.", .isoLatin1, [.guessedEncoding("CP1252")]),
        ("Obst ¦Äpfel ¦Öl\nPreis ¦Überschuß ¦Ölkännchen für alle", .isoLatin1, [.guessedEncoding("CP1252")]),
        ("Wie geht´s dir, Jürgen? Schön, daß du da bist.", .isoLatin1, [.guessedEncoding("CP1252")]),
        (stalk, .windowsCP1250, [.guessedEncoding("CP1250")]),
        ("\(stalk) Wczoraj padał deszcz, a dziś świeci słońce.", .isoLatin2, [.guessedEncoding("ISO-8859-2")]),
    ]

    @Test(arguments: encodings)
    func `finds out how characters are written`(
        sample: (text: String, encoding: String.Encoding, notices: [DocumentNotice])
    ) async throws {
        let document = try await read(sample.text, sample.encoding)
        #expect(document.text == sample.text)
        #expect(document.notices == sample.notices)
    }

    /// The last letter of each would combine with an accent behind it.
    @Test(
        arguments: [
            ("CP1258", "Xin ch\u{E0}o", [0x58, 0x69, 0x6E, 0x20, 0x63, 0x68, 0xE0, 0x6F]),
            ("CP1258", "l\u{E0}", [0x6C, 0x61, 0xCC]), ("CP1255", "\u{5E9}\u{5DC}\u{5D5}", [0xF9, 0xEC, 0xE5]),
            ("TCVN5712-1", "o", [0x6F]),
        ] as [(String, String, [UInt8])],
        [1, 2, 100]
    )
    func `decodes a text to its last letter, in whatever pieces it comes`(
        sample: (encoding: String, text: String, bytes: [UInt8]),
        size: Int
    ) {
        var converter = TextConverter(.named(sample.encoding))
        var text: [UInt8] = []
        for start in stride(from: 0, to: sample.bytes.count, by: size) {
            Array(sample.bytes[start...].prefix(size)).withUnsafeBytes { piece in
                converter.convert(piece, isLast: false) { text.append(contentsOf: $0) }
            }
        }
        converter.convert(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) { text.append(contentsOf: $0) }
        #expect(String(decoding: text, as: UTF8.self) == sample.text)
        #expect(converter.replaced == 0)
    }

    @Test(arguments: [("Tere õhtust, mu sõber õ", 1), ("Õhtu on külm 夜", 1), ("Õhtu on külm 夜", 2), ("Õhtu 🎧", 3)])
    func `knows how the characters are written of a file that was cut within the last`(
        text: String,
        missing: Int
    ) async throws {
        let last = try #require(text.last)
        let document = try await reader.read(DocumentFile(name: "x", bytes: Data(text.utf8.dropLast(missing))))
        let left = last.utf8.count - missing
        #expect(document.text == String(text.dropLast()) + String(repeating: "\u{FFFD}", count: left))
        #expect(document.notices == [.replacedCharacters(left)])
    }

    @Test(
        arguments: [
            "Tere õhtust, mu sõber.\n", "# One\n\nSome **words** here.\n\n# Two\n\nMore `words`",
            "1\n00:00:01,000 --> 00:00:02,000\nTere õhtust.\n", "WEBVTT\n\n00:01.000 --> 00:02.000\nTere.",
        ],
        [String.Encoding.utf8, .windowsCP1252]
    )
    func `leaves out the NULs that pad a file`(text: String, encoding: String.Encoding) async throws {
        let bytes = try #require(text.data(using: encoding))
        let plain = try await reader.read(DocumentFile(name: "x", bytes: bytes))
        for count in [1, 5_000, 3_000_000] {
            let padded = bytes + Data(repeating: 0, count: count)
            let document = try await reader.read(DocumentFile(name: "x", bytes: padded))
            #expect(document.text == plain.text && document.structure.kind == plain.structure.kind)
            #expect(document.notices == plain.notices && document.structure.language == plain.structure.language)
        }
        let padded = bytes + Data(repeating: 0, count: 5_000)
        #expect(try await reader.decode(padded).text == reader.decode(bytes).text)
    }

    @Test(
        arguments: ["Good evening, friend.", "Šis ir teksts.\n", "1\n00:00:01,000 --> 00:00:02,000\nTere.\n"],
        [String.Encoding.utf16LittleEndian, .utf16BigEndian]
    )
    func `leaves out the NULs that pad UTF-16 without a mark`(text: String, encoding: String.Encoding) async throws {
        let bytes = try #require(text.data(using: encoding))
        let plain = try await reader.read(DocumentFile(name: "x", bytes: bytes))
        for count in [2, 600, 5_000] {
            let padded = bytes + Data(repeating: 0, count: count)
            let document = try await reader.read(DocumentFile(name: "x", bytes: padded))
            #expect(document.text == plain.text && document.structure.kind == plain.structure.kind)
            #expect(document.notices == plain.notices)
        }
        let padded = bytes + Data(repeating: 0, count: 5_000)
        #expect(try await reader.decode(padded).text == reader.decode(bytes).text)
        #expect(!DocumentKind.isUTF16(Data([1, 0, 2, 0, 3, 0]) + Data(count: 600)), "numbers are no text")
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

    @Test(arguments: ["\u{B}", "\u{85}"])
    func `takes every sign that ends a line for its end`(sign: String) async throws {
        let document = try await read("The sea\(sign)is calm\(sign)\(sign)tonight, Åsa")
        #expect(document.text == "The sea\nis calm\n\ntonight, Åsa")
    }

    @Test(arguments: ["\u{1C}", "\u{1D}", "\u{1E}", "\u{1F}"], ["", "# One\n\n## Two\n\n"])
    func `keeps words apart that separators of fields part`(sign: String, front: String) async throws {
        let end = "tonight, and nobody is there to see it, or to hear it, or to go."
        let document = try await read(front + "\(sign)The sea\(sign)is calm \(sign) \(end)")
        let words = "The sea is calm \(end)"
        #expect(document.text == (front.isEmpty ? words : "One\n\nTwo\n\n" + words))
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

    @Test(arguments: ["\u{A0}\u{3000}\n", "\u{200B}\n\u{2060}", "\u{FEFF}\u{0C}\u{AD}"])
    func `that has nothing that is seen is empty`(text: String) async throws {
        await #expect(throws: DocumentError.empty) { try await read(text) }
    }

    @Test func `has no more pages than can be listed`() async throws {
        let bytes = Data(String(repeating: "a\u{0C}", count: 1_000_000).utf8)
        await #expect(throws: DocumentError.tooManyPages(limit: DocumentKind.maximumPages)) {
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

    @Test func `keeps each footnote of Markdown, also those that nothing refers to or whose labels are used twice`()
        async throws
    {
        let document = try await read(
            """
            # One

            A fact[^1].

            [^1]: The first note.

            ## Two

            Another fact[^1], and a third[^A].

            [^1]: The note of another chapter.

            - [^c]: A note in a list.

            > [^q]: A quoted note.

            <!--
            [^a]: An old note.
            -->

            [^n]: A note with its own[^a].

            [^a]: The note of a note.

            ```
            [^1]: code
            ```
            """
        )
        let notes = [
            "The first note.", "The note of a note.", "The note of another chapter.", "A note in a list.",
            "A quoted note.", "A note with its own[2].",
        ]
        #expect(document.marked(.footnote) == notes)
        #expect(document.marked(.footnoteReference) == ["[1]", "[1]", "[2]"])
        #expect(document.text.contains("[^1]: code") && !document.text.contains("An old note"))
    }

    @Test(arguments: ["\n", "\r\n"])
    func `numbers the footnotes of Markdown as they are referred to, wherever they stand`(end: String) async throws {
        let lines = [
            "# One", "", "[^a]: The second note.", "[^unused]: The last note, as of old [^nowhere].", "",
            "Some **bold** words[^b], then[^A] more[^c] and again[^b].", "", "- [^c]: The third note.", "",
            "[^b]: The first note.", "",
        ]
        let document = try await read(lines.joined(separator: end))
        let notes = [
            "The first note.", "The second note.", "The third note.", "The last note, as of old [^nowhere].",
        ]
        #expect(document.marked(.footnote) == notes)
        #expect(document.marked(.footnoteReference) == ["[1]", "[2]", "[3]", "[1]"])
    }

    @Test(arguments: [
        ("---\n\nA dark night: rain.\n\nNobody came.\n\n---\n", ["A dark night: rain.", "Nobody came."]),
        ("---\nThe first scene.\n---\n", ["The first scene."]),
        ("---\n# A heading\n- an item\n---\n", ["A heading", "an item"]),
        ("---\ntitle: A Title\nSomebody has written this: a long note\n---\n", ["a long note"]),
    ])
    func `reads what stands between two rules at the beginning of Markdown`(front: String, words: [String])
        async throws
    {
        let document = try await read("\(front)\n# One\n\nSome **bold** words.\n\n## Two\n\nMore.\n")
        #expect(document.kind == .markdown && document.title == nil)
        for words in words { #expect(document.text.contains(words)) }
    }

    @Test func `knows front matter with lists, comments and values of several lines`() async throws {
        let front = "# a remark\ntitle: A Title\ntags:\n- one\n  two\n\n\"date made\": 2024\nurl: https://a.example/b"
        let document = try await read("---\n\(front)\n---\n# One\n\nSome **bold** words.\n\n## Two\n\nMore.\n")
        #expect(document.title == "A Title" && document.text == "One\n\nSome bold words.\n\nTwo\n\nMore.")
    }

    @Test(arguments: ["\n", "\r\n"])
    func `reads what follows the beginning of a comment that nothing ends, in Markdown`(end: String) async throws {
        let lines = ["# One", "", "Some **bold** words.", "", "<!-- To do", "", "All the rest.", "", "And more.", ""]
        let document = try await read(lines.joined(separator: end))
        #expect(document.text == "One\n\nSome bold words.\n\nTo do\n\nAll the rest.\n\nAnd more.")
    }

    @Test func `reads the words of HTML within Markdown`() async throws {
        let document = try await read(
            """
            # A title

            <div class="note">
            <p>In a <b>note</b> &amp; more.</p>
            </div>

            <details><summary>More</summary>

            Inner *words*.

            </details>

            ## Another

            <table><tr><td>One</td><td>Two</td></tr></table>
            <img src="a.png" alt="A harbour">

            <!-- no -->

            <script>no()</script>

            One<br>line, <b>bold</b> and <img src="b.png" alt="a tide"> there.
            """
        )
        #expect(
            document.text == """
                A title

                In a note & more.

                More

                Inner words.

                Another

                One, Two

                A harbour

                One
                line, bold and a tide there.
                """
        )
        #expect(document.kind == .markdown && document.blocks(.altText) == ["a tide"])
    }

    @Test(
        arguments: [
            ("<ruby>漢字<rt>かんじ</rt></ruby>です", "漢字です"),
            ("<ruby>漢<rp>(</rp><rt>*かん*</rt><rp>)</rp>字<rt>じ</rt></ruby>です", "漢字です"),
            ("<ruby>漢<rt>かん<rb>字<rt>じ</ruby>です", "漢字です"),
            ("<RUBY>漢字<RTC><RT>かん</RT><RT>じ</RT></RTC></RUBY>です", "漢字です"),
            ("漢字<rt>です and *more*", "漢字です and more"),
        ]
    )
    func `reads ruby text once in Markdown, and what follows an aid that nothing ends`(
        line: String,
        text: String
    ) async throws {
        #expect(try await read("# One\n\n## Two\n\n- \(line)\n").text == "One\n\nTwo\n\n\(text)")
    }

    @Test(
        arguments: [
            ("Name <input value=\"Anna & Co\">here", "Name Anna & Co here"),
            ("Tick<input type=\"checkbox\" value=\"on\"> it", "Tick it"),
            ("Take<select><option>tea</option><option>*R&D* milk</option></select>now", "Take tea R&D milk now"),
            ("Take<select><option>tea</option><option selected>R&D < milk</option></select>now", "Take R&D < milk now"),
            ("Take <SELECT><OPTION label=\"green tea\">3</OPTION></SELECT> now", "Take green tea now"),
            ("Take <select><option>tea and *more*", "Take tea and more"),
            ("Take<select><option>tea<select><option>milk</select>now", "Take tea milk now"),
        ]
    )
    func `reads what the fields of a form show within a line of Markdown`(line: String, text: String) async throws {
        #expect(try await read("# One\n\n## Two\n\n- \(line)\n").text == "One\n\nTwo\n\n\(text)")
    }

    @Test
    func `reads the labels of options in a block of Markdown's HTML`() async throws {
        let document = try await read("# One\n\n<select>\n<option label=\"green tea\">\n</select>\n\n## Two\n")
        #expect(document.text == "One\n\ngreen tea\n\nTwo")
    }

    @Test(arguments: ["image0012.JPG", "alt text", "Image not available"])
    func `does not read what stands for missing words about a picture, in Markdown`(words: String) async throws {
        let source = "# One\n\nA ![\(words)](a.jpg) rose.\n\n## Two\n\n![a **red** rose](b.jpg)\n"
        let document = try await reader.read(DocumentFile(name: "a.md", bytes: Data(source.utf8)))
        #expect(document.text == "One\n\nA rose.\n\nTwo\n\na red rose" && document.blocks(.altText) == ["a red rose"])
    }

    @Test func `says how Markdown was read, as of plain text`() async throws {
        let markdown = "# Ühe pealkiri\n\n## Teine\n\nSõnad, *öö* ja [viide](https://example.org).\n"
        let bytes = try #require(markdown.data(using: .windowsCP1252, allowLossyConversion: true))
        let document = try MarkdownReader().read(DocumentFile(name: "a.md", bytes: bytes))
        #expect(!document.notices.isEmpty)
    }

    static let written: [(String, String.Encoding)] = [
        ("Õues on külm 😀 ja öö läheneb — “jutumärgid”.\r\n\r\nCHAPTER I\n\nŽürii.\u{0C}Lõpp.", .utf8),
        ("Õues on külm 😀 ja öö läheneb.\n\nŽürii.\u{0C}Lõpp.", .utf16),
        ("Plain words without a mark of their order.\nAnd more 😀.", .utf16LittleEndian),
        ("Õues on külm 😀 ja öö.", .utf32BigEndian),
        ("Le garçon a mangé une crêpe près de la fenêtre, à côté.\n\nChapitre 1\n\nAprès.", .isoLatin1),
        ("夜が近づいている。外は寒い。窓の外を見ると、雪が降っていた。", .shiftJIS),
    ]

    @Test(arguments: written, [1, 2, 3, 7, 64])
    func `reads a text the same in whatever pieces it comes`(
        sample: (text: String, encoding: String.Encoding),
        size: Int
    ) throws {
        let bytes = [UInt8](try #require(sample.text.data(using: sample.encoding)))
        let whole = try TextReader().read(DocumentFile(name: "x", bytes: Data(bytes)))
        var position = 0
        var text: [UInt8] = []
        let structure = try TextReader().read {
            guard position < bytes.count else {
                position = 0
                return nil
            }
            defer { position = min(position + size, bytes.count) }
            return Array(bytes[position...].prefix(size))
        } giving: {
            text.append(contentsOf: $0)
        }
        #expect(String(decoding: text, as: UTF8.self) == whole.text)
        #expect(structure == whole.structure)
    }

    @Test func `hands a long text on whole, without a paragraph's end or word lost`() async throws {
        let paragraph =
            "“Öö läheneb,” ütles ta; the clocks were striking thir-\nteen 😀 and it was cold.\n\nCHAPTER II\n\n"
        let some = String(repeating: paragraph, count: 100)
        let count = 120
        let document = try await read(String(repeating: some, count: count))
        #expect(document.text.utf8.count > 1 << 20)
        let first = try await read(some)
        let isRepeated =
            document.text == Array(repeating: first.text, count: count).joined(separator: "\n\n")
        #expect(isRepeated)
        #expect(document.chapters.count == 5_000 && document.blocks.count == 5_000)
    }

    @Test func `puts no space into a line without any, however long`() async throws {
        let line = String(repeating: "雪が降っていた。", count: 200_000)
        let document = try await read(line)
        let isSame = document.text == line
        #expect(isSame)
        let words = String(repeating: "word ", count: 600_000).trimmed
        let isWhole = try await read(words).text == words
        #expect(isWhole)
    }

    @Test func `takes no more signs of Markdown's blocks from a line than anybody writes`() {
        func limited(_ text: String) -> String {
            String(decoding: MarkdownNesting.limited(Array(text.utf8)), as: UTF8.self)
        }
        let most = MarkdownNesting.deepest
        for sign in [">", "> ", "- ", "* ", "+ ", "1. ", "12) ", ">\t"] {
            let kept = String(repeating: sign, count: most)
            #expect(limited("a\n\(kept)b\nc") == "a\n\(kept)b\nc")
            let cut = limited("a\n\(String(repeating: sign, count: most * 50))b\n> c\n")
            #expect(cut.hasPrefix("a\n\(sign)") && cut.hasSuffix("b\n> c\n"), "\(sign)")
            #expect(cut.utf8.count <= kept.utf8.count + 8, "\(sign)")
        }
        #expect(limited("-a *b* 1.c > d\n\n") == "-a *b* 1.c > d\n\n")
    }

    static let kinds: [(String, DocumentKind?)] = [
        ("%PDF-1.4", .pdf), ("some rubbish first\n%PDF-1.7\n…\nstartxref\n9\n%%EOF", .pdf),
        ("\u{FEFF}\r\n%PDF-1.4", .pdf), ("How it begins: every file starts with %PDF-1.7.", .text),
        ("%PXF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF", .pdf), ("1 0 obj\n<<>>\nstartxref\n9\n%%EOF\n", .pdf),
        ("The end of a PDF is:\nstartxref\n9\n%%EOF", .text), ("1 0 obj\nbegins an object of a PDF.", .text),
        ("Just words.", .text),
        ("Item #1 costs 5 * 3 = 15.\nAnd a line.", .text), ("# Title\n\n## Part\n\nwords", .markdown),
        ("1\n00:00:01,000 --> 00:00:02,000\nHi\n", .srt), ("WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", .vtt),
        ("\u{FEFF}WEBVTT - a talk\r\n\r\n00:01.000 --> 00:02.000\r\nHi", .vtt),
        ("\u{FEFF}\n\n1\n00:00:01,000 --> 00:00:02,000\nHi\n", .srt),
        ("\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\n# Hi\r\n", .srt), ("1\n2 --> 3\nIt goes on.", .text),
        ("WEBVTT is a format for captions.", .text), ("1204\nwas a cold year.", .text),
        ("\u{7F}ELF\u{2}\u{1}", nil), ("<?xml version=\"1.0\"?><svg/>", nil), ("<!DOCTYPE html><p>x", nil),
        ("{\\rtf1\\ansi Words.}", nil), ("GIF89a", nil),
        ("PK\u{03}\u{04} word/document.xml", nil), ("", nil), ("  \n\t ", nil),
    ]

    @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian])
    func `reads subtitles as sentences, in any encoding`(encoding: String.Encoding) async throws {
        let file =
            "1\r\n00:00:04,250 --> 00:00:06,900\r\n<i>Der Käse</i>\r\nwar für\r\n\r\n2\r\n"
            + "00:00:07,125 --> 00:00:09,050\r\ndie Mäuse.\r\n"
        let document = try await read(file, encoding)
        #expect(document.kind == .srt && document.text == "Der Käse war für die Mäuse.")
        #expect(document.pages == [DocumentPage(number: 1, range: 0..<document.text.utf16.count)])
        let cues = [SubtitleCue(range: 0..<16, start: 4.25), SubtitleCue(range: 17..<27, start: 7.125)]
        #expect(document.structure.cues == cues)
    }

    @Test(arguments: ["WEBVTT\n\nNOTE nothing is said\n", "1\n00:00:01,000 --> 00:00:02,000\n<i> </i>\n"])
    func `refuses subtitles that say nothing`(cues: String) async {
        await #expect(throws: DocumentError.empty) { _ = try await read(cues) }
    }

    @Test(arguments: kinds)
    func `knows the kind by the content alone`(sample: (text: String, kind: DocumentKind?)) {
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
            #expect(document.invariantViolation == nil)
        } catch let error as DocumentError {
            #expect(error == .empty || error.code == "document.unsupported" || error.code == "document.too-many-pages")
        }
    }
}
