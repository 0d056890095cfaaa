import EchoText
import Foundation
import Testing

@Suite("An excerpt of a text")
struct TextExcerptTests {
    private static let long =
        String(repeating: "before ", count: 30) + "\n\n the 😀  Keeper \t" + String(repeating: "after ", count: 30)

    /// The excerpt around the words, and the text at its match.
    private func excerpt(of text: String, around words: String) throws -> (text: String, found: String) {
        let range = try #require(text.range(of: words))
        let (start, end) = (range.lowerBound.utf16Offset(in: text), range.upperBound.utf16Offset(in: text))
        let excerpt = TextExcerpt(of: Array(text.utf16), around: start..<end)
        return (excerpt.text, String(decoding: Array(excerpt.text.utf16)[excerpt.place], as: UTF16.self))
    }

    @Test(
        "is a line that has the place at the position it gives",
        arguments: [
            ("Keeper", "Keeper"), ("Keeper", "The Keeper sleeps."), ("Keeper", "\n\nThe\n Keeper"), ("Keeper", long),
            ("😀  Keeper", long), ("after", long), ("before", long),
        ]
    )
    func place(words: String, text: String) throws {
        let (line, found) = try excerpt(of: text, around: words)
        #expect(found == words.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        #expect(!line.contains("\n") && !line.contains("  "))
        #expect(line.utf16.count <= 140)
    }

    @Test("is cut between words, and says so")
    func cut() throws {
        let (line, _) = try excerpt(of: Self.long, around: "Keeper")
        #expect(line.hasPrefix("…before") && line.hasSuffix("after…"), "\(line)")
        #expect(line.contains("the 😀 Keeper after"))
        #expect(try excerpt(of: "All of it.", around: "of").text == "All of it.")
    }
}
