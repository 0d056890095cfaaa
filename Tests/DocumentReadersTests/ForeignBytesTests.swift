import Foundation
import Testing

/// The process with the keys parses no untrusted file: the table “What parses in C, and where” of
/// `Documentation/ThreatModel.md`.
@Suite("A stranger's bytes")
struct ForeignBytesTests {
    private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL

    /// The Swift files whose paths in the sources satisfy `isMeant`.
    private static func files(_ isMeant: (String) -> Bool) throws -> Set<String> {
        let all = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let file as URL in all where file.pathExtension == "swift" {
            guard isMeant(try String(contentsOf: file, encoding: .utf8)) else { continue }
            found.insert(String(file.standardizedFileURL.path.dropFirst(sources.path.count + 1)))
        }
        return found
    }

    @Test(
        "are parsed in C by the reader of documents and the unpacker of archives alone",
        arguments: [
            ("CMarkdown", ["DocumentReaders"]), ("CUchardet", ["DocumentReaders"]), ("CPoppler", ["DocumentReaders"]),
            ("CXML", ["DocumentReaders"]), ("CTurboJPEG", ["DocumentReaders"]),
            ("CArchive", ["DocumentReaders", "ModelInstallation"]),
        ]
    )
    func parsers(_ library: String, _ rooms: [String]) throws {
        let users = try Self.files { $0.contains("import \(library)\n") || $0.contains("import \(library) ") }
        #expect(!users.isEmpty)
        #expect(Set(users.compactMap { $0.split(separator: "/").first.map(String.init) }) == Set(rooms))
        guard library == "CArchive" else { return }
        let unpackers = try Self.files { $0.contains("archive_read_") }
        #expect(unpackers == ["DocumentReaders/EPUB/Container.swift", "ModelInstallation/LibarchiveUnpacker.swift"])
    }

    @Test("reach those readers only in the process that answers as a worker")
    func workers() throws {
        #expect(try Self.files { $0.contains("import DocumentReaders") } == ["EchoTextCLI/Studio.swift"])
        let studio = try String(contentsOf: Self.sources.appending(path: "EchoTextCLI/Studio.swift"), encoding: .utf8)
        for (maker, function) in [
            ("LocalDocumentReader(", "readerServer()"), ("TextReader(", "readerServer()"),
            ("LibarchiveUnpacker(", "unpackerServer()"),
        ] {
            let parts = studio.components(separatedBy: maker)
            #expect(parts.count == 2, "\(maker)")
            let before = try #require(parts.first?.range(of: "static func ", options: .backwards))
            #expect(parts[0][before.upperBound...].hasPrefix(function), "\(maker)")
        }
        #expect(try Self.files { $0.contains("SoundFileReader(") }.isEmpty, "no sound is decoded")
    }
}
