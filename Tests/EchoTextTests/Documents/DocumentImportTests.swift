import EchoTextTesting
import Foundation
import Testing

@testable import EchoText

@Suite("Import of documents")
struct DocumentImportTests {
    private static let time = Date(timeIntervalSince1970: 1_790_000_000)

    private let library = MemoryDocuments()

    private func add(
        _ text: String,
        name: String = "book.txt",
        password: String? = nil,
        twin: DocumentImport.DuplicatePolicy = .refuse
    )
        async throws -> DocumentImport.Outcome
    {
        let file = DocumentFile(name: name, bytes: Data(text.utf8), password: password)
        return try await DocumentImport(into: library, by: IllustratedReader()).add(file, twin: twin, at: Self.time)
    }

    @Test("keeps what was read, under the file's name and with its picture")
    func keeps() async throws {
        let outcome = try await add("# One\nText of one.\u{C}More.", name: "folder/My Book.v2.txt")
        #expect(outcome.document.name.text == "My Book.v2" && outcome.document.pages == 2)
        #expect(outcome.document.chapters == 1 && outcome.document.hasPicture && !outcome.isReused)
        #expect(try await library.text(of: outcome.document.id).hasSuffix("More."))
    }

    @Test("says that a cover cannot be drawn, and nothing where there is none")
    func cover() async throws {
        let outcome = try await add("*Text under a cover that is damaged.")
        #expect(!outcome.document.hasPicture && outcome.notices == [.coverNotDrawn])
        #expect(try await library.structure(of: outcome.document.id).notices == [.coverNotDrawn])
        #expect(try await add("Text alone.").notices.isEmpty)
    }

    @Test(
        "keeps nothing of what is refused",
        arguments: [
            ("", DocumentError.empty), ("!damaged\nText.", .damaged(.pdf)),
            ("!encrypted\nText.", .encrypted(wrong: false)), ("!no-text", .noText), (" \n\u{C}\n", .blank),
        ]
    )
    func refuses(_ text: String, _ reason: DocumentError) async throws {
        await #expect(throws: reason) { try await add(text) }
        #expect(try await library.documents(matching: DocumentQuery()).total == 0)
    }

    @Test("takes a long text in, reads it from there, and keeps nothing of what is refused")
    func long() async throws {
        let text = String(repeating: "word ", count: DocumentImport.longText / 5)
        await #expect(throws: DocumentError.noText) { try await add("!no-text\n\(text)", name: "long.txt") }
        #expect(try await library.documents(matching: DocumentQuery()).total == 0)
        let outcome = try await add(text, name: "long.txt")
        #expect(outcome.document.size == DocumentImport.longText && outcome.document.name.text == "long")
        #expect(try await library.text(of: outcome.document.id) == text)
        let there = LibraryError.documentThere(name: "long", id: outcome.document.id)
        await #expect(throws: there) { try await add(text, name: "b.txt") }
    }

    @Test("opens what asks for a password with the one that is given")
    func passwords() async throws {
        await #expect(throws: DocumentError.encrypted(wrong: true)) {
            try await add("!encrypted\nText.", password: "shut")
        }
        #expect(try await add("!encrypted\nText.", password: "open").document.words == 1)
    }

    @Test("leaves what happens to the same file to the person")
    func twins() async throws {
        let first = try await add("Same text.")
        let there = LibraryError.documentThere(name: "book", id: first.document.id)
        await #expect(throws: there) { try await add("Same text.", name: "b.txt") }
        let reused = try await add("Same text.", name: "b.txt", twin: .reuse)
        #expect(reused.isReused && reused.document == first.document)
        let second = try await add("Same text.", name: "b.txt", twin: .keep)
        #expect(second.document.id != first.document.id && second.document.name.text == "b")
        #expect(try await library.documents(matching: DocumentQuery()).total == 2)
    }

    @Test(
        "finds the document that another import of the same file has added meanwhile",
        arguments: [1, DocumentImport.longText / 5]
    )
    func raced(words: Int) async throws {
        let bytes = Data(String(repeating: "word ", count: words).utf8)
        let other = DocumentImport(into: library, by: IllustratedReader())
        let reader = OvertakenReader {
            _ = try await other.add(DocumentFile(name: "first.txt", bytes: bytes), at: Self.time)
        }
        let file = DocumentFile(name: "second.txt", bytes: bytes)
        let outcome = try await DocumentImport(into: library, by: reader).add(file, twin: .reuse, at: Self.time)
        #expect(outcome.isReused && outcome.document.name.text == "first")
        #expect(try await library.documents(matching: DocumentQuery()).total == 1)
    }

    @Test(
        "finds a name for every file",
        arguments: [
            ("a.txt", "a"), ("a", "a"), (".hidden", ".hidden"), ("x/y/z.epub", "z"), ("two\nlines.pdf", "two lines"),
            ("", "Some words here."), ("\u{7}.txt", "Some words here."),
        ]
    )
    func names(_ file: String, _ name: String) async throws {
        #expect(try await add("Some words here.", name: file).document.name.text == name)
    }

    @Test("finds words among bytes, of which there may be more before")
    func words() {
        let bytes = Data("/a/b1/bc/b".utf8)
        #expect(bytes.firstIndex(of: "/b") == 2)
        #expect(bytes.dropFirst(3).firstIndex(of: "/b") == 5, "an index of the whole")
        #expect(bytes.suffix(2).firstIndex(of: "/b") == 8, "up to the last byte")
        #expect(bytes.dropLast().firstIndex(of: "bc/b") == nil && Data().firstIndex(of: "/b") == nil)
    }

    @Test("promises of the library are kept by the one in memory")
    func contract() async throws { try await verifyContract(of: MemoryDocuments()) }
}

/// Draws a cover for documents with chapters, and cannot draw that of one with a star.
private struct IllustratedReader: DocumentReader {
    private let reader = ScriptedReader()

    func read(_ file: DocumentFile) async throws -> DocumentText { try await reader.read(file) }

    func decode(_ bytes: Data) async throws -> DocumentText { try await reader.decode(bytes) }

    func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        if file.bytes.contains(UInt8(ascii: "*")) { throw DocumentError.coverNotDrawn }
        guard page == nil, file.bytes.contains(UInt8(ascii: "#")) else { throw DocumentError.noPicture }
        return PagePicture(png: Data([0x89, 0x50, 0x4E, 0x47]), width: width, height: width)
    }
}

/// Lets something else happen before it reads a document.
private struct OvertakenReader: DocumentReader {
    let before: @Sendable () async throws -> Void

    func read(_ file: DocumentFile) async throws -> DocumentText {
        try await before()
        return try await IllustratedReader().read(file)
    }

    func decode(_ bytes: Data) async throws -> DocumentText { try await IllustratedReader().decode(bytes) }

    func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        try await IllustratedReader().picture(of: page, in: file, width: width)
    }
}
