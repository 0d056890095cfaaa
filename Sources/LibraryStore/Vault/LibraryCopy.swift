import EchoText
import Foundation

/// A copy of a library in progress, which gets its name only when it is complete.
final class LibraryCopy {
    private let place: String
    private let draft: String
    /// Whether it has made its folder, and not moved it to its destination yet.
    private var isUnfinished = false
    /// The encrypted files that are in it.
    private var taken: Set<ContentID> = []
    /// How many of the encrypted files that belong in it were not there.
    private(set) var missing = 0

    /// - Throws: ``VaultError/system(errno:)`` with `EEXIST` when the path exists already; ``VaultError``.
    init(to folder: String) throws(VaultError) {
        (place, draft) = Self.paths(of: folder)
        guard access(place, F_OK) != 0 else { throw .system(errno: EEXIST) }
        guard mkdir(draft, 0o700) == 0 else { throw VaultError(opening: errno) }
        isUnfinished = true
        guard mkdir("\(draft)/blobs", 0o700) == 0 else { throw VaultError(opening: errno) }
    }

    /// Its path when it is complete, and until then.
    static func paths(of folder: String) -> (place: String, draft: String) {
        var path = folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return (path, "\(path).partial")
    }

    deinit {
        // The first failure is the one to report.
        if isUnfinished { try? FileManager.default.removeItem(atPath: draft) }
    }

    /// Its path until it is finished.
    var folder: String { draft }
    var database: String { "\(draft)/library.db" }

    /// Adds encrypted files, as hard links if the copy is on the same disk, because they never change.
    func take(_ ids: [ContentID], from folder: String) throws {
        for id in ids where !taken.contains(id) {
            let bucket = "\(draft)/blobs/\(id.bucket)"
            guard mkdir(bucket, 0o700) == 0 || errno == EEXIST else { throw VaultError(opening: errno) }
            for place in [id.bucket, ContentStore.aside] where !taken.contains(id) {
                if try take("\(folder)/\(place)/\(id.text)", as: path(of: id)) { taken.insert(id) }
            }
        }
    }

    /// Whether it has this encrypted file.
    func has(_ id: ContentID) -> Bool { taken.contains(id) }

    /// Removes all other encrypted files than these, and counts those of them that it does not have.
    func keep(only ids: Set<ContentID>) throws(VaultError) {
        for id in taken.subtracting(ids) where unlink(path(of: id)) != 0 { throw VaultError(opening: errno) }
        taken.formIntersection(ids)
        missing = ids.count - taken.count
    }

    /// Removes the database, if there is one.
    func removeDatabase() throws(VaultError) {
        guard unlink(database) == 0 || errno == ENOENT else { throw VaultError(opening: errno) }
    }

    private func path(of id: ContentID) -> String { "\(draft)/blobs/\(id.bucket)/\(id.text)" }

    /// Adds files of the library's folder.
    func take(_ names: [String], ofLibrary folder: String) throws {
        for name in names { try copy("\(folder)/\(name)", to: "\(draft)/\(name)") }
    }

    /// Adds an empty write-ahead log, which replaces the one that a crash may have left where the copy is put back: SQLite
    /// would apply that one to the copied database.
    func addEmptyLog() throws(VaultError) {
        let descriptor = open("\(database)-wal", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw VaultError(opening: errno) }
        close(descriptor)
    }

    /// Moves the complete copy to its destination, durably.
    func finish() throws(VaultError) {
        sync()
        guard rename(draft, place) == 0 else { throw VaultError(opening: errno) }
        isUnfinished = false
    }

    /// Copies an encrypted file.
    ///
    /// - Returns: Whether it was there; else it is damage that `check` reports, or was deleted just now.
    private func take(_ source: String, as target: String) throws -> Bool {
        if link(source, target) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        do {
            try copy(source, to: target)
            return true
        } catch {
            guard access(source, F_OK) != 0, errno == ENOENT else { throw error }
            unlink(target)
            return false
        }
    }

    private func copy(_ source: String, to target: String) throws {
        do {
            try FileManager.default.copyItem(atPath: source, toPath: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        } catch let error as CocoaError {
            throw error.code == .fileWriteOutOfSpace ? VaultError.readOnly(.diskFull) : VaultError(opening: EIO)
        }
    }
}
