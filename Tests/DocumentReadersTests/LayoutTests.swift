import EchoText
import EchoTextTesting
import Testing

@testable import DocumentReaders

@Suite("Layout of printed pages")
struct LayoutTests {
    /// A line of letters half an em wide.
    private func line(_ text: String, x: Float, y: Float, size: Float = 10, isBold: Bool = false) -> PrintedLine {
        let width = Float(text.count) * size / 2
        return PrintedLine(
            text: text,
            box: PrintedBox(left: x, top: y, right: x + width, bottom: y + size),
            size: size,
            isBold: isBold
        )
    }

    private func document(_ pages: [[PrintedLine]]) throws -> DocumentText {
        let document = PrintedDocument(
            pages: pages.enumerated().map { PrintedPage(index: $0, width: 600, height: 800, lines: $1) }
        )
        let text = try document.text()
        #expect(text.invariantViolation == nil)
        return text
    }

    private let filler = "words that fill a line as far as it goes on"

    @Test func `reads one column after the other, and what spans them where it stands`() throws {
        var lines = [line("A title over both of the columns of this page, set wide", x: 160, y: 60)]
        for row in 0..<12 {
            lines.append(line("right \(row) \(filler)", x: 310, y: 100 + Float(row) * 12))
            lines.append(line("left \(row) \(filler)", x: 50, y: 100 + Float(row) * 12))
        }
        lines.append(line("A line in the middle that reaches over both columns again", x: 160, y: 300))
        for row in 0..<12 {
            lines.append(line("lower left \(row) \(filler)", x: 50, y: 340 + Float(row) * 12))
            lines.append(line("lower right \(row) \(filler)", x: 310, y: 340 + Float(row) * 12))
        }
        let text = try document([lines]).text
        let places = [
            "A title", "left 0", "left 11", "right 0", "right 11", "A line in", "lower left 0", "lower right 11",
        ]
        .compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 8)
        #expect(places == places.sorted())
    }

    @Test(arguments: ["Figure 1. A lamp.", "Figure 1. A lamp, as it was seen on the rock in the winter of that year"])
    func `reads what stands above a wide figure before its caption, however short that is`(caption: String) throws {
        var lines = [line(caption, x: 50, y: 330)]
        let columns: [(String, Float)] = [("left", 50), ("middle", 230), ("right", 410)]
        for (name, x) in columns {
            for row in 0..<8 {
                lines.append(line("\(name) \(row) words that fill it", x: x, y: 100 + Float(row) * 12))
                lines.append(line("lower \(name) \(row) words to fill", x: x, y: 350 + Float(row) * 12))
            }
        }
        let text = try document([lines]).text
        let places = [
            "left 7", "middle 0", "middle 7", "right 7", "Figure 1", "lower left 0", "lower middle 7", "lower right 0",
        ]
        .compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 8)
        #expect(places == places.sorted())
    }

    @Test func `reads a figure within a column that the next one does not reach down to in its column`() throws {
        var lines = [line("Figure 1. A lamp.", x: 50, y: 330)]
        for row in 0..<8 {
            lines.append(line("left \(row) words that fill a line", x: 50, y: 100 + Float(row) * 12))
            lines.append(line("right \(row) words that fill a line", x: 310, y: 100 + Float(row) * 12))
            lines.append(line("lower left \(row) words that fill a line", x: 50, y: 350 + Float(row) * 12))
        }
        let text = try document([lines]).text
        let places = ["left 7", "Figure 1", "lower left 0", "lower left 7", "right 0", "right 7"]
            .compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 6)
        #expect(places == places.sorted())
    }

    @Test func `reads the caption and the head of a table across both columns with its rows`() throws {
        var lines: [PrintedLine] = []
        for row in 0..<12 {
            lines.append(line("left \(row) \(filler)", x: 50, y: 100 + Float(row) * 12))
            lines.append(line("right \(row) \(filler)", x: 310, y: 100 + Float(row) * 12))
        }
        lines.append(line("Table 1: Some places", x: 50, y: 260))
        let rows = [
            ["Name of the place found", "Its people", "Area of all its land", "Its rivers"],
            ["Austria", "8.9", "83", "12"],
            ["Belgium", "11.5", "30", "9"],
            ["Denmark", "5.8", "43", "7"],
        ]
        for (index, row) in rows.enumerated() {
            for (cell, x) in zip(row, [55, 190, 320, 450] as [Float]) {
                lines.append(line(cell, x: x, y: 276 + Float(index) * 15))
            }
        }
        let text = try document([lines]).text
        let places = ["left 11", "right 0", "right 11", "Table 1", "Name of", "Area of", "Its rivers", "Austria"]
            .compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 8)
        #expect(places == places.sorted())
    }

    @Test func `reads a line of a paragraph that begins like a caption where it stands`() throws {
        var lines: [PrintedLine] = []
        for row in 0..<12 {
            let words = row == 9 ? "Table 1 shows, left 9 \(filler.prefix(28))" : "left \(row) \(filler)"
            lines.append(line(words, x: 50, y: 100 + Float(row) * 12))
            if row < 9 { lines.append(line("right \(row) \(filler)", x: 310, y: 100 + Float(row) * 12)) }
        }
        for (index, row) in ["Austria", "Belgium", "Denmark", "Finland"].enumerated() {
            let cells = [row, "\(index + 5).8", "\(index + 31)", "\(index + 12)"]
            for (cell, x) in zip(cells, [55, 190, 380, 450] as [Float]) {
                lines.append(line(cell, x: x, y: 256 + Float(index) * 15))
            }
        }
        let text = try document([lines]).text
        let places = ["left 8", "left 9", "left 11", "right 0", "right 8", "Austria", "Finland"]
            .compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 7)
        #expect(places == places.sorted())
    }

    @Test func `keeps the rows of a table together`() throws {
        let rows = [("Austria", "8.9"), ("Belgium", "11.5"), ("Denmark", "5.8"), ("Finland", "5.5")]
        let lines = rows.enumerated().flatMap { index, row in
            [line(row.0, x: 50, y: 100 + Float(index) * 14), line(row.1, x: 300, y: 100 + Float(index) * 14)]
        }
        let text = try document([lines])
        #expect(text.blocks(.tableRow) == ["Austria, 8.9", "Belgium, 11.5", "Denmark, 5.8", "Finland, 5.5"])
    }

    @Test func `finds heads that differ on left and right pages, and Roman numbers`() throws {
        let numerals = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"]
        let pages = numerals.enumerated().map { index, numeral in
            [
                line(index.isMultiple(of: 2) ? "The Book" : "Chapter \(index / 4 + 1)", x: 50, y: 30),
                line(numeral, x: 290, y: 760),
            ]
                + (0..<40).map { line("page \(index) row \($0) \(filler)", x: 50, y: 80 + Float($0) * 14) }
        }
        let text = try document(pages)
        #expect(text.marked(.pageNumber) == numerals)
        #expect(text.marked(.header).count == 8)
        #expect(!text.cut().contains("The Book"))
    }

    @Test(arguments: [["Question 1", "Question 2", "Question 3"], ["Total: 10", "Total: 25", "Total: 90"]])
    func `reads titles that differ by a number of their own`(titles: [String]) throws {
        let pages = titles.map { title in
            [line(title, x: 50, y: 50)] + (0..<20).map { line("row \($0), \(filler)", x: 50, y: 100 + Float($0) * 14) }
        }
        let text = try document(pages)
        #expect(text.marks.isEmpty && titles.allSatisfy { text.text.contains($0) })
    }

    @Test(arguments: [["The Harbour 12", "The Harbour 13", "The Harbour 14"], ["Tides 2, 1908", "Tides 4, 1908"]])
    func `finds heads with the numbers of pages`(heads: [String]) throws {
        let pages = heads.map { head in
            [line(head, x: 50, y: 50)] + (0..<20).map { line("row \($0), \(filler)", x: 50, y: 100 + Float($0) * 14) }
        }
        #expect(try document(pages).marked(.header) == heads)
    }

    @Test func `does not take the first line of every page for a head`() throws {
        let pages = (0..<6).map { page in
            (0..<45).map {
                line(
                    "the same words on every page in row \($0) and on",
                    x: 50,
                    y: 40 + Float($0) * 14 + Float(page) * 0
                )
            }
        }
        #expect(try document(pages).marks.isEmpty)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e19])
    func `leaves out what stands beyond all pages, or is as large`(number: Float) throws {
        let kept = line("A line where lines stand.", x: 50, y: 100)
        let changes: [(inout PrintedLine) -> Void] = [
            { $0.box.left = number }, { $0.box.top = number }, { $0.box.right = number }, { $0.box.bottom = number },
            { $0.size = number },
        ]
        var page = PrintedPage(index: 0, width: 600, height: 800, lines: [])
        page.take([kept])
        page.take(
            changes.map { change in
                var line = line("lost", x: 50, y: 120)
                change(&line)
                return line
            }
        )
        #expect(try PrintedDocument(pages: [page]).text().text == kept.text)
    }

    @Test func `compares no cell with more than a row may have, and loses none`() throws {
        let lines = (0..<600).map { line("word \($0)", x: Float($0) * 80, y: 100) }
        let rows = PrintedRow.rows(of: lines)
        #expect(rows.flatMap(\.cells).map(\.text) == lines.map(\.text))
        #expect(rows.map(\.cells.count) == [256, 256, 88])
        #expect(try document([lines]).text.split(separator: "word").count == 600)
    }

    @Test func `marks footnotes and what points to them`() throws {
        var reference = line("Something that needs a note1 stands in the text here.", x: 50, y: 580)
        reference.raised = [27..<28]
        var lines =
            (0..<30).map { line("row \($0) of the text, \(filler)", x: 50, y: 100 + Float($0) * 14) } + [reference]
        lines.append(line("1 The note itself, set smaller, at the foot of", x: 50, y: 700, size: 8))
        lines.append(line("the page in two lines.", x: 50, y: 710, size: 8))
        lines.append(line("2 Another note.", x: 50, y: 722, size: 8))
        let text = try document([lines])
        #expect(
            text.marked(.footnote) == [
                "1 The note itself, set smaller, at the foot of the page in two lines.", "2 Another note.",
            ]
        )
        #expect(text.marked(.footnoteReference) == ["1"])
        #expect(text.cut().contains("needs a note stands"))
    }

    @Test(
        arguments: [
            ["A quotation that is set in small type", "stands at the end of the page."], ["let x = 1", "let y = 2"],
            ["This letter was printed in the harbour."], ["The harbour, founded in 1880, is", "12 miles from here."],
        ]
    )
    func `reads small print at the foot that is no note`(print: [String]) throws {
        var lines = (0..<30).map { line("row \($0) of the text, \(filler)", x: 50, y: 100 + Float($0) * 14) }
        lines += print.enumerated().map { line($1, x: 50, y: 560 + Float($0) * 10, size: 8) }
        let text = try document([lines])
        #expect(text.marked(.footnote).isEmpty && text.text.hasSuffix(print[print.count - 1]))
        lines.append(line("1 A note below it.", x: 50, y: 700, size: 8))
        let both = try document([lines])
        #expect(both.marked(.footnote) == ["1 A note below it."] && both.cut().contains(print[print.count - 1]))
    }

    @Test func `reads a table in small type at the foot`() throws {
        var lines = (0..<30).map { line("row \($0) of the text, \(filler)", x: 50, y: 100 + Float($0) * 14) }
        for (row, cells) in [["1", "Ann", "Rome"], ["2", "Bob", "Oslo"], ["3", "Cat", "Bonn"]].enumerated() {
            lines += cells.enumerated().map { line($1, x: 50 + Float($0) * 150, y: 560 + Float(row) * 10, size: 8) }
        }
        let text = try document([lines])
        #expect(text.marks.isEmpty && text.blocks(.tableRow) == ["1, Ann, Rome", "2, Bob, Oslo", "3, Cat, Bonn"])
    }

    @Test func `marks a footnote that continues from the page before`() throws {
        let body = (0..<30).map { line("row \($0) of the text, \(filler)", x: 50, y: 100 + Float($0) * 14) }
        let first = line("1 The note begins on this page and goes", x: 50, y: 700, size: 8)
        let rest = line("on to the next, where it ends.", x: 50, y: 700, size: 8)
        let other = line("This page was printed in the harbour.", x: 50, y: 690, size: 8)
        let text = try document([body + [first], body + [rest], body + [other]])
        #expect(text.marked(.footnote) == [first.text, rest.text])
    }

    @Test func `leaves powers and chemical units alone`() throws {
        var power = line("an area of 25 km2 and x2 on a page of words", x: 50, y: 100)
        power.raised = [16..<17, 23..<24]
        #expect(try document([[power]]).marks.isEmpty)
    }

    static let joints: [(String, String, String)] = [
        ("extra-", "ordinary", "extraordinary"), ("UTF-", "8 is", "UTF-8 is"), ("Saint-", "Denis", "Saint-Denis"),
        ("state-of-the-", "art", "state-of-the-art"), ("a dash -", "like this", "a dash - like this"),
        ("well\u{AD}", "known", "wellknown"), ("two", "words", "two words"), ("so—", "and so", "so—and so"),
        ("比較", "文字", "比較文字"), ("non-", "linear", "non-linear"), ("re-", "member", "remember"),
        ("well-", "known", "well-known"), ("twenty-", "first", "twenty-first"), ("e-", "mail", "e-mail"),
        ("vice-", "president", "vice-president"), ("long-", "term", "long-term"), ("half-", "penny", "halfpenny"),
        ("self-", "ish", "selfish"), ("ninety-", "fold", "ninetyfold"), ("moon-", "light", "moonlight"),
        ("self-", "ies", "selfies"), ("Well-", "blech", "Wellblech"), ("1914-", "1918", "1914-1918"),
        ("since 1914-", "and on", "since 1914- and on"),
        ("Haus-", "und Hofarbeit", "Haus- und Hofarbeit"), ("pre-", "and post-war", "pre- and post-war"),
        ("Ein-", "bzw. Ausgang", "Ein- bzw. Ausgang"), ("Kin-", "der und mehr", "Kinder und mehr"),
        ("peut-", "être", "peut-être"), ("Est-", "ce", "Est-ce"), ("n’est-", "ce", "n’est-ce"),
        ("avez-", "vous", "avez-vous"), ("dit-", "il", "dit-il"), ("celui-", "là", "celui-là"),
        ("voi-", "là", "voilà"), ("vingt-", "deux", "vingt-deux"), ("ren-", "dez", "rendez"),
        ("l'é-", "tat", "l'état"), ("-12-", "2 things", "-12- 2 things"),
    ]

    @Test func `keeps a span of numbers in one paragraph`() throws {
        let lines = [
            line("It was in the years of the war, 1914-", x: 50, y: 100),
            line("1918, that he was born, the first of two.", x: 50, y: 112),
        ]
        #expect(try document([lines]).text.contains("of the war, 1914-1918, that he was born"))
    }

    /// The text of a line whose characters are `gap` ems apart, and whose spaces are `space` ems wide.
    private func reading(of text: String, gap: Float, space: Float) -> String? {
        var line = LineInProgress()
        var left: Float = 50
        return reading(of: text, gap: gap, space: space, in: &line, from: &left)
    }

    private func reading(
        of text: String,
        gap: Float,
        space: Float,
        in line: inout LineInProgress,
        from left: inout Float
    ) -> String? {
        line.begin()
        for scalar in text.unicodeScalars {
            if scalar == " " {
                left += space * 10
            } else {
                line.take(
                    scalar,
                    at: PrintedBox(left: left, top: 100, right: left + 6, bottom: 110),
                    size: 10,
                    isBold: false
                )
                left += 6 + gap * 10
            }
        }
        return line.finished()?.text
    }

    @Test func `puts capitals that are set apart together into words`() {
        #expect(reading(of: "CHAPTER ONE", gap: 0.35, space: 0.4) == "CHAPTER ONE")
        #expect(reading(of: "PART", gap: 0.5, space: 0.6) == "PART")
        #expect(reading(of: "BOOK", gap: 0.5, space: 0.6) == "BOOK")
        #expect(reading(of: "BOLD LETTERS", gap: 0.3, space: 0.3) == "BOLD LETTERS")
        #expect(reading(of: "EESTI LÄÄNEMERI", gap: 0.5, space: 0.6) == "EESTI LÄÄNEMERI")
    }

    @Test func `puts the letters of a short word together behind a longer one on the same line`() {
        var line = LineInProgress()
        var left: Float = 50
        var words: [String?] = []
        for (word, gapBefore) in [("CHAPTER", 0), ("ONE", 14), ("TWO", 60), ("ABC", 0)] as [(String, Float)] {
            left += gapBefore
            words.append(reading(of: word, gap: 0.4, space: 0.4, in: &line, from: &left))
        }
        #expect(words == ["CHAPTER", "ONE", "T W O", "A B C"])
    }

    @Test func `leaves letters that are none of a word apart, and words as they are`() {
        #expect(reading(of: "ABCDE", gap: 0.4, space: 0.4) == "A B C D E")
        #expect(reading(of: "ABBAABBA", gap: 0.4, space: 0.4) == "A B B A A B B A")
        #expect(reading(of: "MTWTFSS", gap: 0.4, space: 0.4) == "M T W T F S S")
        #expect(reading(of: "BADCAB", gap: 0.4, space: 0.4) == "B A D C A B")
        #expect(reading(of: "ATGCCGTA", gap: 0.4, space: 0.4) == "A T G C C G T A")
        #expect(reading(of: "JFMAMJJASOND", gap: 0.4, space: 0.4) == "J F M A M J J A S O N D")
        #expect(reading(of: "ETKNRLP", gap: 0.4, space: 0.4) == "E T K N R L P")
        #expect(reading(of: "xyzab", gap: 0.4, space: 0.4) == "x y z a b")
        #expect(reading(of: "I AM SO IN IT", gap: 0, space: 0.3) == "I AM SO IN IT")
        #expect(reading(of: "CHAPTER ONE", gap: 0, space: 0.3) == "CHAPTER ONE")
    }

    @Test(arguments: joints)
    func `joins lines`(joint: (line: String, next: String, joined: String)) {
        var ends = LineEnds()
        ends.learn("a non-linear thing to remember", follows: nil)
        let (dropping, adding) = ends.joint(of: joint.line, and: joint.next)
        #expect(String(joint.line.dropLast(dropping)) + adding + joint.next == joint.joined)
    }

    static let numerals: [(String, Int?)] = [
        ("12", 12), ("– 12 –", 12), ("Page 12", 12), ("12 of 300", 12), ("12 / 300", 12), ("xiv", 14), ("XL", 40),
        ("iv", 4),
        ("Chapter 12", nil), ("mild", nil), ("", nil), ("1234567", nil),
    ]

    @Test(arguments: numerals)
    func `reads page numbers`(numeral: (text: String, value: Int?)) {
        #expect(PageNumeral.value(of: numeral.text) == numeral.value)
    }

    @Test(arguments: 1...60)
    func `loses no word of pages that make no sense`(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        var expected: [String: Int] = [:]
        let pages = (0..<Int.random(in: 1...6, using: &numbers)).map { page in
            (0..<Int.random(in: 1...60, using: &numbers)).map { row in
                let words = (0...Int.random(in: 0...9, using: &numbers)).map { "w\(page)q\(row)q\($0)" }
                for word in words { expected[word, default: 0] += 1 }
                return line(
                    words.joined(separator: " "),
                    x: Float.random(in: -50...700, using: &numbers),
                    y: Float.random(in: -50...900, using: &numbers),
                    size: Float.random(in: 2...40, using: &numbers),
                    isBold: Bool.random(using: &numbers)
                )
            }
        }
        let text = try document(pages)
        var found: [String: Int] = [:]
        for word in text.text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            found[String(word), default: 0] += 1
        }
        #expect(found == expected)
        // After any removal of marks, the rest has no gap at their positions.
        for role in TextMark.Role.allCases {
            #expect(!text.cut([role]).hasPrefix("\n"))
            #expect(!text.cut([role]).contains("  "))
        }
    }
}
