import EchoText
import Foundation
import LibraryStore
import Testing

@Suite struct ContentStores {
    private let folder: ScratchFolder
    private let identity: AgeIdentity
    private let store: ContentStore
    private var root: String { folder("blobs") }

    init() throws {
        folder = try ScratchFolder()
        identity = try AgeIdentity()
        store = try ContentStore(path: folder("blobs"), identities: [identity])
    }

    private func path(_ id: ContentID, _ ending: String = "") -> String {
        "\(root)/\(id.text.prefix(2))/\(id.text)\(ending)"
    }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.contains("/") }.sorted()
    }

    @Test(arguments: [0, 1, 511, 512, 513, 65_536, 65_537, 300_000])
    func `a content comes back whole and by ranges`(size: Int) async throws {
        let bytes = Data(AgeFiles.bytes(size))
        let writer = try await store.newContent(name: "Grüße 👋.wav")
        for start in stride(from: 0, to: size, by: 10_007) {
            try await writer.write(bytes[start..<min(size, start + 10_007)])
        }
        let reference = try await writer.finish()
        #expect(reference.length == size)
        let reader = try await store.open(reference)
        #expect(reader.name == "Grüße 👋.wav")
        #expect(try await reader.read(0..<size) == bytes)
        #expect(try await reader.read((size / 3)..<(size / 2 + 10)) == bytes[(size / 3)..<min(size, size / 2 + 10)])
        try await reader.verify()
        #expect(try files() == ["\(reference.id.text.prefix(2))/\(reference.id.text)"])
    }

    @Test func `a reader reads nothing more once the library is closed`() async throws {
        let reference = try await store.seal(Data(AgeFiles.bytes(200_000)), name: "a")
        let reader = try await store.open(reference)
        _ = try await reader.read(0..<100_000)
        store.revokeReaders()
        await #expect(throws: VaultError.locked) { _ = try await reader.read(100_000..<200_000) }
        await #expect(throws: VaultError.locked) { _ = try await store.open(reference) }
    }

    @Test func `age and tar restore name and bytes without this program`() async throws {
        let bytes = Data(AgeFiles.bytes(200_000))
        let name = "Ünï – “\(String(repeating: "long ", count: 30))”.flac"
        let reference = try await store.seal(bytes, name: name)
        try folder.write(Array((try identity.exported()).utf8), to: "key")
        let out = folder("out")
        let script = "mkdir out && age -d -i key '\(path(reference.id))' | tar -x -C out -f - 2>&1"
        let said = try InstalledProgram.run("/bin/bash", ["-o", "pipefail", "-c", script], in: folder.path)
        #expect(said.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == [name])
        #expect(try Data(contentsOf: URL(filePath: out + "/" + name)) == bytes)
    }

    @Test func `a file reveals neither name, nor kind, nor exact size, nor time`() async throws {
        let sizes = try await [10_000, 10_060].asyncMap {
            try await store.seal(Data(AgeFiles.bytes($0)), name: "a").sealedSize
        }
        #expect(Set(sizes).count == 1)
        let reference = try await store.seal(Data(AgeFiles.bytes(10)), name: "diary.wav")
        let reader = try await store.open(reference)
        _ = try await reader.read(0..<10)
        var status = stat()
        #expect(lstat(path(reference.id), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(status.st_mtim.tv_sec == 0 && status.st_atim.tv_sec == 0)
        #expect(Int(status.st_size) == reference.sealedSize)
        #expect(try !Data(contentsOf: URL(filePath: path(reference.id))).contains(Data("diary".utf8)))
    }

    @Test func `nothing is open to others under any mask`() async {
        await #expect(processExitsWith: .success) {
            umask(0)
            let folder = try ScratchFolder()
            let store = try ContentStore(path: folder("blobs"), identities: [AgeIdentity()])
            _ = try await store.seal(Data([1]), name: "a")
            let writer = try await store.newContent(name: "b")
            try await writer.write(Data([1]))
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder("blobs")) + [""] {
                var status = stat()
                guard lstat(folder("blobs") + "/" + name, &status) == 0, status.st_mode & 0o077 == 0 else { exit(1) }
            }
        }
    }

    @Test func `another, an older, a changed, a cut and a missing file are refused`() async throws {
        let one = try await store.seal(Data(AgeFiles.bytes(100)), name: "a")
        let two = try await store.seal(Data(AgeFiles.bytes(100)), name: "a")
        let good = try Data(contentsOf: URL(filePath: path(one.id)))
        let other = try Data(contentsOf: URL(filePath: path(two.id)))
        for bad in [other, good.dropLast(), good + [0], Data(), good.prefix(168) + other.dropFirst(168)] {
            try bad.write(to: URL(filePath: path(one.id)))
            await #expect(throws: VaultError.contentDamaged) { try await store.open(one) }
        }
        try FileManager.default.removeItem(atPath: path(one.id))
        await #expect(throws: VaultError.contentMissing) { try await store.open(one) }
        try good.write(to: URL(filePath: path(one.id)))
        try await store.verify(one, readData: true)
    }

    @Test func `damage in the middle is found by reading, and only there`() async throws {
        let bytes = Data(AgeFiles.bytes(300_000))
        let reference = try await store.seal(bytes, name: "a")
        var file = try Data(contentsOf: URL(filePath: path(reference.id)))
        file[150_000] ^= 1
        try file.write(to: URL(filePath: path(reference.id)))
        try await store.verify(reference, readData: false)
        await #expect(throws: VaultError.contentDamaged) { try await store.verify(reference, readData: true) }
        let reader = try await store.open(reference)
        #expect(try await reader.read(0..<60_000) == bytes[..<60_000])
        await #expect(throws: VaultError.contentDamaged) { try await reader.read(100_000..<200_000) }
    }

    @Test func `links in the way are refused`() async throws {
        let reference = try await store.seal(Data([1, 2]), name: "a")
        let (manager, file) = (FileManager.default, path(reference.id))
        try manager.moveItem(atPath: file, toPath: folder("away"))
        try manager.createSymbolicLink(atPath: file, withDestinationPath: folder("away"))
        await #expect(throws: VaultError.unsafeFolder) { try await store.open(reference) }
        let bucket = String(file.dropLast(33))
        try manager.moveItem(atPath: bucket, toPath: folder("bucket"))
        try manager.createSymbolicLink(atPath: bucket, withDestinationPath: folder("bucket"))
        await #expect(throws: VaultError.unsafeFolder) { try await store.open(reference) }
        try manager.createSymbolicLink(atPath: folder("link"), withDestinationPath: root)
        #expect(throws: VaultError.unsafeFolder) { try ContentStore(path: folder("link"), identities: [identity]) }
    }

    @Test func `an older identity opens, and a rewrapped file needs it no more`() async throws {
        let bytes = Data(AgeFiles.bytes(100_000))
        let old = try await store.seal(bytes, name: "a")
        let newer = try AgeIdentity()
        let both = try ContentStore(path: root, identities: [newer, identity])
        #expect(try await both.open(old).read(0..<100_000) == bytes)
        let new = try await both.rewrap(old)
        #expect(new.id != old.id)
        #expect(new.sealedSize == old.sealedSize)
        let only = try ContentStore(path: root, identities: [newer])
        #expect(try await only.open(new).read(0..<100_000) == bytes)
        await #expect(throws: VaultError.contentDamaged) { try await only.open(old) }
        try await both.delete(old)
        try await both.delete(old)
        #expect(try files().count == 1)
        let (oldHash, newHash) = (old.headerHash, new.headerHash)
        #expect(oldHash != newHash)
    }

    @Test func `the sweep removes what nothing refers to and says what is missing`() async throws {
        let kept = try await store.seal(Data([1]), name: "a")
        let orphan = try await store.seal(Data([2]), name: "b")
        let gone = try await store.seal(Data([3]), name: "c")
        try await store.delete(gone)
        let writing = try await store.newContent(name: "d")
        let suspended = try await store.newContent(name: "e")
        try await suspended.suspend()
        let abandoned = try await store.newContent(name: "f")
        try await abandoned.suspend()
        try folder.write([1], to: "blobs/\(kept.id.text.prefix(2))/README")
        let (kepts, parts): (Set<ContentID>, Set<ContentID>) = ([kept.id, gone.id], [suspended.id])
        let early = try await store.sweep(keeping: kepts, parts: parts, olderThan: .distantPast)
        #expect(early.removed == 0)
        let report = try await store.sweep(keeping: kepts, parts: parts, olderThan: .distantFuture)
        #expect(report.removed == 2)
        #expect(report.missing == [gone.id])
        #expect(report.missingParts.isEmpty)
        #expect(report.foreign == 1)
        #expect(!FileManager.default.fileExists(atPath: path(orphan.id)))
        #expect(FileManager.default.fileExists(atPath: path(suspended.id, ".part")))
        try await writing.write(Data([4]))
        let reference = try await writing.finish()
        #expect(try await store.open(reference).read(0..<1) == Data([4]))
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
