/// The parts of a document that are read aloud.
package struct DocumentSelection: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        case all
        /// Pages by number; labels do not count.
        case pages(PageRanges)
        /// Chapters by their position in the table of contents, from 1, each with its subchapters.
        case chapters(PageRanges)
    }

    package var scope: Scope
    /// The kinds of marks that are spoken anyway, anywhere in the document.
    package var spokenRoles: Set<TextMark.Role>
    /// Single marks that are spoken anyway, by their index in ``DocumentStructure/marks``.
    package var putBack: Set<Int>
    /// The ranges that the person struck out, in UTF-16 units of the document's text.
    package var leftOut: [TextRange]

    package init(
        _ scope: Scope = .all,
        spokenRoles: Set<TextMark.Role> = [],
        putBack: Set<Int> = [],
        leftOut: [TextRange] = []
    ) {
        self.scope = scope
        self.spokenRoles = spokenRoles
        self.putBack = putBack
        self.leftOut = leftOut
    }

    /// Which part it is, in words: “pages 3–7, 9”, “Chapter Two”, “beginning” for what is before the chapters;
    /// `nil` for all of the document.
    ///
    /// - Throws: ``PageRangesError`` as ``ranges(in:)`` does.
    package func part(of structure: DocumentStructure) throws(PageRangesError) -> String? {
        _ = try ranges(in: structure)
        switch scope {
        case .all: return hasBeginningOnly(of: structure) ? "beginning" : nil
        case .pages(let pages): return pages.count == 1 ? "page \(pages.words)" : "pages \(pages.words)"
        case .chapters(let chapters):
            guard chapters.count > 1 else { return structure.chapters[chapters.last - 1].title }
            return "chapters \(chapters.words)"
        }
    }

    /// The selected ranges of the text, before anything is left out: in order, neither overlapping nor adjacent.
    ///
    /// - Throws: ``PageRangesError/noSuchPage(_:of:)``, ``PageRangesError/noSuchChapter(_:of:)``,
    ///   ``PageRangesError/noChapters``.
    package func ranges(in structure: DocumentStructure) throws(PageRangesError) -> [TextRange] {
        switch scope {
        case .all: return [0..<structure.length].filter { !$0.isEmpty }
        case .pages(let pages):
            guard pages.last <= structure.pages.count else {
                throw .noSuchPage(pages.last, of: structure.pages.count)
            }
            return pages.numbers.map { structure.pages[$0 - 1].range }.united
        case .chapters(let chapters):
            guard !structure.chapters.isEmpty else { throw .noChapters }
            guard chapters.last <= structure.chapters.count else {
                throw .noSuchChapter(chapters.last, of: structure.chapters.count)
            }
            return chapters.numbers.map { structure.chapters[$0 - 1].range }.united
        }
    }

    /// Makes one selection for each chapter that is selected, with its subchapters: those of the highest level that
    /// have text, or where chapters are chosen, each of them that is not within another.
    ///
    /// A chapter of which pages are chosen is cut to them; what else is left out or spoken stays as it is here.
    ///
    /// - Throws: ``PageRangesError`` as ``ranges(in:)`` does.
    package func byChapter(in structure: DocumentStructure) throws(PageRangesError) -> [DocumentSelection] {
        let chosen = try ranges(in: structure)
        return structure.chapters(of: scope).compactMap { number in
            let chapter = [structure.chapters[number - 1].range]
            let rest = chapter.without(chosen)
            guard rest != chapter, let only = PageRanges(numbers: [number]) else { return nil }
            var selection = self
            selection.scope = .chapters(only)
            selection.leftOut += rest
            return selection
        }
    }

    /// Selects what is selected here and is in none of the chapters that ``byChapter(in:)`` takes, such as a foreword.
    ///
    /// - Returns: `nil` when they have everything, and for a document without chapters.
    /// - Throws: ``PageRangesError`` as ``ranges(in:)`` does.
    package func besideChapters(in structure: DocumentStructure) throws(PageRangesError) -> DocumentSelection? {
        let chosen = try ranges(in: structure)
        let chapters = structure.chapterText(of: scope)
        guard !chapters.isEmpty, !chosen.without(chapters).isEmpty else { return nil }
        var selection = self
        selection.scope = .all
        selection.leftOut += (chapters + [0..<structure.length].without(chosen)).united
        return selection
    }

    private func hasBeginningOnly(of structure: DocumentStructure) -> Bool {
        let chapters = structure.chapterText(of: .all)
        return !chapters.isEmpty && chapters.without(leftOut.united).isEmpty
    }
}

