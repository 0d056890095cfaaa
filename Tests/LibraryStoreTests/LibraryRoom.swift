import EchoText
import EchoTextTesting
import Foundation
import GRDB

@testable import LibraryStore

/// A library of one test: an open database, contents next to it, and the stores on them.
struct LibraryRoom {
    let temporary = TemporaryFolder()
    let folder: LibraryFolder
    let key = Self.sampleKey()
    let database: LibraryDatabase
    let contents: ContentStore

    init() throws {
        folder = LibraryFolder(path: temporary("library"))
        database = try LibraryDatabase(in: folder, key: key)
        contents = try ContentStore(path: "\(folder.path)/blobs", identities: [AgeIdentity(scalar: Self.sampleKey())])
    }

    /// The key that StoreFixture opens the database with, and the contents.
    static func sampleKey() -> SecretBytes { SecretBytes(copying: [UInt8](repeating: 7, count: 32)) }

    /// A database that ``sampleKey()`` opens, without the program, and without foreign key checks.
    static func rows(of folder: LibraryFolder) throws -> DatabaseQueue {
        let key = DatabaseKey(bytes: sampleKey())
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try LibraryDatabase.prepare(database, key)
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
        }
        return try DatabaseQueue(path: folder.database, configuration: configuration)
    }

    /// The ids of all encrypted files, complete and incomplete.
    var contentIDs: Set<String> {
        get throws {
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/blobs")
            return Set(names.filter { $0.contains("/") }.map { String($0.split(separator: "/")[1]) })
        }
    }

    func contentPath(of id: ContentID) -> String { "\(folder.path)/blobs/\(id.bucket)/\(id.text)" }

    var library: StoredLibrary { StoredLibrary(database: database, contents: contents) }
    var documents: StoredDocuments { StoredDocuments(database: database, contents: contents) }
    func speech(limit: Int) -> StoredSpeech {
        StoredSpeech(database: database, contents: contents) { limit }
    }

    var transcripts: StoredTranscripts { StoredTranscripts(database: database) }

    /// It holds its locks like another process.
    var recordings: StoredRecordings { StoredRecordings(database: database, contents: contents) }
    /// It holds its locks like another process.
    var transcriptions: StoredTranscriptions { StoredTranscriptions(database: database) }
    /// It holds its locks like another process.
    var jobs: StoredJobs { StoredJobs(database: database, contents: contents) }
}
