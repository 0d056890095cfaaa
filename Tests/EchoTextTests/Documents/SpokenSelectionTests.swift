import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Spoken selection")
struct SpokenSelectionTests {
    /// A document of ten pages with a header, a footnote and a page number on each, and three chapters, one within another.
    private static let document: (text: String, structure: DocumentStructure) = {
        var text = ""
        var pages: [DocumentPage] = []
        var marks: [TextMark] = []
        func append(_ piece: String, _ role: TextMark.Role? = nil) {
            let start = text.utf16.count
            text += piece
            if let role { marks.append(TextMark(role, range: start..<text.utf16.count)) }
        }
        for number in 1...10 {
            let start = text.utf16.count
            append("A Book 𝄞\n\n", .header)
            append("Page \(number) begins with this. Näkku 👩‍👩‍👧 it goes on")
            append("¹", .footnoteReference)
            append(" and ends.\n\n")
            append("¹ A note.\n\n", .footnote)
            append("\(number)\n\n", .pageNumber)
            pages.append(DocumentPage(number: number, range: start..<text.utf16.count))
        }
        let chapters = [
            DocumentChapter(title: "One", level: 1, range: pages[0].range.lowerBound..<pages[3].range.upperBound),
            DocumentChapter(title: "Inside", level: 2, range: pages[1].range),
            DocumentChapter(title: "Two", level: 1, range: pages[4].range.lowerBound..<pages[9].range.upperBound),
        ]
        return (text, DocumentStructure(kind: .pdf, pages: pages, chapters: chapters, marks: marks))
    }()

    private func spoken(_ selection: DocumentSelection) throws -> SpokenSelection {
        try SpokenSelection(of: Self.document.text, Self.document.structure, selection)
    }

    private func pages(_ text: String) throws -> DocumentSelection {
        DocumentSelection(.pages(try PageRanges(parsing: text)))
    }

    @Test("leaves out what stands around the text unless it is asked for")
    func roles() throws {
        let page = try spoken(pages("3"))
        #expect(page.text == "Page 3 begins with this. Näkku 👩‍👩‍👧 it goes on and ends.\n\n")
        #expect(page.omissions.map(\.mark) == [8, 9, 10, 11])
        var selection = try pages("3")
        selection.spokenRoles = [.footnote]
        #expect(try spoken(selection).text.hasSuffix("and ends.\n\n¹ A note.\n\n"))
        selection.putBack = [9]
        #expect(try spoken(selection).text.contains("goes on¹ and ends"))
        selection.leftOut = [Self.document.structure.pages[2].range]
        #expect(try spoken(selection).text.isEmpty)
    }

    @Test("puts a blank line between what does not follow one another, and nowhere else")
    func separation() throws {
        let whole = try spoken(DocumentSelection())
        #expect(whole.text == whole.pieces.map { String(Self.document.text.part($0.source)) }.joined())
        let text = "One two three."
        let structure = DocumentStructure(
            kind: .text,
            pages: [0..<4, 4..<8, 8..<14].enumerated().map { DocumentPage(number: $0 + 1, range: $1) }
        )
        let apart = try SpokenSelection(of: text, structure, pages("1,3"))
        #expect(apart.text == "One \n\nthree.")
        #expect(try SpokenSelection(of: text, structure, pages("1-3")).text == text)
    }

    @Test("takes a chapter with those within it, once")
    func chapters() throws {
        let nested = try spoken(DocumentSelection(.chapters(try PageRanges(parsing: "1-2"))))
        #expect(nested == (try spoken(DocumentSelection(.chapters(try PageRanges(parsing: "1"))))))
        #expect(nested.text.contains("Page 4") && !nested.text.contains("Page 5"))
        let each = try DocumentSelection().byChapter(in: Self.document.structure)
        #expect(try each.map { try $0.part(of: Self.document.structure) } == ["One", "Two"])
        #expect(try each.map { try spoken($0).text }.joined() == spoken(DocumentSelection()).text)
    }

    @Test("takes what is before the chapters as a part too")
    func beginning() throws {
        var structure = Self.document.structure
        structure.chapters = Array(structure.chapters.dropFirst())
        structure.chapters[0].level = 3
        let struckOut = [structure.pages[9].range]
        let selection = DocumentSelection(leftOut: struckOut)
        let beginning = try #require(try selection.besideChapters(in: structure))
        #expect(beginning.scope == .all && beginning.leftOut == struckOut + [structure.chapters[1].range])
        let parts = try [beginning] + selection.byChapter(in: structure)
        #expect(try parts.map { try $0.part(of: structure) } == ["beginning", "Two"])
        let texts = try parts.map { try SpokenSelection(of: Self.document.text, structure, $0).text }
        #expect(try texts.joined() == spoken(DocumentSelection(leftOut: struckOut)).text)
        #expect(try DocumentSelection(leftOut: struckOut).part(of: structure) == nil)
        #expect(try DocumentSelection().besideChapters(in: Self.document.structure) == nil)
        structure.chapters = []
        #expect(try selection.besideChapters(in: structure) == nil)
    }

