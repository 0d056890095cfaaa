/// The text that is spoken of a document, and for each stretch of it where it stands in the document.
///
/// Every character that is chosen and not left out is in it once, in the document's order. Between stretches that do not follow
/// one another (page 3, page 9) stands a blank line that is nowhere in the document.
package struct SpokenSelection: Sendable, Hashable {
    /// A stretch of text that is spoken just as it stands in the document.
    package struct Piece: Sendable, Hashable {
        /// Where in ``SpokenSelection/text``.
        package var spoken: TextRange
        /// Where in the document's text; as long.
        package var source: TextRange

        package init(spoken: TextRange, source: TextRange) {
            self.spoken = spoken
            self.source = source
        }
    }

    /// A stretch of what was chosen that is not spoken.
    package struct Omission: Sendable, Hashable {
        /// Where in the document's text.
        package var source: TextRange
        /// Which of the document's marks it is, from 0; `nil` when the person struck it out.
        package var mark: Int?

        package init(source: TextRange, mark: Int?) {
            self.source = source
            self.mark = mark
        }
    }

    package let text: String
    /// In order; none is empty.
    package let pieces: [Piece]
    /// In order; none is empty, and none overlaps a piece.
    package let omissions: [Omission]

    private static let separator = "\n\n"

    /// The text of a document that `selection` has spoken.
    ///
    /// - Parameters:
    ///   - text: All of the document's text.
    ///   - structure: What is known of it.
    ///   - selection: What is chosen.
    /// - Throws: ``PageRangesError`` when there are no such pages or chapters.
    package init(of text: String, _ structure: DocumentStructure, _ selection: DocumentSelection)
        throws(PageRangesError)
    {
        let chosen = try selection.ranges(in: structure).map(text.wholeCharacters).united
        let marks = structure.marks.indices.filter { index in
            !selection.spokenRoles.contains(structure.marks[index].role) && !selection.putBack.contains(index)
        }
        let length = structure.length
        let struck = selection.leftOut.map { $0.clamped(to: 0..<length) }.map(text.wholeCharacters).united
        let cuts = (marks.map { text.wholeCharacters(structure.marks[$0].range) } + struck).united
        var spoken = ""
        var units = 0
        var pieces: [Piece] = []
        for scope in chosen {
            for source in [scope].without(cuts) {
                if let last = pieces.last, source.lowerBound >= scope.lowerBound,
                    last.source.upperBound < scope.lowerBound,
                    !spoken.hasSuffix(Self.separator)
                {
                    spoken += Self.separator
                    units += Self.separator.utf16.count
                }
                spoken += text.part(source)
                pieces.append(Piece(spoken: units..<units + source.count, source: source))
                units += source.count
            }
        }
        self.text = spoken
        self.pieces = pieces
        omissions = Self.omissions(marks, struck, in: structure, chosen)
    }

    private static func omissions(
        _ marks: [Int],
        _ struck: [TextRange],
        in structure: DocumentStructure,
        _ chosen: [TextRange]
    ) -> [Omission] {
        let marked = marks.map { structure.marks[$0].range }
        let byPerson = struck.without(marked.united).map { Omission(source: $0, mark: nil) }
        let byMark = zip(marks, marked).map { Omission(source: $1, mark: $0) }
        var scopes = chosen[...]
        return (byPerson + byMark).sorted { $0.source.lowerBound < $1.source.lowerBound }.flatMap { omission in
            scopes = scopes.drop { $0.upperBound <= omission.source.lowerBound }
            return scopes.prefix { $0.lowerBound < omission.source.upperBound }.map { scope in
                Omission(source: omission.source.clamped(to: scope), mark: omission.mark)
            }
        }
    }

    /// Where in the document a stretch of the spoken text stands, from its first unit that is there to its last.
    ///
    /// - Parameter spoken: In ``text``.
    /// - Returns: `nil` when nothing of it is in the document.
    package func source(of spoken: TextRange) -> TextRange? {
        let first = firstPiece { $0.spoken.upperBound > spoken.lowerBound }
        let touched = pieces[first...].prefix { $0.spoken.lowerBound < max(spoken.upperBound, spoken.lowerBound + 1) }
        guard let begin = touched.first, let end = touched.last else { return nil }
        let start = begin.source.lowerBound + max(0, spoken.lowerBound - begin.spoken.lowerBound)
        let last = end.source.lowerBound + min(end.spoken.count, spoken.upperBound - end.spoken.lowerBound)
        return start..<max(start, last)
    }

    /// Where in the spoken text a place of the document is: the nearest unit at or after it that is spoken.
    ///
    /// - Parameter unit: In the document's text.
    /// - Returns: `nil` when nothing after it is spoken.
    package func spoken(at unit: Int) -> Int? {
        let first = firstPiece { $0.source.upperBound > unit }
        guard first < pieces.count else { return nil }
        return pieces[first].spoken.lowerBound + max(0, unit - pieces[first].source.lowerBound)
    }

    private func firstPiece(_ isBeyond: (Piece) -> Bool) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(pieces[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
