import Foundation

/// The system's notifications of changes to the files of a folder.
///
/// - SeeAlso: inotify(7), which reports changes made on this machine, not those that other machines make on a network
///   disk.
package final class FolderWatch: Sendable {
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let made = Kinds(rawValue: UInt32(IN_CREATE))
        package static let written = Kinds(rawValue: UInt32(IN_MODIFY))
        package static let movedHere = Kinds(rawValue: UInt32(IN_MOVED_TO))
        package static let movedAway = Kinds(rawValue: UInt32(IN_MOVED_FROM))
        package static let removed = Kinds(rawValue: UInt32(IN_DELETE))
    }

    /// Becomes readable after a change.
    package let descriptor: Int32

    /// Starts to report changes.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of changes to report.
    ///   - folder: The path of the folder.
    /// - Throws: ``SystemError``.
    package init(for kinds: Kinds, in folder: String) throws(SystemError) {
        let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard watch >= 0 else { throw .last }
        guard inotify_add_watch(watch, folder, kinds.rawValue) >= 0 else {
            let problem = SystemError.last
            close(watch)
            throw problem
        }
        descriptor = watch
    }

    deinit { close(descriptor) }

    /// Discards the changes so far.
    ///
    /// - Parameter name: A file of the folder; if `nil`, any file that is not hidden.
    /// - Returns: Whether one of them concerned that file.
    @discardableResult
    package func takeChanges(of name: String? = nil) -> Bool {
        var isMeant = false
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return isMeant }  // all events have been read
            bytes.withUnsafeBytes { all in
                var rest = all[..<count]
                while rest.count >= MemoryLayout<inotify_event>.size {
                    let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
                    let end = MemoryLayout<inotify_event>.size + Int(event.len)
                    let text = rest.dropFirst(MemoryLayout<inotify_event>.size).prefix(Int(event.len))
                    let about = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
                    // After an overflow of the queue, anything may have changed.
                    let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                    let isAsked = name.map { about == $0 } ?? !about.hasPrefix(".")
                    if isAsked || isOverflow { isMeant = true }
                    rest = rest.dropFirst(end)
                }
            }
        }
    }
}
