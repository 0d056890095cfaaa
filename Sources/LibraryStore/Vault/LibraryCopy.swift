import EchoText
import Foundation

/// A copy of a library that is being made: in its place only when it is whole.
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

    /// Where it is until it is finished.
    var folder: String { draft }
    var database: String { "\(draft)/library.db" }

    /// Takes sealed files: by a link where the copy is on the same disk, because they never change.
    func take(_ ids: [ContentID], from folder: String) throws {
        for id in ids {
            let bucket = "\(draft)/blobs/\(id.bucket)"
            guard mkdir(bucket, 0o700) == 0 || errno == EEXIST else { throw VaultError(opening: errno) }
            try take("\(folder)/\(id.bucket)/\(id.text)", as: "\(bucket)/\(id.text)")
        }
    }

    /// Takes files of the library's folder.
    func take(_ names: [String], ofLibrary folder: String) throws {
        for name in names { try copy("\(folder)/\(name)", to: "\(draft)/\(name)") }
    }

    /// Puts the copy in its place, for good.
    func finish() throws(VaultError) {
        sync()
        guard rename(draft, place) == 0 else { throw VaultError(opening: errno) }
        isFinished = true
    }

    private func take(_ source: String, as target: String) throws {
        if link(source, target) == 0 { return }
        // A missing file is damage that `check` reports; the copy has what there is.
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
