import EchoText
import Testing

/// A row of a table: a text and its spoken form.
struct TextReading: Sendable, CustomTestStringConvertible {
    let written: String
    let spoken: String

    init(_ written: String, _ spoken: String) {
        self.written = written
        self.spoken = spoken
    }

    /// A row for a text that is spoken as it is written.
    init(asWritten text: String) {
        self.init(text, text)
    }

    var testDescription: String { written }
}

extension SpokenText {
    /// The whole spoken form, piece by piece; phonemes between slashes.
    var saying: String {
        pieces.map { piece in
            switch piece.content {
            case .written(let text), .words(let text): text
            case .phonemes(let phonemes): "/\(phonemes)/"
            }
        }.joined()
    }
}

/// Checks the invariants of a ``SpokenText`` made from `text`.
func expectSound(
    _ spoken: SpokenText,
    for text: String,
    at start: Int,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let length = text.utf16.count
    var end = start
    for piece in spoken.pieces {
        #expect(
            piece.source.lowerBound >= end,
            "sources are ordered and do not overlap",
            sourceLocation: sourceLocation
        )
        #expect(
            piece.source.upperBound <= start + length,
            "sources lie inside the text",
            sourceLocation: sourceLocation
        )
        if case .written(let written) = piece.content {
            #expect(
                written.utf16.count == piece.source.count,
                "what is written stands unit for unit",
                sourceLocation: sourceLocation
            )
        }
        end = piece.source.upperBound
    }
}

/// The letters of `text` that no piece covers.
func lostLetters(of text: String, in spoken: SpokenText, at start: Int) -> [Unicode.Scalar] {
    var covered = Set<Int>()
    for piece in spoken.pieces { covered.formUnion(piece.source) }
    var lost: [Unicode.Scalar] = []
    var position = start
    for scalar in text.unicodeScalars {
        if scalar.properties.isAlphabetic, !covered.contains(position) { lost.append(scalar) }
        position += UTF16.width(scalar)
    }
    return lost
}
