import Dispatch
import Synchronization

/// Changes of files as an asynchronous sequence, from a ``FolderWatch``.
package enum FileChanges {
    /// Emits one element for all changes since the last one; the first element arrives at once, so that no change is
    /// missed.
    ///
    /// A file counts as changed when it is created, written, moved to its name, or removed.
    ///
    /// - Parameters:
    ///   - name: The file; if `nil`, all files of the folder whose names do not begin with a dot.
    ///   - folder: The file's folder, which must exist.
    /// - Returns: A stream that ends when its reader ends, or after the first element if the folder does not exist or
    ///   the system allows no further watch.
    package static func changes(of name: String? = nil, in folder: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.yield()
            guard let watch = try? FolderWatch(for: kinds, in: folder) else { return continuation.finish() }
            let source = Mutex(DispatchSource.makeReadSource(fileDescriptor: watch.descriptor, queue: .global()))
            source.withLock {
                $0.setEventHandler {
                    if watch.takeChanges(of: name) { continuation.yield() }
                }
                // The descriptor must stay open until the source is cancelled.
                $0.setCancelHandler { withExtendedLifetime(watch) {} }
            }
            continuation.onTermination = { _ in source.withLock { $0.cancel() } }
            source.withLock { $0.activate() }
        }
    }

    private static let kinds: FolderWatch.Kinds = [.made, .written, .movedHere, .movedAway, .removed]
}
