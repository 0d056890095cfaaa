import API
import EchoText
import Hummingbird

/// A stretch of a document's text with the blocks and marks that touch it.
struct PassageResponse: ResponseEncodable {
    struct Block: Encodable {
        let kind: String
        let level: Int
        let from: Int
        let to: Int
    }

    struct Mark: Encodable {
        /// Its index among all of the document's marks, which selections use.
        let index: Int
        let role: String
        let from: Int
        let to: Int
    }

    let from: Int
    let to: Int
    /// The length of the whole text.
    let length: Int
    let text: String
    let blocks: [Block]
    let marks: [Mark]

    init(_ passage: DocumentPassage, of structure: DocumentStructure) {
        (from, to, text) = (passage.range.lowerBound, passage.range.upperBound, passage.text)
        length = structure.length
        blocks = structure.blocks.filter { $0.range.overlaps(passage.range) }.map { block in
            Block(
                kind: block.kind.rawValue,
                level: block.level,
                from: block.range.lowerBound,
                to: block.range.upperBound
            )
        }
        marks = structure.marks.enumerated().filter { $1.range.overlaps(passage.range) }.map { index, mark in
            Mark(index: index, role: mark.role.rawValue, from: mark.range.lowerBound, to: mark.range.upperBound)
        }
    }
}

/// The positions of words in a document.
struct PlacesResponse: ResponseEncodable {
    struct Place: Encodable {
        let from: Int
        let to: Int
        let page: Int
    }

    let places: [Place]
    /// Whether there are more.
    let isCut: Bool

    init(_ ranges: [TextRange], limit: Int, of structure: DocumentStructure) {
        isCut = ranges.count > limit
        places = ranges.prefix(limit).map { range in
            Place(from: range.lowerBound, to: range.upperBound, page: structure.page(at: range.lowerBound))
        }
    }
}

/// The spoken text of a document, and the omissions.
struct SpokenResponse: ResponseEncodable {
    struct Stretch: Encodable {
        let from: Int
        let to: Int
    }

    struct Piece: Encodable {
        /// Its start in the spoken text.
        let spoken: Int
        let from: Int
        let to: Int
    }

    struct Omission: Encodable {
        let from: Int
        let to: Int
        @Nullable var mark: Int?
        @Nullable var role: String?
    }

    @Nullable var part: String?
    let pages: Int
    let words: Int
    let characters: Int
    let scopes: [Stretch]
    let pieces: [Piece]
    let omissions: [Omission]

    /// - Parameters:
    ///   - spoken: The spoken text.
    ///   - selection: The selection.
    ///   - structure: The document's structure.
    ///   - window: The range in which pieces and omissions are returned.
    /// - Throws: ``PageRangesError``.
    init(
        _ spoken: SpokenSelection,
        of selection: DocumentSelection,
        in structure: DocumentStructure,
        within window: TextRange
    ) throws {
        part = try selection.part(of: structure)
        let chosen = try selection.ranges(in: structure)
        var rest = chosen[...]
        pages = structure.pages.count { page in
            rest = rest.drop { $0.upperBound <= page.range.lowerBound }
            return rest.first?.overlaps(page.range) == true
        }
        words = spoken.text.wordCount
        characters = spoken.text.utf16.count
        scopes = chosen.map { Stretch(from: $0.lowerBound, to: $0.upperBound) }
        pieces = spoken.pieces.filter { $0.source.overlaps(window) }.map { piece in
            Piece(spoken: piece.spoken.lowerBound, from: piece.source.lowerBound, to: piece.source.upperBound)
        }
        omissions = spoken.omissions.filter { $0.source.overlaps(window) }.map { omission in
            Omission(
                from: omission.source.lowerBound,
                to: omission.source.upperBound,
                mark: omission.mark,
                role: omission.mark.map { structure.marks[$0].role.rawValue }
            )
        }
    }
}
