import EchoText
import EchoTextTesting
import Testing
import TextAnalysis

@Suite("Pausing writer", .endsInTime)
struct PausingWriterTests {
    @Test(
        "is heard up to what ends a sentence in any case",
        arguments: [
            ("en", ["He came. ", "She left."], ["He came.", "She left."]),
            ("en", ["He came. It is No. ", "7 there."], ["He came.", "It is No. 7 there."]),
            ("de", ["Er kam. ", "Sie ging."], ["Er kam.", "Sie ging."]),
        ]
    )
    func isHeard(_ language: String, _ pieces: [String], _ parts: [String]) async throws {
        let segmenter = ICUSegmenter()
        var reader = ParagraphReader(of: PausingSource(pieces)) { segmenter.sentences(in: $0, language: language) }
        var found: [String] = []
        while let part = try await reader.next() { found.append(part.text) }
        #expect(found == parts)
    }

    @Test(
        "is not interrupted behind what is cut short before a number, a month or a name",
        arguments: [
            ("en", ["He came. It is No. ", "7 there."], ["He came.", "It is No. 7 there."]),
            ("en", ["See p.\n", "12 of it."], ["See p. 12 of it."]),
            ("en", ["Hello Dr. ", "Smith. Come in."], ["Hello Dr. Smith.", "Come in."]),
            ("de", ["Er kam am 3. ", "Mai an."], ["Er kam am 3. Mai an."]),
            ("et", ["Ta tuli 3. ", "mail. Oli hea."], ["Ta tuli 3. mail.", "Oli hea."]),
        ]
    )
    func pauses(_ language: String, _ pieces: [String], _ sentences: [String]) async throws {
        let segmenter = ICUSegmenter()
        var reader = ParagraphReader(of: PausingSource(pieces)) { segmenter.sentences(in: $0, language: language) }
        var found: [String] = []
        while let part = try await reader.next() {
            found += segmenter.sentences(in: part.text, language: language).map { range in
                String(part.text.part(range).reversed().drop { $0 == " " }.reversed())
            }
        }
        #expect(found == sentences)
    }
}
