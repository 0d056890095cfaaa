import Dispatch
import Foundation
import Synchronization

/// What the system tells of files that change.
///
/// - SeeAlso: inotify(7), which tells of this machine's own changes, not of those that others make on a network disk.
package enum FileChanges {
    /// One element for all changes since the last, the first at once, so that whoever looks at each misses none.
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
            let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            guard descriptor >= 0 else { return continuation.finish() }
            guard inotify_add_watch(descriptor, folder, kinds) >= 0 else {
                close(descriptor)
                return continuation.finish()
            }
            let source = Mutex(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global()))
            source.withLock {
                $0.setEventHandler {
                    if concerns(name, in: descriptor) { continuation.yield() }
                }
                $0.setCancelHandler { close(descriptor) }
            }
            continuation.onTermination = { _ in source.withLock { $0.cancel() } }
            source.withLock { $0.activate() }
        }
    }

    private static let kinds = UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

    /// Reads what has come, and tells whether any of it is about `name`.
    private static func concerns(_ name: String?, in descriptor: Int32) -> Bool {
        var isMeant = false
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return isMeant }  // all has been read
            bytes.withUnsafeBytes { all in
                var rest = all[..<count]
                while rest.count >= MemoryLayout<inotify_event>.size {
                    let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
                    let end = MemoryLayout<inotify_event>.size + Int(event.len)
                    let text = rest.dropFirst(MemoryLayout<inotify_event>.size).prefix(Int(event.len))
                    let about = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
                    // Where there was more than it could tell, anything may have changed.
                    let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                    if name == nil || about == name || isOverflow { isMeant = true }
                    rest = rest.dropFirst(end)
                }
            }
        }
    }
}
