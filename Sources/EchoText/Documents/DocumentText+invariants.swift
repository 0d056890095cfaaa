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
                .tickedBoxes(let count), .embeddedParts(let count):
                guard count >= 1 else { return "notices count what there is" }
            case .onlyRunningLines, .unreadForm: break
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
