import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite("Library under faults", .endsInTime)
struct FaultTests {
    /// Whole counts take minutes; a tenth of them runs each time.
    static let isWhole = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"

    @Test("keeps all that was acknowledged when a writing process is killed at any moment")
    func kill() async throws {
        let room = try LibraryRoom()
        try room.database.close()
        var random = SystemRandomNumberGenerator()
        var kept: Set<String> = []
        for round in 1...(Self.isWhole ? 1_000 : 40) {
            let process = try StoreProcess(room.folder, "write", "0")
            // After this many acknowledgements, in the middle of the next operation.
            let lines = await process.lines(Int.random(in: 0...6, using: &random))
            process.kill()
            kept.formUnion(lines.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
            kept.formUnion(
                await process.rest().compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
            )
            guard round.isMultiple(of: Self.isWhole ? 20 : 8) else { continue }
            try await verify(room, has: kept)
        }
        #expect(kept.count > 50, "nothing was tested")
    }

    /// Everything in `kept` exists and is complete, the database is intact, and no dead process holds a job.
    private func verify(_ room: LibraryRoom, has kept: Set<String>) async throws {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty)
        let library = StoredLibrary(database: database, contents: room.contents)
        for id in kept {
            let item = try #require(
                try await library.item(AudioItem.ID(rawValue: id)),
                "an acknowledged recording is gone"
            )
            let sound = try await library.sound(of: item.id)
            #expect(sound.length == item.size)
        }
        let referenced = Set(try await database.referencedContents().map(\.id.text))
        #expect(referenced.isSubset(of: try room.contentIDs), "a row without its file")
        let jobs = StoredJobs(database: database, contents: room.contents)
        for job in try await jobs.jobs() {
            _ = try await jobs.resume(job.id)
            try await jobs.discard(job.id)
        }
        // Contents without a row are leftovers of the dead process.
        let rows = Set(try await database.referencedContents().map(\.id))
        let swept = try await room.contents.sweep(keeping: rows, parts: [], olderThan: .distantFuture)
        #expect(swept.missing.isEmpty)
        #expect(try room.contentIDs == Set(rows.map(\.text)))
        try database.close()
    }

    @Test("notices every flipped bit and every page in another's place")
    func bitFlips() async throws {
        let room = try LibraryRoom()
        let sound = try await compactDatabase(in: room)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<(Self.isWhole ? 200 : 20) {
            var changed = sound
            let place = Int.random(in: sound.indices, using: &random)
            changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try await expectDamage(changed, in: room, "byte \(place)")
        }
        var swapped = sound
        let page = 4_096
        swapped.replaceSubrange(page..<2 * page, with: sound[2 * page..<3 * page])
        swapped.replaceSubrange(2 * page..<3 * page, with: sound[page..<2 * page])
        try await expectDamage(swapped, in: room, "two pages")
        try sound.write(to: URL(filePath: room.folder.database))
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty, "the check itself finds nothing wrong with what is sound")
        try database.close()
    }

    @Test("notices a database that was cut at any page")
    func truncation() async throws {
        let room = try LibraryRoom()
        let sound = try await compactDatabase(in: room)
        for length in stride(from: 4_096, to: sound.count, by: Self.isWhole ? 4_096 : 40_960) {
            try await expectDamage(sound.prefix(length), in: room, "cut at \(length)")
        }
    }

    /// A closed database without free pages, which no check reads, and without room to grow.
    private func compactDatabase(in room: LibraryRoom) async throws -> Data {
        for sample in SampleRecording.all { _ = try await sample.make(in: room.jobs) }
        let compact = room.temporary("compact.db")
        try await room.database.backup(to: compact)
        try room.database.close()
        return try Data(contentsOf: URL(filePath: compact))
    }

    private func expectDamage(_ bytes: Data, in room: LibraryRoom, _ what: String) async throws {
        for suffix in ["-wal", "-shm"] { unlink(room.folder.database + suffix) }
        try bytes.write(to: URL(filePath: room.folder.database))
        do {
            let database = try LibraryDatabase(in: room.folder, key: room.key)
            let problems = try await database.check()
            try? database.close()  // Closing a damaged database may fail.
            #expect(!problems.isEmpty, "damage was not noticed: \(what)")
        } catch let error as VaultError {
            #expect([.wrongKey, .databaseDamaged].contains(error), "\(error.code): \(what)")
        }
    }

    @Test("does not start on an SQLite that cannot encrypt, and writes nothing")
    func plainSQLite() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary.path)
        let system = try #require(
            ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].map { "\($0)/libsqlite3.so.0" }
                .first { FileManager.default.fileExists(atPath: $0) }
        )
        let process = try StoreProcess(folder, "open", environment: ["LD_PRELOAD": system])
        #expect(await process.rest() == ["error vault.not-encrypted"])
        let size = try FileManager.default.attributesOfItem(atPath: folder.database)[.size] as? Int
        #expect(size == 0)
    }

    /// The system calls that change the disk.
    private static let calls = ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "unlink", "openat"]

    @Test("is whole when the process is killed at the n-th call that writes", arguments: calls)
    func killAtCall(call: String) async throws {
        let step = Self.isWhole ? 1 : 20
        var place = 1
        while true {
            let room = try LibraryRoom()
            try room.database.close()
            let process = try StoreProcess(room.folder, "write", "5", traced: "\(call):signal=KILL:when=\(place)")
            let lines = await process.rest()
            try await verify(
                room,
                has: Set(lines.filter { $0.hasPrefix("kept") }.map { String($0.split(separator: " ")[1]) })
            )
            if lines.last == "closed" { break }
            place += step
        }
    }

    @Test(
        "has a sentence as it was or as it was spoken again when the process is killed at the n-th call that writes",
        arguments: ["pwrite64", "write", "fsync", "fdatasync", "unlink", "openat"]
    )
    func killedRespeaking(call: String) async throws {
        var place = 1
        while true {
            let room = try LibraryRoom()
            try room.database.close()
            let process = try StoreProcess(room.folder, "respeak", "4", traced: "\(call):signal=KILL:when=\(place)")
            let lines = await process.rest()
            try await verifySentences(room, kept: lines.filter { $0.hasPrefix("kept") }.count)
            if lines.last == "closed" { break }
            place += Self.isWhole ? 1 : 17
        }
    }

    /// Sound, timings and row belong to the same version: the last acknowledged one or the next.
    private func verifySentences(_ room: LibraryRoom, kept: Int) async throws {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty)
        let library = StoredLibrary(database: database, contents: room.contents)
        if let item = try await library.items(matching: AudioQuery()).items.first {
            let sentences = try await library.timings(of: item.id)
            let length = sentences[1].samples.count
            let sample = SampleSentences()
            let lengths = [sample.sentences[1].samples.count] + (101...105).map(\.self)
            #expect(length == lengths[kept] || length == lengths[kept + 1])
            var whole = sample.samples
            if length != lengths[0] {
                let spoken = sample.spoken(sample.sentences[1], count: length)
                whole.replaceSubrange(sample.sentences[1].samples, with: spoken.sound)
                #expect(sentences == sample.sentences.replacing(sample.sentences[1], with: spoken)?.sentences)
            }
            #expect(try await SampleSentences.samples(of: item.id, in: library) == whole)
            #expect(item.sampleCount == whole.count)
        } else {
            #expect(kept == 0, "an acknowledged recording is gone")
        }
        let rows = Set(try await database.referencedContents().map(\.id))
        let swept = try await room.contents.sweep(keeping: rows, parts: [], olderThan: .distantFuture)
        #expect(swept.missing.isEmpty)
        try database.close()
    }

    @Test(
        "has all of a document or nothing when the process is killed while it is added",
        arguments: ["pwrite64", "fsync"]
    )
    func killedImport(call: String) async throws {
        let step = Self.isWhole ? 1 : call == "fsync" ? 3 : 50
        var place = 1
        while true {
            let room = try LibraryRoom()
            try room.database.close()
            let process = try StoreProcess(room.folder, "import", "1", traced: "\(call):signal=KILL:when=\(place)")
            let lines = await process.rest()
            try await verifyDocuments(room, isKept: lines.contains { $0.hasPrefix("kept") })
            if lines.last == "closed" { break }
            place += step
        }
    }

    /// The document is there with all its words, or no word of it is found and none is in the index.
    private func verifyDocuments(_ room: LibraryRoom, isKept: Bool) async throws {
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        try await database.forgetDrafts()
        #expect(try await database.check().isEmpty)
        let documents = StoredDocuments(database: database, contents: room.contents)
        var query = DocumentQuery()
        query.words = "line 49999"
        let found = try await documents.documents(matching: query).documents
        #expect(try await documents.documents(matching: DocumentQuery()).documents == found)
        #expect(!isKept || found.count == 1, "an acknowledged document is gone")
        let (indexed, chunks) = try await database.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT count(*) FROM documentSearch"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM documentChunk")
            )
        }
        #expect(indexed == (chunks ?? 0) + found.count)
        for document in found { #expect(try await documents.text(of: document.id).utf16.count == document.length) }
        try database.close()
    }

    @Test(
        "acknowledges nothing that the disk has refused",
        arguments: ["EIO", "ENOSPC"].flatMap { problem in
            ["pwrite64", "fsync", "fdatasync", "ftruncate"].map { ($0, problem) }
        }
    )
    func failingCall(call: String, problem: String) async throws {
        for place in stride(from: 1, through: Self.isWhole ? 75 : 40, by: Self.isWhole ? 1 : 13) {
            let room = try LibraryRoom()
            try room.database.close()
            // From then on all of them fail.
            let process = try StoreProcess(room.folder, "write", "5", traced: "\(call):error=\(problem):when=\(place)+")
            let lines = await process.rest()
            try await verify(
                room,
                has: Set(lines.filter { $0.hasPrefix("kept") }.map { String($0.split(separator: " ")[1]) })
            )
            #expect(
                lines.allSatisfy { !$0.hasPrefix("error") || $0.hasPrefix("error vault.") || $0.contains("NSCocoa") }
            )
        }
    }

    @Test(
        "refuses each kind of save on a full disk, in words, loses nothing by it, and takes it when there is room",
        .enabled(if: StoreProcess.canMount, "needs “unshare -rm” and mounts of its own")
    )
    func fullDisk() async throws {
        let temporary = TemporaryFolder()
        let folder = LibraryFolder(path: temporary("library"))
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let process = try StoreProcess(fillingDiskAt: folder, megabytes: 48, by: ["open", "save"])
        let lines = await process.rest()
        let saves = lines.compactMap { line -> (isFull: Bool, name: Substring, outcome: Substring)? in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3 else { return nil }
            return (words[0] == "full", words[1], words[2])
        }
        let refused = saves.filter { $0.isFull }
        #expect(refused.count > 30, "\(lines)")
        for save in refused { #expect(save.outcome == "vault.read-only same", "\(save.name)") }
        let taken = saves.filter { !$0.isFull }
        #expect(taken.map { $0.name } == refused.map { $0.name })
        for save in taken { #expect(save.outcome == "kept changed", "\(save.name)") }
        #expect(lines.suffix(2) == ["sound", "closed"])
    }

    @Test(
        "has the old tables or the new ones when it is killed while they are made, and loses no row",
        arguments: LibrarySchema.steps.indices
    )
    func killedMigration(from version: Int) async throws {
        let before = TemporaryFolder()
        let old = LibraryFolder(path: before("library"))
        try await makeOld(old, version)
        // Each copy reserves its own space.
        try? FileManager.default.removeItem(atPath: "\(old.locks)/reserve")
        let calls = ["pwrite64", "fdatasync", "ftruncate", "openat", "unlink"]
        let list = before("calls")
        let whole = try await opened(old, version) { try StoreProcess($0, "open", listing: calls, in: list) }
        #expect(whole.last == "closed")
        let counts = try StoreProcess.counts(in: list)
        #expect(Set(counts.keys).isSuperset(of: ["pwrite64", "openat"]), "\(counts)")
        for call in calls {
            var place = 1 + version  // others of each version where not all are tried
            // Where only some are tried, no run is spent on a call after the last one.
            while Self.isWhole || place <= counts[call, default: 0] {
                let lines = try await opened(old, version) {
                    try StoreProcess($0, "open", traced: "\(call):signal=KILL:when=\(place)")
                }
                if lines.last == "closed" { break }
                place += Self.isWhole ? 1 : 20
            }
        }
        withExtendedLifetime(before) {}
    }

    /// Has a process open a copy of an old library, and verifies what it leaves.
    ///
    /// - Returns: What the process has said.
    private func opened(
        _ old: LibraryFolder,
        _ version: Int,
        by start: (LibraryFolder) throws -> StoreProcess
    ) async throws -> [String] {
        let folder = TemporaryFolder()
        let library = LibraryFolder(path: folder("library"))
        if version > 0 { try FileManager.default.copyItem(atPath: old.path, toPath: library.path) }
        let lines = try await start(library).rest()
        try await verifyMigrated(library, from: version)
        return lines
    }

    /// Makes a library as it was before a step of the schema, with something in it.
    private func makeOld(_ library: LibraryFolder, _ version: Int) async throws {
        guard version > 0 else { return }
        let migrator = LibrarySchema.migrator(of: LibrarySchema.steps[..<version])
        let old = try LibraryDatabase(in: library, key: LibraryRoom.sampleKey(), timeout: 5, migrator: migrator)
        try await old.write {
            try $0.execute(
                sql: "INSERT INTO content VALUES (?, 1, zeroblob(32), 1)",
                arguments: [String(repeating: "a", count: 32)]
            )
        }
        try old.close()
    }

    private func verifyMigrated(_ library: LibraryFolder, from version: Int) async throws {
        let database = try LibraryDatabase(in: library, key: LibraryRoom.sampleKey())
        #expect(try await database.check().isEmpty)
        #expect(try await database.generation() == 0, "the newest table is there")
        let rows = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM content") }
        #expect(rows == min(version, 1))
        try database.close()
    }
}
