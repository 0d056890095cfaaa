import DocumentReaders
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Workers

/// Every file is either read into a valid structure or rejected with a reason, and no process remains.
@Suite("Hostile files", .endsInTime)
struct HostileFileTests {
    /// Files changed at places that a seed selects: bytes, whole pieces, numbers, the end.
    private static func mutations(of bytes: Data, count: Int, seed: UInt64) -> [Data] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in
            var mutated = [UInt8](bytes)
            for _ in 0..<Int.random(in: 1...12, using: &numbers) where mutated.count > 64 {
                let place = Int.random(in: 8..<mutated.count - 32, using: &numbers)
                switch Int.random(in: 0..<7, using: &numbers) {
                case 0: mutated[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                case 1: mutated[place] = UInt8.random(in: 0...255, using: &numbers)
                case 2: mutated.removeSubrange(place..<place + Int.random(in: 1...24, using: &numbers))
                case 3: mutated.insert(contentsOf: mutated[place..<place + 24], at: place)
                case 4: mutated.insert(contentsOf: Array("99999999".utf8), at: place)
                case 5:
                    guard let digit = mutated[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else {
                        continue
                    }
                    mutated[digit] = UInt8.random(in: 0x30...0x39, using: &numbers)
                default: if Bool.random(using: &numbers) { mutated.removeSubrange((mutated.count * 3 / 4)...) }
                }
            }
            return Data(mutated)
        }
    }

    private static func isReadOrRefused(_ bytes: Data, _ reader: some DocumentReader) async throws -> Bool {
        do {
            return try await reader.read(DocumentFile(name: "x", bytes: bytes)).invariantViolation == nil
        } catch is DocumentError {
            return true
        }
    }

    private static let isLong = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"

    private static var seeds: [(name: String, bytes: Data, count: Int)] {
        var outlined = SamplePDF(paragraphs: SampleText.paragraphs(12), head: "A Head")
        outlined.entries = [.init(title: "One", page: 1), .init(title: "Two", page: 2)]
        let book = SampleEPUB(
            pages: [
                "<h1>One</h1><p>First &amp; <i>last</i>.</p>", "<ol><li>a</li></ol><table><tr><td>b</td></tr></table>",
            ],
            navigation: [("One", "page1.xhtml"), ("Two", "page2.xhtml#x")]
        )
        let markdown = "# One\n\n- a\n  - b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q [^1]\n\n[^1]: n\n\n```\nc\n```\n"
        return [
            ("PDF", outlined.bytes, isLong ? 1_100 : 30), ("EPUB", book.bytes, isLong ? 1_100 : 30),
            ("text", Data(SampleText.paragraphs(6).joined(separator: "\n\u{0C}\n").utf8), isLong ? 400 : 12),
            ("Markdown", Data(markdown.utf8), isLong ? 400 : 12),
        ]
    }

    @Test func `mutated files are read or refused, some each time and thousands in long runs`() async throws {
        let reader = ReaderWorkerTests.reader()
        for (index, seed) in Self.seeds.enumerated() {
            for (number, bytes) in Self.mutations(of: seed.bytes, count: seed.count, seed: UInt64(index + 1))
                .enumerated()
            {
                let isFine = try await Self.isReadOrRefused(bytes, reader)
                #expect(isFine, "\(seed.name) number \(number)")
            }
        }
    }

    @Test func `files cut short anywhere are read or refused`() async throws {
        let reader = ReaderWorkerTests.reader()
        for seed in Self.seeds {
            for part in stride(from: 1, to: 10, by: 3) {
                let isFine = try await Self.isReadOrRefused(seed.bytes.prefix(seed.bytes.count * part / 10), reader)
                #expect(isFine, "\(seed.name), \(part) tenths")
            }
        }
    }

    /// Texts that cmark-gfm needs quadratic time or memory for, each small.
    static let breaking: [(name: String, text: String)] = {
        func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
        let head = "# One\n\n# Two\n\n"
        return [
            ("quotations", head + times(">", 650_000) + "a\n"),
            ("items", head + times("- ", 325_000) + "a\n"),
            // Each of its rows is filled up to as many cells as its head has.
            ("cells", head + times("|a", 100_000) + "|\n" + times("|-", 100_000) + "|\n" + times("|\n", 240_000)),
            ("emphasis", head + times("*a __b ", 90_000)), ("brackets", head + times("[a](b ", 100_000)),
            ("underscores", head + "http://a.b/" + times("_", 600_000)),
        ]
    }()

    @Test(arguments: breaking.map(\.name))
    func `Markdown made to break its reader is read or refused, and the next one is read`(_ name: String) async throws {
        let text = try #require(Self.breaking.first { $0.name == name }?.text)
        let bytes = Data(text.utf8)
        #expect(try DocumentKind(of: bytes) == .markdown)
        let reader = ReaderWorkerTests.reader("brief")
        let isFine = try await Self.isReadOrRefused(bytes, reader)
        #expect(isFine)
        let next = try await reader.read(DocumentFile(name: "x", bytes: Data("# A\n\n# B\n\nWords.".utf8)))
        #expect(next.text == "A\n\nB\n\nWords.")
    }

    @Test(arguments: ["quotations", "items"])
    func `Markdown whose blocks lie deep in one another is read at once`(_ name: String) async throws {
        let text = try #require(Self.breaking.first { $0.name == name }?.text)
        let document = try await LocalDocumentReader().read(DocumentFile(name: "x", bytes: Data(text.utf8)))
        #expect(document.text.hasPrefix("One\n\nTwo") && document.text.hasSuffix("a"))
    }

