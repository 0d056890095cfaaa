import EchoText
import Glibc
import Synchronization

/// Wakes a thread that waits for a slow pipe, from any other thread.
///
/// It is a pipe of its own, polled beside the descriptor that is waited for; a byte in it means “stop waiting”.
final class Interruption: Sendable {
    private let readingEnd: Int32
    private let writingEnd: Int32
    /// True once nothing may clear the interruption any more.
    private let isFinal = Mutex(false)

    init() throws(AudioFileError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(errno: errno) }
        (readingEnd, writingEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readingEnd)
        close(writingEnd)
    }

    var isSet: Bool {
        var waiting = pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    /// Interrupts the present wait, or the next one.
    ///
    /// - Parameter forGood: Whether every later wait is interrupted too.
    func set(forGood: Bool = false) {
        isFinal.withLock { isFinal in
            isFinal = isFinal || forGood
            var byte: UInt8 = 1
            // A full pipe is as good an interruption as one more byte.
            _ = write(writingEnd, &byte, 1)
        }
    }

    /// Forgets an interruption that came too late for what it was meant for.
    func clear() {
        isFinal.withLock { isFinal in
            guard !isFinal else { return }
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(readingEnd, &bytes, bytes.count) > 0 {}
        }
    }

    /// Waits until `descriptor` takes bytes.
    ///
    /// - Throws: `CancellationError` when interrupted; ``AudioFileError/brokenPipe`` when nobody reads any more.
    func waitUntilWritable(_ descriptor: Int32) throws {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, -1) < 0 {
            guard errno == EINTR else { throw AudioFileError.system(errno: errno) }
        }
        guard waiting[1].revents == 0 else { throw CancellationError() }
        guard Int32(waiting[0].revents) & (POLLERR | POLLHUP) == 0 else { throw AudioFileError.brokenPipe }
    }

    /// Waits for `milliseconds`, or less when interrupted.
    ///
    /// - Throws: `CancellationError` when interrupted.
    func pause(milliseconds: Int32) throws {
        var waiting = pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) <= 0 else { throw CancellationError() }
    }
}