extension DocumentSelection: Codable {
    private enum Key: String, CodingKey {
        case pages, chapters, spokenRoles, putBack, leftOut
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard !container.contains(.pages) || !container.contains(.chapters) else {
            let problem = "pages or chapters are chosen, not both"
            throw DecodingError.dataCorruptedError(forKey: .chapters, in: container, debugDescription: problem)
        }
        if let pages = try container.decodeIfPresent(PageRanges.self, forKey: .pages) {
            scope = .pages(pages)
        } else if let chapters = try container.decodeIfPresent(PageRanges.self, forKey: .chapters) {
            scope = .chapters(chapters)
        } else {
            scope = .all
        }
        spokenRoles = try container.decodeIfPresent(Set<TextMark.Role>.self, forKey: .spokenRoles) ?? []
        putBack = try container.decodeIfPresent(Set<Int>.self, forKey: .putBack) ?? []
        leftOut = try container.decodeIfPresent([TextRange].self, forKey: .leftOut) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch scope {
        case .all: break
        case .pages(let pages): try container.encode(pages, forKey: .pages)
        case .chapters(let chapters): try container.encode(chapters, forKey: .chapters)
        }
        if !spokenRoles.isEmpty {
            try container.encode(spokenRoles.sorted { $0.rawValue < $1.rawValue }, forKey: .spokenRoles)
        }
        if !putBack.isEmpty { try container.encode(putBack.sorted(), forKey: .putBack) }
        if !leftOut.isEmpty { try container.encode(leftOut, forKey: .leftOut) }
    }
}

extension DocumentStructure {
    /// UTF-16 units of the text.
    package var length: Int { pages.last?.range.upperBound ?? 0 }

    /// The numbers of the chapters, each with its subchapters, that are a part by themselves when `scope` is spoken
    /// by chapter; none is empty.
    fileprivate func chapters(of scope: DocumentSelection.Scope) -> [Int] {
        let numbers: [Int]
        if case .chapters(let chosen) = scope {
            var end = 0
            numbers = chosen.numbers.filter { number in
                let range = chapters[number - 1].range
                defer { end = max(end, range.upperBound) }
                return range.upperBound > end
            }
        } else {
            let top = chapters.map(\.level).min()
            numbers = chapters.indices.filter { chapters[$0].level == top }.map { $0 + 1 }
        }
        return numbers.filter { !chapters[$0 - 1].range.isEmpty }
    }

    /// The text of ``chapters(of:)``.
    fileprivate func chapterText(of scope: DocumentSelection.Scope) -> [TextRange] {
        chapters(of: scope).map { chapters[$0 - 1].range }.united
    }
}

extension [TextRange] {
    /// The union of the ranges: in order, neither overlapping nor adjacent, none empty.
    package var united: [TextRange] {
        var united: [TextRange] = []
        for range in filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        return united
    }

    /// These places without those of `others`; both are as ``united`` gives them.
    package func without(_ others: [TextRange]) -> [TextRange] {
        var rest = others[...]
        return flatMap { range -> [TextRange] in
            var pieces: [TextRange] = []
            var start = range.lowerBound
            rest = rest.drop { $0.upperBound <= range.lowerBound }
            for cut in rest.prefix(while: { $0.lowerBound < range.upperBound }) {
                if cut.lowerBound > start { pieces.append(start..<cut.lowerBound) }
                start = Swift.max(start, cut.upperBound)
            }
            if start < range.upperBound { pieces.append(start..<range.upperBound) }
            return pieces
        }
    }
}

