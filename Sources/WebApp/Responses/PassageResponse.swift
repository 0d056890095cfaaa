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
