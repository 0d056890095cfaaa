import EchoText
import FileSystem
import Foundation
import Synchronization

/// Says to other processes that the sealed files are in use, and finds out whether the last one that used them crashed.
///
/// The file `locks/open` exists while anyone has the library open; a process that is alone and finds it comes after a crash.
final class ContentPresence: Sendable {
    private let path: String
    private let mark: String
    private let held: Mutex<FileLock?>
    /// Whether nothing can be noted, nor cleared away.
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

    /// Lets others in.
    ///
    /// - Throws: ``VaultError``.
    func share() throws {
        held.withLock { $0 = nil }
        let shared = try FileLock(at: path, .shared, isMade: !isReadOnly, waits: true)
        held.withLock { $0 = shared }
    }

    /// The last one out takes the mark away.
    func leave() {
        held.withLock { $0 = nil }
        guard !isReadOnly else { return }
        // Without the lock, another process is there, or the next one makes a needless check.
        if let alone = try? FileLock(at: path, .exclusive) {
            withExtendedLifetime(alone) { _ = unlink(mark) }
        }
    }
}
