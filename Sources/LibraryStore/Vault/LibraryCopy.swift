import EchoText
import Foundation

/// A copy of a library in progress, which gets its name only when it is complete.
final class LibraryCopy {
    private let place: String
    private let draft: String
    private var isFinished = false

    /// - Throws: ``VaultError/system(errno:)`` with `EEXIST` when the path exists already; ``VaultError``.
    init(to folder: String) throws(VaultError) {
        var path = folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        place = path
        draft = "\(path).partial"
        guard access(place, F_OK) != 0 else { throw .system(errno: EEXIST) }
        guard mkdir(draft, 0o700) == 0, mkdir("\(draft)/blobs", 0o700) == 0 else { throw VaultError(opening: errno) }
    }

    deinit {
        // The first failure is the one to report.
        if !isFinished { try? FileManager.default.removeItem(atPath: draft) }
    }

    /// Its path until it is finished.
    var folder: String { draft }
    var database: String { "\(draft)/library.db" }

    /// Adds encrypted files, as hard links if the copy is on the same disk, because they never change.
    func take(_ ids: [ContentID], from folder: String) throws {
        for id in ids {
            let bucket = "\(draft)/blobs/\(id.bucket)"
            guard mkdir(bucket, 0o700) == 0 || errno == EEXIST else { throw VaultError(opening: errno) }
            try take("\(folder)/\(id.bucket)/\(id.text)", as: "\(bucket)/\(id.text)")
        }
    }

    /// Adds files of the library's folder.
    func take(_ names: [String], ofLibrary folder: String) throws {
        for name in names { try copy("\(folder)/\(name)", to: "\(draft)/\(name)") }
    }

    /// Moves the complete copy to its destination, durably.
    func finish() throws(VaultError) {
        sync()
        guard rename(draft, place) == 0 else { throw VaultError(opening: errno) }
        isFinished = true
    }

    private func take(_ source: String, as target: String) throws {
        if link(source, target) == 0 { return }
        // A missing file is damage that `check` reports; the copy contains the others.
        if errno == ENOENT { return }
        try copy(source, to: target)
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
