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

    /// Which part it is, in words: “pages 3–7, 9”, “Chapter Two”; `nil` for all of the document.
    ///
    /// - Throws: ``PageRangesError`` as ``ranges(in:)`` does.
    package func part(of structure: DocumentStructure) throws(PageRangesError) -> String? {
        _ = try ranges(in: structure)
        switch scope {
        case .all: return nil
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

    /// Makes one selection for each chapter of the highest level that has text, each with its subchapters; everything
    /// else stays as it is here.
    package func byChapter(in structure: DocumentStructure) -> [DocumentSelection] {
        let top = structure.chapters.map(\.level).min()
        let numbers = structure.chapters.indices.filter { index in
            structure.chapters[index].level == top && !structure.chapters[index].range.isEmpty
        }.map { $0 + 1 }
        return numbers.compactMap { number in
            PageRanges(numbers: [number]).map { chapter in
                var selection = self
                selection.scope = .chapters(chapter)
                return selection
            }
        }
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