/// Numbers of pages or chapters as a person writes them: “3-7,9”.
package struct PageRanges: Sendable, Hashable, CustomStringConvertible {
    /// At least one range, in order, with a gap between any two.
    package let ranges: [ClosedRange<Int>]

    /// The largest number that can be written.
    package static let largest = 1_000_000

    /// Fails without ranges, or if one is below 1 or beyond ``largest``.
    ///
    /// - Parameter ranges: In any order; overlapping and adjacent ranges are merged.
    package init?(_ ranges: [ClosedRange<Int>]) {
        guard !ranges.isEmpty, ranges.allSatisfy({ $0.lowerBound >= 1 && $0.upperBound <= Self.largest }) else {
            return nil
        }
        var merged: [ClosedRange<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    /// Fails without numbers, or if one is out of range.
    package init?(numbers: some Sequence<Int>) {
        self.init(numbers.map { $0...$0 })
    }

    /// Parses a person's input: numbers and ranges separated by commas, with white space anywhere and any kind of dash.
    ///
    /// - Throws: ``PageRangesError``.
    package init(parsing text: String) throws(PageRangesError) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(omittingEmptySubsequences: false) { "-–—‐‑−".contains($0) }
            var numbers: [Int] = []
            for bound in bounds { numbers.append(try Self.number(String(bound), in: text)) }
            switch numbers.count {
            case 1: ranges.append(numbers[0]...numbers[0])
            case 2 where numbers[0] <= numbers[1]: ranges.append(numbers[0]...numbers[1])
            case 2: throw .reversed(from: numbers[0], to: numbers[1])
            default: throw .unreadable(text)
            }
        }
        guard let read = PageRanges(ranges) else { throw .unreadable(text) }
        self = read
    }

    private static func number(_ text: String, in whole: String) throws(PageRangesError) -> Int {
        let digits = text.filter { !$0.isWhitespace }
        let isBroken = text.split(whereSeparator: \.isWhitespace).count > 1
        guard !isBroken, !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = Int(digits), number <= largest
        else { throw .unreadable(whole) }
        guard number >= 1 else { throw .belowOne }
        return number
    }

    /// The shortest way to write them: “3-7,9”.
    package var description: String { written(separator: ",", dash: "-") }

    /// As people print them: “3–7, 9”.
    package var words: String { written(separator: ", ", dash: "–") }

    private func written(separator: String, dash: String) -> String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)\(dash)\($0.upperBound)" }
            .joined(separator: separator)
    }

    /// How many numbers there are.
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    package var last: Int { ranges[ranges.count - 1].upperBound }

    package var numbers: [Int] { ranges.flatMap { Array($0) } }

    package func contains(_ number: Int) -> Bool { ranges.contains { $0.contains(number) } }
}

extension PageRanges: Codable {
    package init(from decoder: any Decoder) throws {
        self = try PageRanges(parsing: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Why a person's input is not a valid list of pages or chapters.
package enum PageRangesError: UserFacingError, Equatable {
    /// The text as it was written.
    case unreadable(String)
    case belowOne
    case reversed(from: Int, to: Int)
    /// The page is beyond the last one, `of`.
    case noSuchPage(Int, of: Int)
    case noSuchChapter(Int, of: Int)
    /// The document has no chapters.
    case noChapters

    package var failure: Failure {
        switch self {
        case .unreadable(let text):
            Failure(
                .invalidRequest,
                "pages.unreadable",
                "“\(text.prefix(40))” does not say which pages or chapters are meant."
            )
            .suggesting("Write numbers and ranges with commas between them, such as 3-7,9.")
        case .belowOne:
            Failure(.invalidRequest, "pages.below-one", "Pages and chapters are counted from 1.")
                .suggesting("Write numbers and ranges with commas between them, such as 3-7,9.")
        case .reversed(let from, let to):
            Failure(.invalidRequest, "pages.reversed", "\(from)-\(to) goes backwards.")
                .suggesting("Write \(to)-\(from).")
        case .noSuchPage(let page, 1):
            Failure(.invalidRequest, "pages.no-such-page", "There is no page \(page): the document has one page.")
                .suggesting("Write 1.")
        case .noSuchPage(let page, let count):
            Failure(.invalidRequest, "pages.no-such-page", "There is no page \(page): the document has \(count) pages.")
                .suggesting("Write numbers from 1 to \(count), such as 1-\(count).")
        case .noSuchChapter(let chapter, 1):
            Failure(
                .invalidRequest,
                "pages.no-such-chapter",
                "There is no chapter \(chapter): the document has one chapter."
            )
            .suggesting("Write 1.")
        case .noSuchChapter(let chapter, let count):
            Failure(
                .invalidRequest,
                "pages.no-such-chapter",
                "There is no chapter \(chapter): the document has \(count) chapters."
            )
            .suggesting(
                "Write numbers from 1 to \(count).",
                inTerminal: "Write numbers from 1 to \(count); “echotext documents show” lists the chapters."
            )
        case .noChapters:
            Failure(.invalidRequest, "pages.no-chapters", "The document has no chapters.")
                .suggesting("Choose pages, or all of it.")
        }
    }
}
