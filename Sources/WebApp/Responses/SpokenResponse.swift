import API
import EchoText
import Hummingbird

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
