import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("File text source", .endsInTime)
struct FileTextSourceTests {
    private func withFile<Output>(_ bytes: [UInt8], _ body: (String) async throws -> Output) async throws -> Output {
        let path = FileManager.default.temporaryDirectory.path + "/echotext-\(UUID().uuidString).txt"
        try Data(bytes).write(to: URL(filePath: path))
        defer { unlink(path) }
        return try await body(path)
    }

    private func text(of bytes: [UInt8]) async throws -> (text: String, length: Int?, replacements: Int) {
        try await withFile(bytes) { path in
            let source = try FileTextSource(path: path)
            var text = ""
            while let piece = try await source.next() {
                #expect(!piece.isEmpty)
                text += piece
            }
            return (text, await source.length, await source.replacements)
        }
    }

    @Test("gives a long text whole, whatever a block cuts", arguments: 0..<5)
    func blocks(_ shift: Int) async throws {
        let text = String(repeating: "a", count: shift) + String(repeating: "ä€🎉", count: 20_000)
        let read = try await self.text(of: Array(text.utf8))
        #expect(read.text == text)
        #expect(read.length == text.utf16.count)
        #expect(read.replacements == 0)
    }

    @Test("does not take for its end the place where another program has cut a file that is being read")
    func cut() async throws {
        try await withFile(Array(repeating: 0x61, count: 200_000)) { path in
            let source = try FileTextSource(path: path)
            let first = try #require(try await source.next())
            #expect(truncate(path, off_t(first.utf8.count + 10)) == 0)
            await #expect(throws: TextSourceError.changed(file: (path as NSString).lastPathComponent)) {
                while try await source.next() != nil {}
            }
        }
    }

    @Test("reads what a file has grown by meanwhile")
    func grown() async throws {
        try await withFile(Array(repeating: 0x61, count: 200_000)) { path in
            let source = try FileTextSource(path: path)
            var length = try #require(try await source.next()).utf8.count
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data("more".utf8))
            try file.close()
            while let piece = try await source.next() { length += piece.utf8.count }
            #expect(length == 200_004)
        }
    }

    @Test("reads UTF-16 of either order", arguments: [true, false])
    func utf16(_ isLittleEndian: Bool) async throws {
        let text = String(repeating: "aä🎉", count: 20_000)
        let bytes = ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittleEndian ? bytes : bytes.reversed()
        }
        let read = try await self.text(of: bytes)
        #expect(read.text == text)
        #expect(read.replacements == 0)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let text: String
        let replacements: Int
    }

    static let damages: [Damage] = [
        .init(testDescription: "a stray byte", bytes: [0x61, 0xFF, 0x62], text: "a\u{FFFD}b", replacements: 1),
        .init(testDescription: "an unfinished end", bytes: [0x61, 0xE2, 0x82], text: "a\u{FFFD}", replacements: 1),
        .init(testDescription: "only continuations", bytes: [0x80, 0x80], text: "\u{FFFD}\u{FFFD}", replacements: 2),
        .init(
            testDescription: "half a pair of UTF-16",
            bytes: [0xFF, 0xFE, 0x61, 0, 0x3C, 0xD8],
            text: "a\u{FFFD}",
            replacements: 1
        ),
        .init(
            testDescription: "half a unit of UTF-16",
            bytes: [0xFF, 0xFE, 0x61, 0, 0x62],
            text: "a\u{FFFD}",
            replacements: 1
        ),
    ]

    @Test("replaces what is not valid, and counts", arguments: damages)
    func damage(_ damage: Damage) async throws {
        let read = try await self.text(of: damage.bytes)
        #expect(read.text == damage.text)
        #expect(read.replacements == damage.replacements)
    }

    @Test("hands what is not UTF-8 over as a whole, from a file and from a pipe", arguments: [false, true])
    func foreign(_ isPipe: Bool) async throws {
        // The only byte that is not UTF-8 is far behind the first block of a file; the rest of a pipe is unknown.
        let bytes = Data(repeating: 0x61, count: isPipe ? 3 : 200_000) + [0xE9] + Data(repeating: 0x62, count: 200_000)
        let path = FileManager.default.temporaryDirectory.path + "/echotext-\(UUID().uuidString)"
        defer { unlink(path) }
        if isPipe { try makeFIFO(at: path) } else { try bytes.write(to: URL(filePath: path)) }
        let source = try FileTextSource(path: path) { whole in
            #expect(whole == bytes)
            let notices: [DocumentNotice] = [.guessedEncoding("CP1252"), .replacedCharacters(2)]
            let page = DocumentPage(number: 1, range: 0..<4)
            return DocumentText(
                text: "aé b",
                structure: DocumentStructure(kind: .text, pages: [page], notices: notices)
            )
        }
        async let written: Void = { if isPipe { try bytes.write(to: URL(filePath: path)) } }()
        #expect(try await source.next() == "aé b")
        #expect(try await source.next() == nil)
        try await written
        #expect(await source.length == 4)
        #expect(await source.replacements == 2)
        #expect(await source.guessedEncoding == .guessedEncoding("CP1252"))
    }

    @Test(
        "hands over what follows the ASCII of a pipe, wherever the first foreign byte stands",
        arguments: [65_535, 200_000]
    )
    func foreignRest(_ place: Int) async throws {
        let begin = Data(repeating: 0x61, count: place)
        try await withFIFO { path in
            let source = try FileTextSource(path: path) { rest in
                #expect(rest.suffix(4) == Data([0xE9, 0x20, 0x62, 0x63]))
                // As many letters as bytes, the last of them with its accent.
                let text = String(repeating: "a", count: rest.count - 4) + "é bc"
                let page = DocumentPage(number: 1, range: 0..<text.utf16.count)
                let notices: [DocumentNotice] = [.guessedEncoding("CP1252")]
                let structure = DocumentStructure(kind: .text, pages: [page], notices: notices)
                return DocumentText(text: text, structure: structure)
            }
            async let written: Void = (begin + [0xE9, 0x20, 0x62, 0x63]).write(to: URL(filePath: path))
            var text = ""
            while let piece = try await source.next() { text += piece }
            try await written
            let isSame = text == String(repeating: "a", count: place) + "é bc"
            #expect(isSame, "\(text.count)")
            #expect(await source.notices == [.guessedEncoding("CP1252")])
        }
    }

    @Test("asks nobody about UTF-8, and about UTF-16 that says its order")
    func known() async throws {
        for bytes in [Array("ä€🎉".utf8), [0xEF, 0xBB, 0xBF, 0x61], [0xFF, 0xFE, 0xE4, 0]] {
            try await withFile(bytes) { path in
                let source = try FileTextSource(path: path) { _ in throw TextSourceError.unreadable(file: nil) }
                #expect(try await source.next() != nil)
                #expect(await source.guessedEncoding == nil)
            }
        }
    }

    @Test("is not binary for a few control characters")
    func controls() async throws {
        let text = "Page one\u{0C}Page two \u{1B}[1mbold\u{1B}[0m, and so on and on."
        #expect(try await self.text(of: Array(text.utf8)).text == text)
    }

    @Test("leaves out the NULs that pad a file, and no others", arguments: [1, 4_096, 200_000])
    func padding(count: Int) async throws {
        let zeros = [UInt8](repeating: 0, count: count)
        let padded = try await self.text(of: Array("Some text.\n".utf8) + zeros)
        #expect(padded.text == "Some text.\n" && padded.length == 11)
        let long = String(repeating: "a", count: 65_534) + "\0\0\0\0b"
        let read = try await self.text(of: Array(long.utf8) + zeros)
        let isSame = read.text == long
        #expect(isSame && read.length == long.utf16.count)
        await #expect(throws: TextSourceError.self) { try await self.text(of: zeros) }
    }

    @Test(
        "is no PDF for naming the first line of an object, or for having one below its own words",
        arguments: [
            "An object of a PDF begins with its number, as in\n“1 0 obj <<”, and ends with endobj.",
            "An object of a PDF looks like this:\n\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
        ]
    )
    func textAboutPDF(text: String) async throws {
        #expect(try await self.text(of: Array(text.utf8)).text == text)
    }

    @Test("says that what is no text came from a pipe, which only a file can be imported from")
    func binaryPipe() async throws {
        try await withFIFO { path in
            let source = try FileTextSource(path: path)
            let writer = open(path, O_WRONLY)
            try #require(writer >= 0)
            defer { close(writer) }
            try #require(write(writer, Array("%PDF-1.7".utf8), 8) == 8)
            let name = (path as NSString).lastPathComponent
            let error = TextSourceError.binary(file: name, kind: "a PDF document", isPipe: true)
            await #expect(throws: error) { try await source.next() }
            #expect(error.failure.inTerminal.suggestion?.contains("as files") == true)
            let file = TextSourceError.binary(file: name, kind: "a PDF document")
            #expect(file.failure.inTerminal.suggestion?.contains("as files") == false)
            #expect(throws: TextSourceError.noFile(name: name)) { try DocumentFile(at: path) }
            #expect(throws: TextSourceError.noFile(name: name)) { try StoredFile(at: path) }
        }
    }

    @Test("knows whether the writer of a pipe pauses")
    func writerPauses() async throws {
        try await withFIFO { path in
            let source = try FileTextSource(path: path)
            let writer = open(path, O_WRONLY)
            try #require(writer >= 0)
            #expect(try await !source.isReady(within: 0.01))
            try #require(write(writer, Array("One.".utf8), 4) == 4)
            #expect(try await source.isReady(within: 0))
            #expect(try await source.next() == "One.")
            #expect(try await !source.isReady(within: 0))
            close(writer)
            #expect(try await source.isReady(within: 0))
            #expect(try await source.next() == nil)
        }
    }

    @Test("is always ready when all of the text is there")
    func readyFile() async throws {
        try await withFile(Array("One. Two.".utf8)) { path in
            let source = try FileTextSource(path: path)
            while try await source.isReady(within: 0), try await source.next() != nil {}
            #expect(try await source.isReady(within: 0))
        }
    }

    @Test("gives up waiting for a pipe when its task is cancelled")
    func cancelled() async throws {
        try await withFIFO { path in
            let source = try FileTextSource(path: path)
            let reading = Task { try await source.next() }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        }
    }
}
