import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

@Suite("Library database", .endsInTime)
struct DatabaseTests {
    @Test("is encrypted, in files of its owner alone")
    func isEncrypted() async throws {
        let room = try LibraryRoom()
        let sample = SampleRecording.all[0]
        _ = try await sample.make(in: room.jobs)
        for file in ["library.db", "library.db-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: "\(room.folder.path)/\(file)"))
            #expect(!bytes.isEmpty && bytes.range(of: Data("lighthouse".utf8)) == nil)
            #expect(
                bytes.range(of: Data("CREATE TABLE".utf8)) == nil && !bytes.starts(with: Data("SQLite format 3".utf8))
            )
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: room.folder.path)
        where !name.hasPrefix("contents") {
            var found = stat()
            #expect(lstat("\(room.folder.path)/\(name)", &found) == 0)
            #expect(found.st_mode & 0o777 == (found.st_mode & S_IFMT == S_IFDIR ? 0o700 : 0o600), "\(name)")
        }
        try room.database.close()
        let left = try FileManager.default.contentsOfDirectory(atPath: room.folder.path).sorted()
        #expect(left == ["blobs", "library.db", "locks"])
    }

    @Test("opens where its owner has taken the rights to write away from all its files")
    func filesReadOnly() async throws {
        let room = try LibraryRoom()
        try room.database.close()
        let lock = "\(room.folder.locks)/database"
        for file in [room.folder.database, lock] { try #require(chmod(file, 0o400) == 0) }
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        // The administrator may write to a file without rights, too.
        var found = stat()
        #expect(lstat(lock, &found) == 0 && found.st_mode & 0o777 == 0o600)
        try database.close()
    }

    @Test("keeps what was acknowledged through a power cut, and takes nothing from the schema on trust")
    func pragmas() async throws {
        let room = try LibraryRoom()
        func value(_ name: String, _ read: (String) async throws -> Int?) async throws -> Int? {
            try await read("PRAGMA \(name)")
        }
        let database = room.database
        for (name, wanted) in [
            ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1), ("trusted_schema", 0),
            ("cell_size_check", 1),
        ] {
            #expect(try await database.write { try Int.fetchOne($0, sql: "PRAGMA \(name)") } == wanted, "\(name)")
        }
        #expect(try await database.write { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try await database.read { try String.fetchOne($0, sql: "PRAGMA cipher") } == "chacha20")
    }

    @Test("does not open with another key, nor when it is plain, newer or cut")
    func refusals() async throws {
        let room = try LibraryRoom()
        _ = try await SampleRecording.all[0].make(in: room.jobs)
        try room.database.close()
        #expect(throws: VaultError.wrongKey) {
            _ = try LibraryDatabase(in: room.folder, key: SecretBytes(copying: [UInt8](repeating: 8, count: 32)))
        }
        let sound = try Data(contentsOf: URL(filePath: room.folder.database))

        var newer = LibrarySchema.migrator
        newer.registerMigration("9 of tomorrow") {
            try $0.execute(sql: "CREATE TABLE tomorrow (x) STRICT".replacing("(x)", with: "(x INT)"))
        }
        try LibraryDatabase(in: room.folder, key: room.key, timeout: 1, migrator: newer).close()
        #expect(throws: VaultError.newerSchema) { _ = try LibraryDatabase(in: room.folder, key: room.key) }

        try Data("SQLite format 3\0and more of it".utf8).write(to: URL(filePath: room.folder.database))
        #expect(throws: VaultError.notEncrypted) { _ = try LibraryDatabase(in: room.folder, key: room.key) }

        try sound.write(to: URL(filePath: room.folder.database))
        let database = try LibraryDatabase(in: room.folder, key: room.key)
        #expect(try await database.check().isEmpty)
        try database.close()
    }

    @Test("follows no link", arguments: ["library.db", "library.db-wal", "locks", ""])
    func links(name: String) throws {
        let folder = TemporaryFolder()
        let library = LibraryFolder(path: folder("library"))
        let target = folder("elsewhere")
        if name == "library.db" || name == "library.db-wal" {
            try Data().write(to: URL(filePath: target))
        } else {
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        }
        if !name.isEmpty {
            try FileManager.default.createDirectory(atPath: library.path, withIntermediateDirectories: true)
        }
        let link = name.isEmpty ? library.path : "\(library.path)/\(name)"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(throws: VaultError.unsafeFolder) { _ = try LibraryDatabase(in: library, key: LibraryRoom.sampleKey()) }
        #expect(try FileManager.default.attributesOfItem(atPath: target)[.size] as? Int != nil)
    }

    @Test(
        "says that nothing can be written where nobody can make a folder",
        arguments: ["/proc/no-such-folder", "/dev/null/library"]
    )
    func madeNowhere(path: String) {
        let library = LibraryFolder(path: path)
        #expect(throws: VaultError.readOnly(.noPermission)) {
            _ = try LibraryDatabase(in: library, key: LibraryRoom.sampleKey())
        }
    }

    @Test("says so, too, where the keys' folder would be below a file, made or not", arguments: [true, false])
    func keysBelowFile(isMade: Bool) {
        #expect(throws: VaultError.readOnly(.noPermission)) {
            _ = try GuardedFolder(
                path: "/dev/null/library",
                isMade: isMade,
                isTightened: true,
                refusal: .unsafeFolder,
                willDo: { _ in }
            )
        }
    }

    @Test("makes a whole copy that the same key opens")
    func backup() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        let copy = LibraryFolder(path: room.temporary("copy's “folder”"))
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        let expected = ContentID()
        try await room.database.expectContents([expected])
        try await room.database.backup(to: copy.database)
        #expect(try await room.database.removedContents().contains(expected))
        #expect(!copy.isPlain)
        let opened = try LibraryDatabase(in: copy, key: room.key)
        #expect(try await StoredLibrary(database: opened, contents: room.contents).item(item.id) == item)
        #expect(try await opened.check().isEmpty)
        #expect(try await opened.removedContents().isEmpty, "a file that came after the copy is not deleted")
        try opened.close()
        await #expect(throws: VaultError.self, "a file that is there is left alone") {
            try await room.database.backup(to: copy.database)
        }
    }

    @Test("gets another key in one step, when nobody has it open")
    func rekey() async throws {
        let room = try LibraryRoom()
        let item = try await SampleRecording.all[0].make(in: room.jobs)
        let new = SecretBytes(randomBytes: 32)
        await #expect(throws: VaultError.inUse) {
            try await LibraryDatabase.rekey(in: room.folder, from: room.key, to: new)
        }
        try room.database.close()
        await #expect(throws: VaultError.wrongKey) {
            try await LibraryDatabase.rekey(in: room.folder, from: new, to: new)
        }
        try await LibraryDatabase.rekey(in: room.folder, from: room.key, to: new)
        #expect(throws: VaultError.wrongKey) { _ = try LibraryDatabase(in: room.folder, key: room.key) }
        let opened = try LibraryDatabase(in: room.folder, key: new)
        #expect(try await StoredLibrary(database: opened, contents: room.contents).item(item.id) == item)
        try opened.close()
    }

    @Test("says so when another process does not stop writing")
    func busy() async throws {
        let room = try LibraryRoom()
        let other = try LibraryDatabase(in: room.folder, key: room.key, timeout: 0.01)
        try await room.database.write { database in
            try database.execute(sql: "DELETE FROM setting")
            let failure = Failure()
            let ended = DispatchSemaphore(value: 0)
            Task {
                do {
                    try await other.write { try $0.execute(sql: "DELETE FROM setting") }
                } catch {
                    failure.error.withLock { $0 = error as? VaultError }
                }
                ended.signal()
            }
            ended.wait()  // on the database's own thread
            #expect(failure.error.withLock { $0 } == .inUse)
        }
        try other.close()
    }

    @Test("says nothing of what it holds when it fails")
    func silentErrors() async throws {
        let room = try LibraryRoom()
        do {
            try await room.database.write { database in
                try database.execute(sql: "INSERT INTO setting (name, value) VALUES (?, NULL)", arguments: ["canary"])
            }
            Issue.record("NULL was taken")
        } catch {
            #expect(error as? VaultError == .system(errno: EINVAL))
            #expect(!"\(error)".contains("canary"))
        }
        let key = room.key
        try room.database.close()
        key.wipe()
        #expect(throws: VaultError.locked) { _ = try LibraryDatabase(in: room.folder, key: key) }
    }
}

/// The error of another task.
private final class Failure: Sendable {
    let error = Mutex<VaultError?>(nil)
}
