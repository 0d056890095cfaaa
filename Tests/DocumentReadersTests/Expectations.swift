import EchoText
import EchoTextTesting
import Foundation

extension DocumentText {
    /// The text without the marks of `roles`.
    func cut(_ roles: Set<TextMark.Role> = Set(TextMark.Role.allCases)) -> String {
        let units = Array(text.utf16)
        var kept: [UInt16] = []
        var start = 0
        for mark in marks where roles.contains(mark.role) {
            kept += units[start..<mark.range.lowerBound]
            start = mark.range.upperBound
        }
        return String(decoding: kept + units[start...], as: UTF16.self)
    }

    func words(_ range: TextRange) -> String { String(decoding: Array(text.utf16)[range], as: UTF16.self) }

    func marked(_ role: TextMark.Role) -> [String] {
        marks.filter { $0.role == role }.map { words($0.range).trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    func blocks(_ kind: TextBlock.Kind) -> [String] { blocks.filter { $0.kind == kind }.map { words($0.range) } }
}

/// Generated English text.
struct SampleText {
    private static let words = """
        the of and a harbour winter lantern remember tomorrow between mountain quietly extraordinary river although continued \
        without shadow morning considerable question answered traveller never window garden people understand important \
        themselves another thousand nothing beautiful distance evening something carefully it was she he had from with
        """.split(separator: " ").map(String.init)

    /// Paragraphs of three to nine sentences.
    static func paragraphs(_ count: Int, seed: UInt64 = 1) -> [String] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in
            (0..<Int.random(in: 3...9, using: &numbers)).map { _ in
                let sentence = (0..<Int.random(in: 5...18, using: &numbers))
                    .map { _ in words.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
                return sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
            }.joined(separator: " ")
        }
    }
}
