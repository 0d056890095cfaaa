import DocumentReaders
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Workers

/// Third-party files, if available.
@Suite(
    "Corpus",
    .endsInTime,
    .enabled(if: Corpus.folder != nil, "ECHOTEXT_TEST_DATA names no folder with a corpus")
)
struct CorpusTests {
    private let reader = ReaderWorkerTests.reader()

    private func read(_ name: String, password: String? = nil) async throws -> DocumentText {
        let document = try await reader.read(Corpus.file(name, password: password))
        #expect(document.invariantViolation == nil)
        return document
    }

    @Test(arguments: Corpus.names)
    func `every file is read or refused with words`(name: String) async throws {
        do {
            let document = try await read(name)
            #expect(document.text.contains { $0.isLetter })
        } catch let error as DocumentError {
            #expect(!error.message.isEmpty)
        }
    }

    @Test(arguments: Corpus.names.filter { $0.hasSuffix(".pdf") })
    func `every page is drawn, or that is refused with words`(name: String) async throws {
        do {
            let picture = try await reader.picture(of: nil, in: Corpus.file(name), width: 200)
            #expect(picture.width <= 200)
        } catch let error as DocumentError {
            #expect(!error.message.isEmpty)
        }
    }

    static let refusals: [(String, DocumentError)] = [
        ("pdf/imagemagick-images.pdf", .noText),
        ("pdf/poppler-395-0-fuzzed.pdf", .damaged(.pdf)),
        ("pdf/libreoffice-writer-password.pdf", .encrypted(wrong: false)),
    ]

    @Test(arguments: refusals)
    func `refuses`(refusal: (name: String, error: DocumentError)) async throws {
        await #expect(throws: refusal.error) { try await read(refusal.name) }
    }

    @Test func `opens with the password alone`() async throws {
        let name = "pdf/libreoffice-writer-password.pdf"
        await #expect(throws: DocumentError.encrypted(wrong: true)) { try await read(name, password: "no") }
        #expect(try await read(name, password: "openpassword").text.hasPrefix("Lorem ipsum dolor sit amet"))
    }

    @Test func `reads two columns in order`() async throws {
        let text = try await read("pdf/multicolumn.pdf").cut()
        #expect(text.contains("This is a sample document with two columns filled with Lorem Ipsum text."))
        #expect(text.contains("Maecenas lacinia.") && text.contains("Nam vulputate metus"))
        let order = [
            "Abstract", "This is a sample", "Lorem ipsum dolor", "Nulla malesuada porttitor", "pellentesque ante.",
        ]
        let places = order.compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == order.count && places == places.sorted())
    }

    @Test func `takes chapters, page numbers and ligatures`() async throws {
        let outline = try await read("pdf/pdflatex-outline.pdf")
        #expect(outline.chapters.count == 9 && outline.chapters[0].title == "Foo")
        #expect(outline.words(outline.chapters[1].range).contains("Bar"))
        #expect(outline.marked(.pageNumber) == ["1", "2", "3", "4"])
        let spelled = ["abcdef", "ff", "fi", "fl", "ffi", "ffl", "st", "st", "ghijklmno"].joined()
        #expect(try await read("pdf/copy_paste_ligatures.pdf").text == spelled)
    }

    @Test func `reads books in the order of their spine`() async throws {
        let order = try await read("epub/pkg-spine-order.epub")
        #expect(order.pages.count == 4)
        let several = try await read("epub/ocf-package_multiple.epub")
        #expect(several.notices == [.furtherBooks(2)])
        let external = try await read("epub/pub-xml-external-id.epub")
        #expect(!external.text.isEmpty)
    }
}

enum Corpus {
    /// The folder `corpus` of the test data.
    static let folder: URL? = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_DATA"].map {
        URL(filePath: $0).appending(path: "corpus")
    }

    /// Paths within the folder.
    static let names: [String] = ["pdf", "epub"].flatMap { kind -> [String] in
        guard let folder else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: kind).path)
        return (names ?? []).sorted().map { "\(kind)/\($0)" }
    }

    static func file(_ name: String, password: String? = nil) throws -> DocumentFile {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return DocumentFile(name: name, bytes: try Data(contentsOf: folder.appending(path: name)), password: password)
    }
}
