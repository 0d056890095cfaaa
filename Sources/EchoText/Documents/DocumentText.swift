/// The result of reading a document: the text and its structure.
///
/// The text is clean: one line per paragraph, a blank line between paragraphs, words hyphenated at the end of a line or
/// page joined again, line ends `\n`. The order is that in which a person reads.
package struct DocumentText: Sendable, Hashable, Codable {
    package var text: String
    package var structure: DocumentStructure

    package init(text: String, structure: DocumentStructure) {
        self.text = text
        self.structure = structure
    }

    package var kind: DocumentKind { structure.kind }
    package var title: String? { structure.title }
    package var author: String? { structure.author }
    package var language: String? { structure.language }
    package var pages: [DocumentPage] { structure.pages }
    package var chapters: [DocumentChapter] { structure.chapters }
    package var blocks: [TextBlock] { structure.blocks }
    package var marks: [TextMark] { structure.marks }
    package var notices: [DocumentNotice] { structure.notices }
}

/// Everything about a document's text but the text itself.
///
/// All ranges are ranges of that text.
package struct DocumentStructure: Sendable, Hashable, Codable {
    package var kind: DocumentKind
    /// From the document's metadata; `nil` if absent.
    package var title: String?
    package var author: String?
    /// A BCP 47 tag in canonical form.
    package var language: String?
    /// At least one page, in order, covering the text from its start to its end.
    package var pages: [DocumentPage]
    /// Ordered by their starts; subchapters lie within the range of their parents.
    package var chapters: [DocumentChapter]
    /// The blocks other than plain paragraphs, in order; they may be nested.
    package var blocks: [TextBlock]
    /// The stretches that speech leaves out unless the person chooses them, in order, without overlaps.
    package var marks: [TextMark]
    package var notices: [DocumentNotice]
    /// The passages that are said to be in another language than the document, in order, apart; `nil` where none is stated.
    package var passages: [LanguagePassage]?
    /// The captions of subtitles, in order; `nil` for other kinds, and for subtitles that were read without their times.
    package var cues: [SubtitleCue]?

    package init(
        kind: DocumentKind,
        title: String? = nil,
        author: String? = nil,
        language: String? = nil,
        pages: [DocumentPage],
        chapters: [DocumentChapter] = [],
        blocks: [TextBlock] = [],
        marks: [TextMark] = [],
        notices: [DocumentNotice] = [],
        passages: [LanguagePassage]? = nil,
        cues: [SubtitleCue]? = nil
    ) {
        self.kind = kind
        self.title = title
        self.author = author
        self.language = language
        self.pages = pages
        self.chapters = chapters
        self.blocks = blocks
        self.marks = marks
        self.notices = notices
        self.passages = passages
        self.cues = cues
    }
}

/// A page as the document defines it: a sheet in a PDF, text up to a form feed in plain text, a file of the spine in an
/// EPUB.
package struct DocumentPage: Sendable, Hashable, Codable {
    /// From 1.
    package var number: Int
    /// The document's label, such as “iv”; `nil` when that is the number.
    package var label: String?
    package var range: TextRange

    package init(number: Int, label: String? = nil, range: TextRange) {
        self.number = number
        self.label = label
        self.range = range
    }
}

/// A part of a document that its contents list, or a heading, names.
package struct DocumentChapter: Sendable, Hashable, Codable {
    /// The most characters of a title; longer ones are truncated.
    package static let longestTitle = 300
    /// The deepest level; chapters below it get this level.
    package static let deepestLevel = 9

    /// A single line, never empty.
    package var title: String
    /// From 1.
    package var level: Int
    /// Up to the next chapter of this or a higher level, or the text's end; empty when the table of contents lists two
    /// chapters at one position.
    package var range: TextRange

    package init(title: String, level: Int, range: TextRange) {
        self.title = title
        self.level = level
        self.range = range
    }
}

/// A stretch of text that is not a plain paragraph.
package struct TextBlock: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case heading
        case listItem
        case tableRow
        case caption
        /// The placeholder of a picture.
        case altText
        case quotation
        case code
    }

    package var kind: Kind
    /// From 1: the level of a heading or the depth of a list item; 1 for all other blocks.
    package var level: Int
    package var range: TextRange

    package init(_ kind: Kind, level: Int = 1, range: TextRange) {
        self.kind = kind
        self.level = level
        self.range = range
    }
}

/// A range of text that is not spoken unless the person selects it.
///
/// Its range includes what separates it from the text around it: whichever marks are removed, the rest is clean text,
/// in which a paragraph across a page break is one paragraph.
package struct TextMark: Sendable, Hashable, Codable {
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// Text at the top of many pages.
        case header
        /// Text at the bottom of many pages.
        case footer
        case pageNumber
        case footnote
        /// The number or sign that points to a footnote.
        case footnoteReference
        /// A part outside the document's linear reading order.
        case nonLinear
    }

    package var role: Role
    package var range: TextRange

    package init(_ role: Role, range: TextRange) {
        self.role = role
        self.range = range
    }
}

extension TextMark.Role {
    /// Its name for a person, in the plural.
    package var name: String {
        switch self {
        case .header: "page headers"
        case .footer: "page footers"
        case .pageNumber: "page numbers"
        case .footnote: "footnotes"
        case .footnoteReference: "footnote references"
        case .nonLinear: "asides"
        }
    }
}

