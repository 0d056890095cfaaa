import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Books

@Suite("A ZIP file", .endsInTime)
struct ZipArchiveTests {
    private static let time = Date(timeIntervalSince1970: 1_780_000_000)

    private static let files: [(name: String, data: Data)] = [
        ("empty.txt", Data()), ("Õhtu “1”.wav", Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })),
        ("folder/b.txt", Data("text".utf8)),
    ]

    @Test("is opened by another program, with every name and byte")
    func interoperation() async throws {
        let folder = TemporaryFolder()
        let collected = MemoryBytes()
        let zip = ZipArchive(to: collected, at: Self.time)
        for file in Self.files { try await zip.add(file.name, MemorySound(data: file.data)) }
        try await zip.finish()
        try folder.write(try await collected.all, to: "a.zip")
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-m", "zipfile", "-e", "\(folder.path)/a.zip", "\(folder.path)/out"]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        for file in Self.files {
            let isSame = FileManager.default.contents(atPath: "\(folder.path)/out/\(file.name)") == file.data
            #expect(isSame, "\(file.name)")
        }
    }

    @Test("has each file's length and checksum before its bytes, and in an EPUB's first header nothing else")
    func readsForward() async throws {
        let collected = MemoryBytes()
        try await ZipArchive(to: collected, at: Self.time).add("mimetype", "application/epub+zip")
        let all = try await collected.all
        let header = [UInt8](all.prefix(30))
        func number(_ range: Range<Int>) -> UInt32 { header[range].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        #expect(number(6..<8) & 1 << 3 == 0, "nothing follows the bytes")
        #expect(number(14..<18) == 0x2cab_616f, "the checksum of “application/epub+zip”")
        #expect(number(18..<22) == 20 && number(22..<26) == 20)
        #expect(number(28..<30) == 0, "no extra field")
        #expect(all.dropFirst(30) == Data("mimetypeapplication/epub+zip".utf8))
    }

    @Test("has the time of each file, or the archive's")
    func times() async throws {
        let collected = MemoryBytes()
        let zip = ZipArchive(to: collected, at: Self.time)
        try await zip.add("a", MemorySound(data: Data()))
        try await zip.add("b", made: Self.time.addingTimeInterval(60), MemorySound(data: Data()))
        let bytes = [UInt8](try await collected.all)
        #expect(bytes[10..<14] != bytes[41..<45], "local headers of 31 bytes with the name")
    }

    @Test("has the checksum that the standard gives for its test text")
    func checksum() {
        var checksum = Checksum()
        checksum.add(Data("1234".utf8))
        checksum.add(Data("56789".utf8))
        #expect(checksum.value == 0xcbf4_3926)
    }
}

extension MemoryBytes {
    fileprivate var all: Data {
        get async throws { try await read(0..<length) }
    }
}
