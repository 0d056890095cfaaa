import EchoText
import FileSystem
import Foundation
import Synchronization

/// Declares to other processes that the encrypted files are in use, and detects whether their last user crashed.
///
/// The file `locks/open` exists while anyone has the library open; a process that finds it without another user comes
/// after a crash.
final class ContentPresence: Sendable {
    private let path: String
    private let mark: String
    private let held: Mutex<FileLock?>
    /// Whether nothing can be recorded or cleaned up.
    private let isReadOnly: Bool
    /// Whether no other process has it open, and the last one did not close it.
    let isAfterCrash: Bool

    /// - Throws: ``VaultError``.
    init(in folder: LibraryFolder) throws {
        path = "\(folder.locks)/contents"
        mark = "\(folder.locks)/open"
        isReadOnly = folder.isReadOnly
        guard !isReadOnly else {
            isAfterCrash = false
            held = Mutex(nil)
            return
        }
        let alone = try FileLock(at: path, .exclusive)
        isAfterCrash = alone != nil && access(mark, F_OK) == 0
        let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw VaultError(opening: errno) }
        Glibc.close(descriptor)
        held = Mutex(alone)
    }

    /// Allows other processes to open the library.
    ///
    /// - Throws: ``VaultError``.
    func share() throws {
        held.withLock { $0 = nil }
        let shared = try FileLock(at: path, .shared, isMade: !isReadOnly, waits: true)
        held.withLock { $0 = shared }
    }

    /// Removes the marker if this is the last process.
    func leave() {
        held.withLock { $0 = nil }
        guard !isReadOnly else { return }
        // Without the lock, another process has it open, or the next one makes an unnecessary check.
        if let alone = try? FileLock(at: path, .exclusive) {
            withExtendedLifetime(alone) { _ = unlink(mark) }
        }
    }
}
