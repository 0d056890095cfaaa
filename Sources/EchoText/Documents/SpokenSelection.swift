/// The spoken text of a document, with a map of its ranges to the document.
///
/// It contains each selected character that is not left out once, in the document's order. Between pieces that are not
/// adjacent (page 3, page 9) it has a blank line that is not in the document.
package struct SpokenSelection: Sendable, Hashable {
    /// A range of text that is spoken unchanged.
    package struct Piece: Sendable, Hashable {
        /// The range in ``SpokenSelection/text``.
        package var spoken: TextRange
        /// The range in the document's text, of the same length.
        package var source: TextRange

        package init(spoken: TextRange, source: TextRange) {
            self.spoken = spoken
            self.source = source
        }
    }

    /// A range of the selection that is not spoken.
    package struct Omission: Sendable, Hashable {
        /// The range in the document's text.
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

    /// Makes the text of a document that is spoken for `selection`.
    ///
    /// - Parameters:
    ///   - text: The document's whole text.
    ///   - structure: Its structure.
    ///   - selection: The selection.
    /// - Throws: ``PageRangesError`` when the document lacks the pages or chapters.
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

    /// Maps a range of the spoken text to the document, from its first unit that the document has to its last.
    ///
    /// - Parameter spoken: A range in ``text``.
    /// - Returns: `nil` when nothing of it is in the document.
    package func source(of spoken: TextRange) -> TextRange? {
        let first = firstPiece { $0.spoken.upperBound > spoken.lowerBound }
        let touched = pieces[first...].prefix { $0.spoken.lowerBound < max(spoken.upperBound, spoken.lowerBound + 1) }
        guard let begin = touched.first, let end = touched.last else { return nil }
        let start = begin.source.lowerBound + max(0, spoken.lowerBound - begin.spoken.lowerBound)
        let last = end.source.lowerBound + min(end.spoken.count, spoken.upperBound - end.spoken.lowerBound)
        return start..<max(start, last)
    }

    /// Maps a position in the document to the spoken text: the nearest spoken unit at or after it.
    ///
    /// - Parameter unit: The position in the document's text.
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

extension SpokenSelection {
    /// The languages of what is spoken, each passage with its range in ``text``.
    package func languages(of structure: DocumentStructure) -> TextLanguages {
        var places = PlaceFinder(in: self)
        let passages = (structure.passages ?? []).compactMap { passage in
            places.next(passage.range).map { LanguagePassage(range: $0, language: passage.language) }
        }
        return TextLanguages(main: structure.language, passages: passages)
    }

    /// The captions of a document that are spoken at least in part, each with its range in ``text``.
    ///
    /// - Throws: ``DocumentError/noTimes`` for a document without captions.
    package func cues(of structure: DocumentStructure) throws(DocumentError) -> [SubtitleCue] {
        guard let cues = structure.cues else { throw .noTimes }
        var places = PlaceFinder(in: self)
        return cues.compactMap { cue in places.next(cue.range).map { SubtitleCue(range: $0, start: cue.start) } }
    }

    /// Finds where ranges of a document are spoken that come in order and do not overlap.
    private struct PlaceFinder {
        private var rest: ArraySlice<Piece>

        init(in selection: SpokenSelection) {
            rest = selection.pieces[...]
        }

        /// From the first unit of `range` that is spoken to the last, in the spoken text; `nil` if none is.
        mutating func next(_ range: TextRange) -> TextRange? {
            rest = rest.drop { $0.source.upperBound <= range.lowerBound }
            let own = rest.prefix { $0.source.lowerBound < range.upperBound }
            guard let first = own.first, let last = own.last else { return nil }
            let start = first.spoken.lowerBound + max(0, range.lowerBound - first.source.lowerBound)
            let end = last.spoken.upperBound - max(0, last.source.upperBound - range.upperBound)
            return start..<end
        }
    }
}
