/// A half-open range of a written text, in UTF-16 code units, the unit of ICU and of JavaScript strings.
package typealias TextRange = Range<Int>

/// The spoken text of a stretch of writing, in pieces that know their place in the writing.
///
/// “Dr. Lee paid $5” becomes the pieces “Doctor” (for “Dr.”), “ Lee paid ” (as written) and “five dollars” (for “$5”).
/// Pieces are in reading order; their sources do not overlap and may leave gaps (what is not spoken).
package struct SpokenText: Sendable, Hashable {
    package struct Piece: Sendable, Hashable {
        package enum Content: Sendable, Hashable {
            /// Spoken as it is written: as many UTF-16 units as the source, unit for unit.
            case written(String)
            /// Words said instead of what is written.
            case words(String)
            /// International Phonetic Alphabet said instead of what is written.
            case phonemes(String)
        }

        package var content: Content
        /// Where it is written, in the whole text.
        package var source: TextRange

        package init(_ content: Content, source: TextRange) {
            self.content = content
            self.source = source
        }
    }

    package var pieces: [Piece]

    package init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// `text` said just as it is written, its first unit standing at `start` in the whole text.
    package init(written text: String, at start: Int = 0) {
        pieces = text.isEmpty ? [] : [Piece(.written(text), source: start..<start + text.utf16.count)]
    }

    /// From where the first of it is written to where the last is; empty without pieces.
    package var extent: TextRange {
        guard let start = pieces.map(\.source.lowerBound).min(), let end = pieces.map(\.source.upperBound).max() else {
            return 0..<0
        }
        return start..<max(start, end)
    }

    /// Whether there is nothing to say.
    package var isBlank: Bool {
        pieces.allSatisfy { piece in
            switch piece.content {
            case .written(let text), .words(let text), .phonemes(let text): text.allSatisfy(\.isWhitespace)
            }
        }
    }
}
