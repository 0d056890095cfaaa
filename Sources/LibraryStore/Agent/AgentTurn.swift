import EchoText
import Foundation

/// A starting agent's wait for another one that has the lock.
///
/// It ends when the lock is free, or when the folder changes: the other one listens, or the lock's file was removed.
final class AgentTurn: Sendable {
    private let isFree: AgentWakeUp
    private let changes: AgentFolderChanges?

    /// - Parameter changes: Of the folder; without them what it shows is not waited for.
    /// - Throws: ``VaultError/system(errno:)``.
    init(noting changes: AgentFolderChanges?) throws(VaultError) {
        isFree = try AgentWakeUp()
        self.changes = changes
    }

    /// Takes `lock` as soon as it is free, be it after this is over; whoever holds it last then frees it.
    ///
    /// A thread waits inside the kernel for it. What the kernel tells of the file of a lock comes before the lock is free, when
    /// its holder was killed.
    func ask(for lock: AgentLock) {
        let thread = Thread { [isFree] in
            lock.waitAndTake()
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
        changes?.reset()
    }
}