    @Test("speaks by chapter only what is chosen", arguments: ["4-6", "2,9", "3", "1-10"])
    func chosenPagesByChapter(_ numbers: String) throws {
        let selection = try pages(numbers)
        let parts = try selection.byChapter(in: Self.document.structure)
        #expect(try selection.besideChapters(in: Self.document.structure) == nil)
        let names = numbers == "3" ? ["One"] : ["One", "Two"]
        #expect(try parts.map { try $0.part(of: Self.document.structure) } == names)
        let said = try parts.map { try spoken($0).pieces.map(\.source) }.joined().map(\.self).united
        #expect(try said == spoken(selection).pieces.map(\.source).united)
    }

    @Test("speaks by chapter the chosen chapters alone, those within others where these are not chosen")
    func chosenChaptersByChapter() throws {
        func parts(_ numbers: String) throws -> [String?] {
            let selection = DocumentSelection(.chapters(try PageRanges(parsing: numbers)))
            #expect(try selection.besideChapters(in: Self.document.structure) == nil)
            return try selection.byChapter(in: Self.document.structure).map { part in
                #expect(part.leftOut.isEmpty)
                return try part.part(of: Self.document.structure)
            }
        }
        #expect(try parts("3") == ["Two"])
        #expect(try parts("1-2") == ["One"])
        #expect(try parts("2-3") == ["Inside", "Two"])
        #expect(throws: PageRangesError.noSuchChapter(4, of: 3)) { try parts("4") }
    }

    @Test("speaks what is before the chapters only where its pages are chosen")
    func chosenBeginning() throws {
        var structure = Self.document.structure
        structure.chapters = Array(structure.chapters.dropFirst(2))
        let selection = try pages("2,4-5")
        let beginning = try #require(try selection.besideChapters(in: structure))
        let parts = try [beginning] + selection.byChapter(in: structure)
        #expect(try parts.map { try $0.part(of: structure) } == ["beginning", "Two"])
        let said = try parts.map { try SpokenSelection(of: Self.document.text, structure, $0).pieces.map(\.source) }
        #expect(try said.joined().map(\.self).united == spoken(selection).pieces.map(\.source).united)
        #expect(try pages("5-6").besideChapters(in: structure) == nil)
    }

