import EchoText
import Foundation

/// The library's folder: readable for this user only, without links.
package struct LibraryFolder: Sendable, Hashable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var database: String { "\(path)/library.db" }
    package var locks: String { "\(path)/locks" }

    /// Creates missing folders, and removes others' permissions.
    ///
    /// - Throws: ``VaultError/unsafeFolder`` when it, or a file of the database's, is a link, of another kind or
    ///   another user's; ``VaultError/readOnly(_:)``.
    func prepare() throws(VaultError) {
        for folder in [path, locks] {
            if mkdir(folder, 0o700) != 0, errno != EEXIST { throw VaultError(opening: errno) }
            try secure(folder, kind: S_IFDIR, mode: 0o700)
        }
        let descriptor = Glibc.open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw VaultError(opening: errno) }
        Glibc.close(descriptor)
        for suffix in ["", "-wal", "-shm"] {
            try secure(database + suffix, kind: S_IFREG, mode: 0o600)
        }
    }

    /// Whether the folder holds a library on a read-only medium.
    var isReadOnly: Bool {
        access(database, F_OK) == 0 && access(path, W_OK) != 0 && (errno == EROFS || errno == EACCES)
    }

    /// Performs the checks of ``prepare()`` on a read-only disk.
    ///
    /// - Throws: As ``prepare()``.
    func check() throws(VaultError) {
        for folder in [path, locks] { try secure(folder, kind: S_IFDIR, mode: 0o700) }
        for suffix in ["", "-wal", "-shm"] { try secure(database + suffix, kind: S_IFREG, mode: 0o600) }
    }

    /// Checks one file or folder, and sets its permissions regardless of the umask; a missing one is no error.
    private func secure(_ path: String, kind: mode_t, mode: mode_t) throws(VaultError) {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            if errno == ENOENT { return }
            throw VaultError(opening: errno)
        }
        guard found.st_mode & S_IFMT == kind, found.st_uid == geteuid() else { throw .unsafeFolder }
        if found.st_mode & 0o7777 != mode, chmod(path, mode) != 0 { throw VaultError(opening: errno) }
    }

    /// Whether the database exists and is not encrypted.
    var isPlain: Bool {
        let descriptor = Glibc.open(database, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        let sign = Array("SQLite format 3".utf8)
        var start = [UInt8](repeating: 0, count: sign.count)
        return Glibc.read(descriptor, &start, start.count) == start.count && start == sign
    }
}
