import Dispatch
import Foundation
import Synchronization

/// The system's notifications of changes to files.
///
/// - SeeAlso: inotify(7), which reports changes made on this machine, not those that others make on a network disk.
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

    /// Reads the pending notifications, and returns whether any of them is about `name`.
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
                    // After an overflow of the queue, anything may have changed.
                    let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                    if name == nil || about == name || isOverflow { isMeant = true }
                    rest = rest.dropFirst(end)
                }
            }
        }
    }
}
