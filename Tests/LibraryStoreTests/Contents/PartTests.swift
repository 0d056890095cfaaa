import EchoText
import Foundation
import LibraryStore
import Testing

@Suite struct ContentParts {
    private let folder: ScratchFolder
    private let store: ContentStore

    init() throws {
        folder = try ScratchFolder()
        store = try ContentStore(path: folder("blobs"), identities: [try AgeIdentity()])
    }

    private func path(_ id: ContentID) -> String { folder("blobs/\(id.text.prefix(2))/\(id.text).part") }

    @Test func `what was flushed is resumed`() async throws {
        let bytes = Data(AgeFiles.bytes(200_000))
        let first = try await store.newContent(name: "story.wav")
        try await first.write(bytes[..<70_000])
        try await first.flush()
        try await first.write(bytes[70_000..<80_000])
        await #expect(throws: VaultError.inUse) { try await store.resume(first.id) }
        try await first.suspend()
        let second = try await store.resume(first.id)
        #expect(await second.length == 80_000)
        try await second.suspend()
        let third = try await store.resume(first.id, keepingAtMost: 75_000)
        #expect(await third.length == 75_000)
        try await third.write(bytes[75_000...])
        let reference = try await third.finish()
        let reader = try await store.open(reference)
        #expect(reader.name == "story.wav")
        #expect(try await reader.read(0..<200_000) == bytes)
        await #expect(throws: VaultError.contentMissing) { try await store.resume(first.id) }
        await #expect(throws: VaultError.contentMissing) { try await third.write(bytes) }
    }

    @Test func `what was suspended is resumed while a process is being started`() async throws {
        let first = try await store.newContent(name: "story.wav")
        try await first.write(Data([1, 2, 3]))
        // As in a child between fork and exec: the same open file through another descriptor.
        let copies = try Self.copies(of: path(first.id))
        defer { for copy in copies { close(copy) } }
        #expect(!copies.isEmpty)
        try await first.suspend()
        #expect(try await store.resume(first.id).length == 3)
    }

    /// Other descriptors of the open files that `path` is.
    private static func copies(of path: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    }

    @Test func `a part cut anywhere or damaged gives the whole records before that`() async throws {
        let bytes = Data(AgeFiles.bytes(3_000))
        let writer = try await store.newContent(name: "n")
        for start in stride(from: 0, to: 3_000, by: 1_000) {
            try await writer.write(bytes[start..<(start + 1_000)])
            try await writer.flush()
        }
        try await writer.suspend()
        let whole = try Data(contentsOf: URL(filePath: path(writer.id)))
        let head = 168 + 16 + 4 + 1 + 16
        for cut in stride(from: head, through: whole.count, by: 85) {
            try await expect(whole.prefix(cut), gives: (cut - head) / 1_020 * 1_000, of: bytes, writer.id)
        }
        for place in stride(from: head, to: whole.count, by: 170) {
            var changed = whole
            changed[place] ^= 4
            try await expect(changed, gives: (place - head) / 1_020 * 1_000, of: bytes, writer.id)
        }
        for cut in [0, 10, 168, 184, head - 1] {
            try whole.prefix(cut).write(to: URL(filePath: path(writer.id)))
            await #expect(throws: VaultError.contentDamaged) { try await store.resume(writer.id) }
        }
    }

    private func expect(_ file: Data, gives count: Int, of bytes: Data, _ id: ContentID) async throws {
        try file.write(to: URL(filePath: path(id)))
        let reference = try await store.resume(id).finish()
        #expect(reference.length == count)
        #expect(try await store.open(reference).read(0..<3_000) == bytes.prefix(count))
    }

    @Test func `parts that continue never use a key twice`() async throws {
        let writer = try await store.newContent(name: "n")
        try await writer.write(Data(AgeFiles.bytes(100)))
        try await writer.suspend()
        let before = try Data(contentsOf: URL(filePath: path(writer.id)))
        try await store.resume(writer.id).suspend()
        let after = try Data(contentsOf: URL(filePath: path(writer.id)))
        #expect(before.count == after.count)
        #expect(before[..<168] != after[..<168])
        #expect(before[168..<184] != after[168..<184])
        #expect(before[188...] != after[188...])
    }

    @Test func `a cancelled content leaves nothing`() async throws {
        let writer = try await store.newContent(name: "n")
        try await writer.write(Data([1]))
        try await writer.cancel()
        #expect(!FileManager.default.fileExists(atPath: path(writer.id)))
        try await writer.cancel()
    }
}
