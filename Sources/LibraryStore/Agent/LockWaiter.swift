import EchoText
import FileSystem
import Foundation

/// Waits, in a starting agent, for the agent that holds the lock.
///
/// The wait ends when the lock is free, or when the folder changes: the other agent listens, or the lock's file was removed.
final class LockWaiter: Sendable {
    private let isFree: WakeUpPipe
    private let changes: FolderWatch?

    /// - Parameter changes: The folder's changes; without them only the lock is waited for.
    /// - Throws: ``VaultError/system(errno:)``.
    init(noting changes: FolderWatch?) throws(VaultError) {
        isFree = try VaultError.translating { () throws(SystemError) in try WakeUpPipe() }
        self.changes = changes
    }

    /// Acquires `lock` as soon as it is free, even after this waiter's end; its last reference then releases it.
    ///
    /// A thread blocks in the kernel for it, because when the holder is killed, the kernel's notification about the
    /// file precedes the release of the lock.
    func ask(for lock: LockableFile) {
        let thread = Thread { [isFree] in
            _ = try? lock.lock(waits: true)  // a system that knows no locks has said so before
            isFree.call()
        }
        thread.name = "echotext agent's lock"
        thread.start()
    }

    /// Blocks until something has happened since the last call, or `deadline` has come.
    func wait(until deadline: ContinuousClock.Instant) {
        var sources = [isFree.descriptor, changes?.descriptor].compactMap(\.self).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var count: Int32
        repeat {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            count = poll(&sources, nfds_t(sources.count), Int32(clamping: Int((left / .milliseconds(1)).rounded(.up))))
        } while count < 0 && errno == EINTR
        isFree.reset()
        changes?.takeChanges()
    }
}

extension LockableFile {
    /// - Returns: Whether the lock was acquired; it is not while another process holds it.
    /// - Throws: ``VaultError/system(errno:)`` when the file system does not support locks.
    func take() throws(VaultError) -> Bool {
        try VaultError.translating { () throws(SystemError) in try lock() }
    }
}
