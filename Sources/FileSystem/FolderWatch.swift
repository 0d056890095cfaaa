import Dispatch
import Foundation
import Synchronization

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

/// Ends a thread's wait for descriptors from another thread: a self-pipe that is polled together with them.
package final class WakeUpPipe: Sendable {
    /// Becomes readable after ``call()``.
    package let descriptor: Int32
    private let writing: Int32

    /// - Throws: ``SystemError``.
    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Ends the current wait, or the next one.
    package func call() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)  // a full pipe also ends the wait
    }

    package var isCalled: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    /// Discards the calls so far.
    package func reset() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    /// Waits until one of `events` occurs on `other`.
    ///
    /// - Parameters:
    ///   - other: The descriptor to wait for.
    ///   - events: The events, as in poll(2).
    ///   - milliseconds: How long to wait; −1 without a limit.
    /// - Returns: The events that occurred, including errors and hang-ups; 0 when the time is over.
    /// - Throws: `CancellationError` after ``call()``; ``SystemError``.
    package func wait(for other: Int32, events: Int32, milliseconds: Int32 = -1) throws -> Int32 {
        var waiting = [
            pollfd(fd: other, events: Int16(events), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, milliseconds) < 0 {
            guard errno == EINTR else { throw SystemError.last }
        }
        guard waiting[1].revents == 0 else { throw CancellationError() }
        return Int32(waiting[0].revents)
    }

    /// Waits for `milliseconds`.
    ///
    /// - Throws: `CancellationError` if ``call()`` is called before they are over.
    package func pause(milliseconds: Int32) throws {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) <= 0 else { throw CancellationError() }
    }
}