    @Test func `a text of lists beyond measure is read, its first blocks as such`() async throws {
        let text = "# One\n\n# Two\n\n" + String(repeating: "- a\n", count: 210_000)
        let document = try await LocalDocumentReader().read(DocumentFile(name: "x", bytes: Data(text.utf8)))
        #expect(document.blocks.count <= 200_000 && document.text.utf8.count > 400_000)
    }

    @Test func `a container that unpacks to far more than it is, is refused`() async throws {
        var sample = SampleEPUB(pages: ["<p>x</p>"])
        sample.replace(
            "OEBPS/page1.xhtml",
            "<html><body>" + String(repeating: " ", count: 60_000_000) + "</body></html>"
        )
        await #expect(throws: DocumentError.tooMuchInside) { try await LocalDocumentReader().read(sample.file) }
    }

    /// A PDF of some kilobytes, of which the last page's content is 4 GiB.
    private static func bomb(_ content: PackedRepetition, after words: String?) -> DocumentFile {
        let packed = content.packed().packed().packed().bytes.map { byte in
            String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
        }
        let filters = "[/ASCIIHexDecode/FlateDecode/FlateDecode/FlateDecode]"
        var streams = ["<</Length \(packed.count * 2 + 1)/Filter\(filters)>>stream\n\(packed.joined())>\nendstream"]
        if let words {
            let shown = "BT /F 10 Tf 54 700 Td (\(words)) Tj ET"
            streams.insert("<</Length \(shown.utf8.count)>>stream\n\(shown)\nendstream", at: 0)
        }
        let kids = streams.indices.map { "\(10 + $0) 0 R" }.joined(separator: " ")
        var objects = [
            (1, "<</Type/Catalog/Pages 2 0 R>>"), (2, "<</Type/Pages/Count \(streams.count)/Kids[\(kids)]>>"),
            (3, "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"),
        ]
        for (index, stream) in streams.enumerated() {
            let rest = "/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents \(20 + index) 0 R"
            objects += [(10 + index, "<</Type/Page/Parent 2 0 R\(rest)>>"), (20 + index, stream)]
        }
        let body = objects.map { "\($0) 0 obj\n\($1)\nendobj\n" }.joined()
        return DocumentFile(name: "x", bytes: Data("%PDF-1.4\n\(body)trailer<</Root 1 0 R>>\n%%EOF".utf8))
    }

    /// A stream that unpacks to 4 GiB: nothing to see, which takes time, or letters, which take memory.
    private static func gigabytes(ofText isText: Bool) -> PackedRepetition {
        let (head, piece, tail) = isText ? ("BT /F 10 Tf ", "(a)Tj ", "ET") : ("q ", " ", "Q")
        let count = (4 << 30) / piece.utf8.count
        return PackedRepetition(head: Array(head.utf8), piece: Array(piece.utf8), count: count, tail: Array(tail.utf8))
    }

    @Test(arguments: [false, true])
    func `a page of a PDF that unpacks to gigabytes is left out, and the others are read`(isText: Bool) async throws {
        let file = Self.bomb(Self.gigabytes(ofText: isText), after: "The lantern is lit.")
        #expect(file.bytes.count < 10_000)
        let document = try await ReaderWorkerTests.reader("brief").read(file)
        #expect(document.text == "The lantern is lit." && document.notices == [.unreadablePages([2])])
    }

    @Test func `a PDF that has only what unpacks to gigabytes is damaged, and not without text`() async throws {
        let file = Self.bomb(Self.gigabytes(ofText: true), after: nil)
        await #expect(throws: DocumentError.damaged(.pdf)) { try await ReaderWorkerTests.reader("brief").read(file) }
    }

    @Test func `a PDF that claims a million pages is refused`() async throws {
        let pages = Array(repeating: [SamplePDF.Line](), count: 1)
        var text = String(decoding: SamplePDF(pages: pages).bytes, as: UTF8.self)
        text = text.replacing("/Count 1", with: "/Count 1000000")
        let reader = ReaderWorkerTests.reader()
        await #expect(throws: DocumentError.self) {
            try await reader.read(DocumentFile(name: "x", bytes: Data(text.utf8)))
        }
    }

    @Test func `a small PDF has half the memory of a large one, and enough for its text`() async throws {
        func memory(_ size: Int) -> UInt64 {
            var limits = WorkerLimits.reader
            limits.limitToText(ofPDF: size)
            return limits.memory
        }
        #expect(memory(2_000) < 513 << 20 && memory(5_000_000) < 700 << 20)
        #expect(memory(100_000_000) == WorkerLimits.reader.memory)
        let book = SamplePDF(paragraphs: SampleText.paragraphs(2_000)).file
        #expect(try await ReaderWorkerTests.reader().read(book).pages.count > 150)
    }

    @Test func `too large a file is refused before anything is started`() async throws {
        let reader = ReaderWorkerTests.reader("quit")
        let bytes = Data("%PDF-1.4".utf8) + Data(count: DocumentKind.pdf.largestFile)
        await #expect(throws: DocumentError.tooLarge(limit: DocumentKind.pdf.largestFile)) {
            try await reader.read(DocumentFile(name: "x", bytes: bytes))
        }
    }
}
