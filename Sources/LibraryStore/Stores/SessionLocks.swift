import EchoText
import FileSystem
import Foundation

/// The locks by which processes hold recording sessions.
///
/// Checking whether a lock is held means acquiring it briefly. Callers first lock the file `locks/recordings`, so that
/// such a check never makes another process fail.
struct SessionLocks {
    private let folder: LibraryFolder

    init(of folder: LibraryFolder) {
        self.folder = folder
    }

    /// Acquires a session's lock.
    ///
    /// - Returns: `nil` when another holder has it.
    /// - Throws: ``RecordingError/sessionNotFound`` for an invalid id; ``VaultError``.
    func take(_ id: AudioItem.ID) throws -> FileLock? {
        let path = try path(of: id)
        return try alone { try FileLock(at: path, .exclusive, isTemporary: true) }
    }

    /// Whether someone has the session's lock.
    ///
    /// - Throws: ``VaultError``.
    func isTaken(_ id: AudioItem.ID) throws -> Bool {
        let path = try path(of: id)
        guard !folder.isReadOnly, access(path, F_OK) == 0 else { return false }
        return try alone {
            let isFree = try FileLock(at: path, .exclusive, isMade: false, isTemporary: true) != nil
            return !isFree && access(path, F_OK) == 0
        }
    }

    private func path(of id: AudioItem.ID) throws -> String {
        guard UUID(uuidString: id.rawValue) != nil else { throw RecordingError.sessionNotFound }  // it names a file
        return "\(folder.locks)/\(id.rawValue)"
    }

    private func alone<Result>(_ work: () throws -> Result) throws -> Result {
        let guardian = try FileLock(at: "\(folder.locks)/recordings", .exclusive, waits: true)
        return try withExtendedLifetime(guardian) { try work() }
    }
}
