import Foundation

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
