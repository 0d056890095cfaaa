import EchoText
import Foundation
import Testing

@testable import LibraryStore

@Suite("A tar archive of a folder")
struct TarArchiveTests {
    @Test("is restored by the tar program, for its owner only, with names of any length")
    func restored() async throws {
        let scratch = try ScratchFolder()
        let long = String(repeating: "a", count: 120)
        let files: [(name: String, bytes: [UInt8])] = [
            ("empty", []), ("block", [UInt8](repeating: 7, count: 512)), ("öö.bin", [UInt8](0..<200)),
            (long, [1, 2, 3]), ("inner/deep/more", [UInt8](repeating: 9, count: 70_000)),
        ]
        try FileManager.default.createDirectory(atPath: scratch("from/inner/deep"), withIntermediateDirectories: true)
        for file in files { try scratch.write(file.bytes, to: "from/\(file.name)") }
        let bytes = MemoryBytes()
        let archive = TarArchive(to: bytes)
        try await archive.add(contentsOf: scratch("from"), as: "library")
        try await archive.end()
        try await bytes.read(0..<bytes.length).write(to: URL(filePath: scratch("archive.tar")))
        try InstalledProgram.run("/usr/bin/tar", ["--extract", "--file", "archive.tar"], in: scratch.path)
        for file in files {
            #expect(try scratch.bytes(of: "library/\(file.name)") == file.bytes)
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch("library/\(file.name)"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let folder = try FileManager.default.attributesOfItem(atPath: scratch("library/inner"))
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }
}
