import Dispatch
import Synchronization

/// Changes of files, one after another, as a ``FolderWatch`` notices them.
package enum FileChanges {
    /// One element for all changes since the last one; the first element comes at once, so that no change is missed.
    ///
    /// A file has changed when it was made, written, moved to its name, or removed.
    ///
    /// - Parameters:
    ///   - name: The file; all of the folder's when `nil`.
    ///   - folder: Where it is, or will be; the folder itself has to be there.
    /// - Returns: Ends with its reader; after the first element when the folder is not there or the system watches no more.
    package static func changes(of name: String? = nil, in folder: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.yield()
            guard let watch = try? FolderWatch(for: kinds, in: folder) else { return continuation.finish() }
            let source = Mutex(DispatchSource.makeReadSource(fileDescriptor: watch.descriptor, queue: .global()))
            source.withLock {
                $0.setEventHandler {
                    if watch.takeChanges(of: name) { continuation.yield() }
                }
                // The descriptor has to stay open until the source is done with it.
                $0.setCancelHandler { withExtendedLifetime(watch) {} }
            }
            continuation.onTermination = { _ in source.withLock { $0.cancel() } }
            source.withLock { $0.activate() }
        }
    }

    private static let kinds: FolderWatch.Kinds = [.made, .written, .movedHere, .movedAway, .removed]
}
