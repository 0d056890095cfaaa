import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("A stored file")
struct StoredFileTests {
    private let folder = TemporaryFolder()

    @Test("has its length when it is opened, and knows that it has grown since")
    func growth() async throws {
        let file = try StoredFile(at: try folder.write("Good morning.", to: "talk"))
        #expect(file.length == 13 && !file.hasGrown)
        let end = try FileHandle(forWritingTo: URL(filePath: folder("talk")))
        try end.seekToEnd()
        try end.write(contentsOf: Data(" And more.".utf8))
        try end.close()
        #expect(file.length == 13 && file.hasGrown)
        #expect(try await file.read(0..<file.length) == Data("Good morning.".utf8))
    }

    @Test(
        "is not read on once another program has written over it, or has cut it off",
        arguments: ["Good evening.", "Hello."]
    )
    func overwritten(_ words: String) async throws {
        let path = try folder.write("Good morning.", to: "talk")
        // A clock may not have advanced between two changes.
        let earlier = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: path)
        let file = try StoredFile(at: path)
        #expect(try await file.read(0..<4) == Data("Good".utf8))
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: Data(words.utf8))
        try handle.truncate(atOffset: UInt64(words.utf8.count))
        try handle.close()
        await #expect(throws: TextSourceError.changed(file: "talk")) { _ = try await file.read(4..<file.length) }
        #expect(!file.hasGrown)
    }

    @Test("is read on after it was renamed, or only its permissions were changed")
    func renamed() async throws {
        let path = try folder.write("Good morning.", to: "talk")
        let file = try StoredFile(at: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try FileManager.default.moveItem(atPath: path, toPath: folder("speech"))
        #expect(try await file.read(0..<file.length) == Data("Good morning.".utf8))
    }
}
