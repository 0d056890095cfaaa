import EchoText
import Foundation
import LibraryStoreTesting

@testable import LibraryStore

/// A library of one test: an open database, contents beside it, and the stores on them.
struct LibraryRoom {
    let temporary = TemporaryFolder()
    let folder: LibraryFolder
    let key = Self.sampleKey()
    let database: LibraryDatabase
    let contents: PlainContents

    init() throws {
        folder = LibraryFolder(path: temporary("library"))
        database = try LibraryDatabase(in: folder, key: key)
        contents = try PlainContents(folder: "\(folder.path)/contents")
    }

    /// The key that StoreFixture opens with.
    static func sampleKey() -> SecretBytes { SecretBytes(copying: [UInt8](repeating: 7, count: 32)) }

    var library: StoredLibrary { StoredLibrary(database: database, contents: contents) }
    /// Holds its locks like another process.
    var jobs: StoredJobs { StoredJobs(database: database, contents: contents) }
}

/// A folder of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/echotext-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no folder for a test: \(error)")
        }
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may have removed it itself

    /// The path of `name` in it.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
