import EchoText
import Foundation
import Testing

@Suite("The words of a text")
struct WordCountTests {
    struct Example: Decodable {
        let text: String
        let words: Int
    }

    @Test("are counted as the page counts them")
    func examples() throws {
        let file = URL(filePath: #filePath).appending(path: "../../Fixtures/word-counts.json").standardizedFileURL
        for example in try JSONDecoder().decode([Example].self, from: Data(contentsOf: file)) {
            #expect(example.text.wordCount == example.words, "\(example.text)")
        }
    }
}
