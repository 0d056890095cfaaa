import AsyncAlgorithms
import EchoText
import EchoTextTesting
import Foundation
import NIOCore
import Testing

@testable import WebApp

@Suite("A ZIP file")
struct ZipTests {
    private static let files: [(name: String, data: Data)] = [
        ("empty.txt", Data()), ("Õhtu “1”.wav", Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })),
        ("folder/b.txt", Data("text".utf8)),
    ]

    @Test("is opened by another program, with every name and byte")
    func interoperation() async throws {
        let folder = TemporaryFolder()
        let pieces = ZipStream.Pieces()
        let writing = Task {
            let zip = ZipStream(to: pieces)
            for file in Self.files {
                try await zip.add(
                    file.name,
                    made: Date(timeIntervalSince1970: 1_780_000_000),
                    MemorySound(data: file.data)
                )
            }
            try await zip.finish()
        }
        var archive = Data()
        for try await piece in pieces { archive.append(contentsOf: piece.readableBytesView) }
        try await writing.value
        try archive.write(to: URL(filePath: "\(folder.path)/a.zip"))
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

    @Test("has the checksum that the standard gives for its test text")
    func checksum() {
        var checksum = Checksum32()
        checksum.add(Data("1234".utf8))
        checksum.add(Data("56789".utf8))
        #expect(checksum.value == 0xcbf4_3926)
    }
}
