import EchoText
import Foundation
import Testing

@testable import DocumentReaders

@Suite("Reading order of printed pages")
struct ReadingOrderTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../Fixtures/columns").standardizedFileURL

    private static func words(_ text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber }
    }

    /// The fraction of the three-word sequences of `written` that occur in `read`, from 0 to 1.
    private static func agreement(of read: [Substring], with written: [Substring]) -> Double {
        func trigrams(_ words: [Substring]) -> [[Substring]: Int] {
            var counts: [[Substring]: Int] = [:]
            for start in words.indices.dropLast(2) { counts[Array(words[start..<start + 3]), default: 0] += 1 }
            return counts
        }
        let (expected, found) = (trigrams(written), trigrams(read))
        let shared = expected.reduce(0) { $0 + min($1.value, found[$1.key] ?? 0) }
        return Double(shared) / Double(max(written.count - 2, 1))
    }

    @Test(arguments: ["two", "three", "paper", "ragged", "beside", "form", "turned", "latex", "word"])
    func `is that of the text on every page`(name: String) async throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).pdf"))
        let written = try String(contentsOf: Self.folder.appending(path: "\(name).txt"), encoding: .utf8)
            .split(separator: "\u{0C}")
        let document = try await LocalDocumentReader().read(DocumentFile(name: "a.pdf", bytes: bytes))
        #expect(document.pages.count == written.count)
        for (page, text) in zip(document.pages, written) {
            let (read, words) = (Self.words(document.words(page.range)), Self.words(String(text)))
            let isSame = read.sorted() == words.sorted()
            #expect(isSame, "page \(page.number) has other words")
            #expect(Self.agreement(of: read, with: words) >= 0.95, "page \(page.number)")
        }
    }
}