extension DocumentText {
    /// Describes the first invariant of ``DocumentStructure`` that this document violates, for a programmer; `nil` if
    /// all hold.
    ///
    /// It takes time proportional to the text. Results of a worker are checked with it too, because an untrusted file
    /// may have taken the worker over.
    package var invariantViolation: String? { invariantViolation(ofLength: text.utf16.count) }

    /// The same for a caller that already knows the text's length in UTF-16 units; counting them takes memory of an
    /// eighth of a long text.
    package func invariantViolation(ofLength length: Int) -> String? {
        pages.invariantViolation(length)
            ?? chapters.invariantViolation(length)
            ?? blockViolation(length)
            ?? markViolation(length)
            ?? structure.passages?.violation(ofLength: length)
            ?? structure.cues?.violation(ofLength: length)
            ?? wordViolation
            ?? noticeViolation
    }

    private func blockViolation(_ length: Int) -> String? {
        var start = 0
        for block in blocks {
            guard block.range.lowerBound >= start, block.range.upperBound <= length, !block.range.isEmpty else {
                return "blocks are in the text, in order"
            }
            guard (1...DocumentChapter.deepestLevel).contains(block.level) else { return "a block has a level from 1" }
            start = block.range.lowerBound
        }
        return nil
    }

    private func markViolation(_ length: Int) -> String? {
        var end = 0
        for mark in marks {
            guard mark.range.lowerBound >= end, mark.range.upperBound <= length, !mark.range.isEmpty else {
                return "marks are in the text, in order, apart"
            }
            end = mark.range.upperBound
        }
        return nil
    }

    private var wordViolation: String? {
        for line in [title, author, language] + pages.map(\.label) where line?.isOneShownLine == false {
            return "titles, names and labels are one line without control characters"
        }
        if let language, LanguageTag.canonical(language) != language { return "a language is a canonical tag" }
        return nil
    }

    private var noticeViolation: String? {
        for notice in notices {
            switch notice {
            case .unreadablePages(let pages), .pagesWithoutText(let pages), .unknownLetters(let pages),
                .unknownSigns(let pages):
                guard !pages.isEmpty, pages.allSatisfy({ $0 >= 1 }) else { return "notices name pages from 1" }
            case .endsBefore(let page): guard page >= 1 else { return "notices name pages from 1" }
            case .missingParts(let count), .replacedCharacters(let count), .furtherBooks(let count),
                .tickedBoxes(let count), .embeddedParts(let count), .comments(let count):
                guard count >= 1 else { return "notices count what there is" }
            case .onlyRunningLines, .unreadForm, .coverNotDrawn: break
            case .guessedEncoding(let name): guard name.isOneShownLine else { return "an encoding's name is one line" }
            }
        }
        return nil
    }
}

extension [DocumentPage] {
    fileprivate func invariantViolation(_ length: Int) -> String? {
        guard !isEmpty else { return "there is a page" }
        var end = 0
        for (index, page) in enumerated() {
            guard page.number == index + 1 else { return "pages are numbered from 1" }
            guard page.range.lowerBound == end else { return "pages follow one another without a gap" }
            end = page.range.upperBound
        }
        return end == length ? nil : "pages cover the text"
    }
}

extension [DocumentChapter] {
    fileprivate func invariantViolation(_ length: Int) -> String? {
        var open: [DocumentChapter] = []
        var start = 0
        for chapter in self {
            guard chapter.range.lowerBound >= start, chapter.range.upperBound <= length else {
                return "chapters are in the text, in order"
            }
            guard !chapter.title.isEmpty, chapter.title.count <= DocumentChapter.longestTitle,
                chapter.title.isOneShownLine
            else { return "a chapter has a title of one line" }
            guard (1...DocumentChapter.deepestLevel).contains(chapter.level) else {
                return "a chapter has a level from 1"
            }
            while let last = open.last, last.level >= chapter.level { open.removeLast() }
            if let around = open.last, chapter.range.upperBound > around.range.upperBound {
                return "a chapter is within the one it belongs to"
            }
            open.append(chapter)
            start = chapter.range.lowerBound
        }
        return nil
    }
}

extension String {
    fileprivate var isOneShownLine: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }
}

/// A stretch of a document that it says to be in another language than the rest.
package struct LanguagePassage: Sendable, Hashable, Codable {
    package var range: TextRange
    /// A BCP 47 tag in canonical form.
    package var language: String

    package init(range: TextRange, language: String) {
        self.range = range
        self.language = language
    }
}

/// The languages of a text, as far as its document states them or its words show them.
package struct TextLanguages: Sendable, Hashable, Codable {
    /// The language of the text, as a BCP 47 tag; `nil` if it is not known.
    package var main: String?
    /// Its passages in other languages, in order, apart.
    package var passages: [LanguagePassage]

    package init(main: String?, passages: [LanguagePassage] = []) {
        self.main = main
        self.passages = passages
    }
}

extension [LanguagePassage] {
    /// Describes what is wrong with the passages of a text of `length` UTF-16 units; `nil` if nothing is.
    func violation(ofLength length: Int) -> String? {
        var end = 0
        for passage in self {
            guard passage.range.lowerBound >= end, passage.range.upperBound <= length, !passage.range.isEmpty else {
                return "passages are in the text, in order, apart"
            }
            guard LanguageTag.stated(passage.language) == passage.language else {
                return "a passage's language is a canonical tag"
            }
            end = passage.range.upperBound
        }
        return nil
    }
}
