import EchoText
import Foundation
import Testing

@Suite("Chapters of a recording")
struct ChapterTests {
    /// A timing table of the sentences of `text`, one second each at 1,000 hertz.
    private func timings(_ sentences: [String], in text: String) -> [TimedSentence] {
        var from = text.startIndex
        return sentences.enumerated().map { index, sentence in
            let range = text.range(of: sentence, range: from..<text.endIndex) ?? from..<from
            from = range.upperBound
            let start = text.utf16.distance(from: text.startIndex, to: range.lowerBound)
            return TimedSentence(
                source: start..<start + sentence.utf16.count,
                text: sentence,
                samples: index * 1_000..<index * 1_000 + 900,
                words: []
            )
        }
    }

    @Test("are its headings, at the time they are heard")
    func headings() async throws {
        let text = "# One\n\nFirst õ words. More.\n\n## Two  *x*\n\nSecond words.\n\nThree\n\nThird words."
        let table = timings(
            ["One", "First õ words.", "More.", "Two", "Second words.", "Three", "Third words."],
            in: text
        )
        let chapters = try await Chapter.chapters(of: "Name", text: text, timings: table)
        #expect(chapters.map(\.title) == ["One", "Two *x*", "Three"])
        #expect(chapters.map(\.start) == [0, 3_000, 5_000])
    }

    @Test("begin with the recording's name where words stand before the first heading")
    func preface() async throws {
        let text = "Words before, all in one line.\n\n# One\n\nWords."
        let table = timings(["Words before, all in one line.", "One", "Words."], in: text)
        let chapters = try await Chapter.chapters(of: "Name", text: text, timings: table)
        #expect(chapters == [Chapter(title: "Name", start: 0), Chapter(title: "One", start: 1_000)])
    }

    @Test("are those that have been spoken, while a narration continues")
    func spoken() async throws {
        let text = "# One\n\nFirst words.\n\n# Two\n\nMore."
        let table = timings(["One", "First words."], in: text)
        let chapters = try await Chapter.chapters(of: "Name", text: text, timings: table)
        #expect(chapters == [Chapter(title: "One", start: 0)])
    }

    @Test(
        "are one without headings, without a timing table and without words",
        arguments: ["No heading here.", "# One", ""]
    )
    func none(_ text: String) async throws {
        let chapters = try await Chapter.chapters(of: "Name", text: text, timings: [])
        #expect(chapters == [Chapter(title: "Name", start: 0)])
    }

    @Test("have titles of at most 240 bytes", arguments: ["a", "õ", "夜", "🎧"])
    func longTitles(_ character: String) {
        let title = Chapter(title: String(repeating: character, count: 300), start: 0).title
        #expect(title.utf8.count <= 240)
        #expect(title.utf8.count > 230)
        #expect(title.hasSuffix("…"))
        #expect(title.dropLast().allSatisfy { String($0) == character })
    }
}

@Suite("Cover image")
struct CoverImageTests {
    @Test("is known by its content")
    func kinds() throws {
        #expect(try CoverImage([0xFF, 0xD8, 0xFF, 0xE0, 1].data).kind == .jpeg)
        #expect(try CoverImage([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1].data).kind == .png)
    }

    @Test(
        "is refused where it is something else",
        arguments: [[], [0xFF, 0xD8], Array("GIF89a".utf8), Array("<svg/>".utf8)]
    )
    func others(_ bytes: [UInt8]) {
        #expect(throws: ExportError.coverNotImage) { try CoverImage(bytes.data) }
    }

    @Test("is refused where it is too large")
    func large() {
        let bytes = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: CoverImage.largest - 2)
        #expect(throws: ExportError.coverTooLarge(limit: 20_000_000)) { try CoverImage(bytes.data) }
    }
}

extension [UInt8] {
    fileprivate var data: Data { Data(self) }
}
