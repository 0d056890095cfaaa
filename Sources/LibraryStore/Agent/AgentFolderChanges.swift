import EchoText
import Foundation

/// What the system tells, while somebody waits, of the files in an agent's folder: that one was made, moved to its name, removed,
/// or closed by who could write it, as a lock is when its holder lets go of it or ends.
///
/// - SeeAlso: inotify(7).
struct AgentFolderChanges: ~Copyable {
    private let descriptor: Int32

    private static let kinds = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE)

    /// Tells of what happens from now on.
    ///
    /// - Parameter path: Leads to the folder.
    /// - Throws: ``VaultError/system(errno:)``.
    init(in path: String) throws(VaultError) {
        let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard watch >= 0 else { throw .system(errno: errno) }
        guard inotify_add_watch(watch, path, Self.kinds) >= 0 else {
            defer { close(watch) }
            throw .system(errno: errno)
        }
        descriptor = watch
    }

    deinit { close(descriptor) }

    /// Blocks until something has changed since the last call.
    ///
    /// - Returns: Whether it has; not when nothing did until `deadline`.
    func wait(until deadline: ContinuousClock.Instant) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            let count = poll(&source, 1, Int32(clamping: Int((left / .milliseconds(1)).rounded(.up))))
            guard count <= 0 else { break }
            if count < 0, errno != EINTR { return false }
        }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        return true
    }
}
