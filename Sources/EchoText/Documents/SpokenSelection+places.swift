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