    @Test("says which pages or chapters there are when others are asked for")
    func missing() throws {
        #expect(throws: PageRangesError.noSuchPage(11, of: 10)) { try spoken(pages("9-11")) }
        let chapters = DocumentSelection(.chapters(try PageRanges(parsing: "2,4")))
        #expect(throws: PageRangesError.noSuchChapter(4, of: 3)) { try spoken(chapters) }
        #expect(throws: PageRangesError.noChapters) {
            try chapters.ranges(in: DocumentStructure(kind: .text, pages: [DocumentPage(number: 1, range: 0..<1)]))
        }
    }

    @Test("says in words which part it is")
    func parts() throws {
        let structure = Self.document.structure
        #expect(try DocumentSelection().part(of: structure) == nil)
        #expect(try pages("3-7,9").part(of: structure) == "pages 3–7, 9")
        #expect(try pages("4").part(of: structure) == "page 4")
        #expect(try DocumentSelection(.chapters(PageRanges(parsing: "2"))).part(of: structure) == "Inside")
        #expect(try DocumentSelection(.chapters(PageRanges(parsing: "1,3"))).part(of: structure) == "chapters 1, 3")
    }

    @Test("loses and doubles no character, and says where each stands", arguments: 0..<200)
    func wholeness(_ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let selection = Self.selection(by: &random)
        let (text, structure) = Self.document
        let spoken = try spoken(selection)
        let units = Array(text.utf16)
        let spokenUnits = Array(spoken.text.utf16)
        var isSpoken = [Bool](repeating: false, count: units.count)
        var end = 0
        for piece in spoken.pieces {
            #expect(piece.spoken.count == piece.source.count && !piece.source.isEmpty)
            #expect(spokenUnits[piece.spoken].elementsEqual(units[piece.source]))
            let between = spokenUnits[end..<piece.spoken.lowerBound]
            #expect(between.isEmpty || between.elementsEqual("\n\n".utf16))
            end = piece.spoken.upperBound
            for unit in piece.source {
                #expect(!isSpoken[unit], "no unit twice")
                isSpoken[unit] = true
            }
        }
        #expect(end == spokenUnits.count)
        let chosen = try selection.ranges(in: structure)
        for range in chosen {
            for unit in range where !isSpoken[unit] {
                #expect(spoken.omissions.contains { $0.source.contains(unit) }, "what is left out is reported")
            }
        }
        #expect(spoken.omissions.allSatisfy { $0.source.allSatisfy { !isSpoken[$0] } && !$0.source.isEmpty })
        #expect(!zip(spoken.omissions, spoken.omissions.dropFirst()).contains { $1.source.overlaps($0.source) })
        for piece in spoken.pieces {
            #expect(spoken.source(of: piece.spoken) == piece.source)
            let unit = Int.random(in: piece.source, using: &random)
            let place = try #require(spoken.spoken(at: unit))
            #expect(place - piece.spoken.lowerBound == unit - piece.source.lowerBound)
            #expect(spoken.source(of: place..<place + 1) == unit..<unit + 1)
        }
        #expect(String(decoding: spokenUnits, as: UTF16.self) == spoken.text, "no character is cut in two")
    }

    private static func selection(by random: inout SeededNumbers) -> DocumentSelection {
        var selection = DocumentSelection()
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let numbers = (1...10).filter { _ in Bool.random(using: &random) }
            selection.scope = PageRanges(numbers: numbers).map { .pages($0) } ?? .all
        case 1:
            let numbers = (1...3).filter { _ in Bool.random(using: &random) }
            selection.scope = PageRanges(numbers: numbers).map { .chapters($0) } ?? .all
        default: break
        }
        selection.spokenRoles = Set(TextMark.Role.allCases.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        selection.putBack = Set((0..<5).map { _ in Int.random(in: 0..<50, using: &random) })
        selection.leftOut = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            let start = Int.random(in: 0..<document.text.utf16.count, using: &random)
            return start..<start + Int.random(in: 0..<60, using: &random)
        }
        return selection
    }

    @Test("ends with the text where a damaged structure continues")
    func shortText() throws {
        let structure = DocumentStructure(
            kind: .text,
            pages: [DocumentPage(number: 1, range: 0..<4), DocumentPage(number: 2, range: 4..<1_000)],
            marks: [TextMark(.header, range: 900..<950)],
            cues: [SubtitleCue(range: 4..<1_000, start: 1)]
        )
        let left = DocumentSelection(leftOut: [500..<600])
        let spoken = try SpokenSelection(of: "One two.", structure, left)
        #expect(spoken.text == "One two." && spoken.pieces.map(\.source) == [0..<8])
        #expect(try spoken.cues(of: structure).map(\.range) == [4..<8])
        #expect("One".part(5..<9).isEmpty)
        #expect("One".part(-2..<1) == "O")
        #expect("𝄞".wholeCharacters(1..<9) == 0..<2)
    }

    @Test("has the captions of subtitles where they are spoken, each with its time")
    func captions() throws {
        let text = "One 𝄞 two. Three four. Five."
        let cues = [
            SubtitleCue(range: 0..<11, start: 1), SubtitleCue(range: 12..<23, start: 2),
            SubtitleCue(range: 24..<29, start: 4.5),
        ]
        let pages = [DocumentPage(number: 1, range: 0..<29)]
        let structure = DocumentStructure(kind: .srt, pages: pages, cues: cues)
        func spoken(without leftOut: [TextRange]) throws -> [String] {
            let spoken = try SpokenSelection(of: text, structure, DocumentSelection(leftOut: leftOut))
            return try spoken.cues(of: structure).map { "\($0.start): \(spoken.text.part($0.range))" }
        }
        #expect(try spoken(without: []) == ["1.0: One 𝄞 two.", "2.0: Three four.", "4.5: Five."])
        #expect(try spoken(without: [4..<6, 8..<14]) == ["1.0: One  t", "2.0: ree four.", "4.5: Five."])
        #expect(try spoken(without: [11..<24]) == ["1.0: One 𝄞 two.", "4.5: Five."])
        #expect(throws: DocumentError.noTimes) {
            let other = try SpokenSelection(of: Self.document.text, Self.document.structure, DocumentSelection())
            _ = try other.cues(of: Self.document.structure)
        }
    }

    @Test("has the passages in other languages where they are spoken")
    func languages() throws {
        let text = "One. Zwei und drei. Four."
        let passages = [LanguagePassage(range: 5..<19, language: "de")]
        let pages = [DocumentPage(number: 1, range: 0..<25)]
        let structure = DocumentStructure(kind: .epub, language: "en", pages: pages, passages: passages)
        let spoken = try SpokenSelection(of: text, structure, DocumentSelection(leftOut: [0..<5, 10..<14]))
        let languages = spoken.languages(of: structure)
        #expect(languages.main == "en")
        #expect(languages.passages.map { spoken.text.part($0.range) } == ["Zwei drei."])
        let other = Self.document.structure
        let plain = try SpokenSelection(of: Self.document.text, other, DocumentSelection()).languages(of: other)
        #expect(plain == TextLanguages(main: nil))
    }

    @Test("is kept and found again as it was")
    func coding() throws {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<50 {
            let selection = Self.selection(by: &random)
            let data = try JSONEncoder().encode(selection)
            #expect(try JSONDecoder().decode(DocumentSelection.self, from: data) == selection)
        }
        #expect(try JSONDecoder().decode(DocumentSelection.self, from: Data("{}".utf8)) == DocumentSelection())
        #expect(throws: PageRangesError.reversed(from: 7, to: 3)) {
            try JSONDecoder().decode(DocumentSelection.self, from: Data(#"{"pages":"7-3"}"#.utf8))
        }
    }
}
