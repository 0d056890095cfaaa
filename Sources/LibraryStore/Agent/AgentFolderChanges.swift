import EchoText
import Foundation

/// The system's notifications of an agent's folder: a file was moved to its name there, or removed.
///
/// - SeeAlso: inotify(7).
final class AgentFolderChanges: Sendable {
    /// Readable once something has changed.
    let descriptor: Int32

    /// Starts to report changes.
    ///
    /// - Parameter path: Leads to the folder.
    /// - Throws: ``VaultError/system(errno:)``.
    init(in path: String) throws(VaultError) {
        let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard watch >= 0 else { throw .system(errno: errno) }
        guard inotify_add_watch(watch, path, UInt32(IN_MOVED_TO | IN_DELETE)) >= 0 else {
            defer { close(watch) }
            throw .system(errno: errno)
        }
        descriptor = watch
    }

    deinit { close(descriptor) }

    /// Forgets the changes up to now.
    func reset() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
