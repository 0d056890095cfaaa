/// A half-open range of a written text, in UTF-16 code units, the unit of ICU and of JavaScript strings.
package typealias TextRange = Range<Int>

extension Range where Bound: AdditiveArithmetic {
    package func moved(by distance: Bound) -> Self { lowerBound + distance..<upperBound + distance }
}

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

extension SpokenText {
    /// The text in parts of at most `longest` UTF-16 units of what is said, cut where a speaker would breathe.
    ///
    /// A cut falls after a clause mark (`,;:—` and their relatives in other scripts) where there is one in the second
    /// half of a part, else between words, else anywhere between characters; one that is made up of more units than a person
    /// would write together is cut like a run of them. Nothing is lost: the parts' pieces, one after another, say what the
    /// whole says. Phonemes are never cut.
    ///
    /// - Parameter longest: More than 0.
    /// - Returns: None for a text without pieces.
    package func phrases(longest: Int) -> [SpokenText] {
        precondition(longest > 0, "a phrase needs room for at least one unit")
        var phrases: [SpokenText] = []
        var rest = pieces[...]
        while !rest.isEmpty {
            phrases.append(SpokenText(pieces: Self.takePhrase(from: &rest, limit: longest)))
        }
        return phrases
    }

    /// How many UTF-16 units are said.
    package var spokenLength: Int {
        pieces.reduce(0) { $0 + $1.content.length }
    }

    private static func takePhrase(from rest: inout ArraySlice<Piece>, limit: Int) -> [Piece] {
        let place = CutPlace.best(in: rest, limit: limit) ?? CutPlace(piece: rest.endIndex, unit: 0)
        var phrase = Array(rest[..<place.piece])
        if place.unit > 0 {
            let (before, after) = rest[place.piece].split(at: place.unit)
            phrase.append(before)
            rest[place.piece] = after
        }
        rest = rest[place.piece...]
        return phrase
    }
}

/// Where a text may be cut: before unit `unit` of piece `piece`.
private struct CutPlace {
    var piece: Int
    var unit: Int

    /// The best place at or before `limit` units, or `nil` when the pieces fit.
    static func best(in pieces: ArraySlice<SpokenText.Piece>, limit: Int) -> CutPlace? {
        var clause: CutPlace?
        var word: CutPlace?
        var anywhere: CutPlace?
        var used = 0
        var afterSpace = false
        var afterClause = false
        for index in pieces.indices {
            guard let text = pieces[index].content.letters else {  // phonemes: only before or after
                let here = CutPlace(piece: index, unit: 0)
                if used > 0 {
                    if afterSpace { word = here }
                    if afterClause, afterSpace, used > limit / 2 { clause = here }
                    anywhere = here
                }
                used += pieces[index].content.length
                if used > limit { return clause ?? word ?? anywhere ?? CutPlace.after(index, in: pieces) }
                afterSpace = false
                afterClause = false
                continue
            }
            var unit = 0
            for character in text.cuttable {
                let here = CutPlace(piece: index, unit: unit)
                if used > 0 {
                    if afterSpace || character.standsAlone { word = here }
                    if afterClause, afterSpace || character.standsAlone, used > limit / 2 { clause = here }
                    anywhere = here
                }
                let length = character.utf16.count
                if used + length > limit, !character.isWhitespace, used > 0 { return clause ?? word ?? anywhere }
                used += length
                unit += length
                if character.isClauseMark {
                    afterClause = true
                } else if !character.isWhitespace, !character.isClosing {
                    afterClause = false
                }
                afterSpace = character.isWhitespace
            }
        }
        return nil
    }

    private static func after(_ index: Int, in pieces: ArraySlice<SpokenText.Piece>) -> CutPlace? {
        index + 1 < pieces.endIndex ? CutPlace(piece: index + 1, unit: 0) : nil
    }
}

extension SpokenText.Piece.Content {
    /// The range of the spoken text, in UTF-16 units.
    fileprivate var length: Int {
        switch self {
        case .written(let text), .words(let text), .phonemes(let text): text.utf16.count
        }
    }

    /// The text, unless it is phonemes.
    fileprivate var letters: String? {
        switch self {
        case .written(let text), .words(let text): text
        case .phonemes: nil
        }
    }
}

extension SpokenText.Piece {
    /// The piece in two, before and after `unit` of what is said.
    ///
    /// Words said for something written stand for all of it, in both halves.
    fileprivate func split(at unit: Int) -> (Self, Self) {
        switch content {
        case .written(let text):
            let place = text.utf16.index(text.startIndex, offsetBy: unit)
            let middle = source.lowerBound + unit
            return (
                Self(.written(String(text[..<place])), source: source.lowerBound..<middle),
                Self(.written(String(text[place...])), source: middle..<source.upperBound)
            )
        case .words(let text):
            let place = text.utf16.index(text.startIndex, offsetBy: unit)
            return (
                Self(.words(String(text[..<place])), source: source),
                Self(.words(String(text[place...])), source: source)
            )
        case .phonemes:
            preconditionFailure("phonemes are never cut")
        }
    }
}

extension String {
    /// Most UTF-16 units of a character that is kept together: an emoji of a family of five has 20, a syllable of Devanagari or Tibetan fewer.
    private static let longestCharacter = 40

    /// The characters, those that are too long scalar by scalar.
    fileprivate var cuttable: some Sequence<Character> {
        lazy.flatMap { character -> [Character] in
            guard character.utf16.count > Self.longestCharacter else { return [character] }
            return character.unicodeScalars.map { Character($0) }
        }
    }
}

extension Character {
    /// A mark after which a speaker breathes.
    fileprivate var isClauseMark: Bool { ",;:—–，、；：،؛።፣।॥၊・…".contains(self) }

    /// A mark that may follow a clause mark and belongs to it.
    fileprivate var isClosing: Bool { "\"'”’»)]}」』）】".contains(self) }

    /// Whether a cut before it is as good as any.
    fileprivate var standsAlone: Bool { unicodeScalars.first?.isWrittenWithoutSpaces ?? false }
}
