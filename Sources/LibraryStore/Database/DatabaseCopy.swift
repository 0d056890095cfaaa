import EchoText
import Foundation

/// A copy of the encrypted database of a read-only library, in a folder where it can be opened.
///
/// SQLite can open a database in WAL mode only where it can create files next to it.
final class DatabaseCopy: Sendable {
    private let folder: String

    /// The path of the copy.
    var path: String { "\(folder)/library.db" }

    /// - Throws: ``VaultError``.
    init(of library: LibraryFolder) throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/echotext-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw VaultError(opening: errno) }
        folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            for suffix in ["", "-wal"] { try Self.copy(library.database + suffix, to: path + suffix) }
        } catch {
            remove()
            throw error
        }
    }

    deinit { remove() }

    /// A file that is missing is well.
    private static func copy(_ source: String, to target: String) throws {
        let file = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw VaultError(opening: errno)
        }
        defer { close(file) }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw VaultError(opening: errno) }
        defer { close(copy) }
        var count = 0
        repeat {
            count = sendfile(copy, file, nil, 1 << 24)
            guard count >= 0 || errno == EINTR else { throw VaultError(opening: errno) }
        } while count != 0
    }

    private func remove() {
        // It is encrypted, and in a folder that the system cleans up, so a copy that remains reveals nothing.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
