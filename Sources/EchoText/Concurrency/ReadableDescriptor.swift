import Foundation

/// An open file or pipe whose reader can be woken by another thread while it waits for bytes.
///
/// A pipe of its own is polled beside it; a byte in that one means “stop waiting”, and stays there for good.
final class ReadableDescriptor: Sendable {
    private let descriptor: Int32
    private let isOwned: Bool
    private let wakeReading: Int32
    private let wakeWriting: Int32

    /// Opens `path`, a FIFO also before anybody writes to it.
    ///
    /// Fails when the system refuses, and `errno` says why.
    convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor, isOwned: true)
    }

    /// Reads from what is open already, and leaves it open.
    ///
    /// Fails when it is not open.
    convenience init?(sharing descriptor: Int32) {
        guard fcntl(descriptor, F_GETFD) >= 0 else { return nil }
        self.init(descriptor, isOwned: false)
    }

    private init?(_ descriptor: Int32, isOwned: Bool) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            if isOwned { close(descriptor) }
            return nil
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        self.descriptor = descriptor
        self.isOwned = isOwned
        (wakeReading, wakeWriting) = (ends[0], ends[1])
    }

    deinit {
        if isOwned { close(descriptor) }
        close(wakeReading)
        close(wakeWriting)
    }

    /// Ends the present wait, and every later one.
    func interrupt() {
        var byte: UInt8 = 1
        // A full pipe wakes as well as one more byte.
        _ = write(wakeWriting, &byte, 1)
    }

    /// Waits for bytes and takes at most `count` of them; empty at the end, `nil` when reading failed.
    ///
    /// - Throws: `CancellationError` once ``interrupt()`` has been called.
    func read(upTo count: Int) throws -> Data? {
        while true {
            try waitForBytes()
            if let data = data(upTo: count, reading: { Foundation.read(descriptor, $0, $1) }) { return data }
            guard errno == EINTR || errno == EAGAIN else { return nil }
        }
    }

    /// At most `count` bytes from `position` on, without moving the place that is read from; `nil` when that fails.
    func block(at position: Int, upTo count: Int) -> Data? {
        data(upTo: count) { pread(descriptor, $0, $1, off_t(position)) }
    }

    /// In bytes; `nil` for what is no regular file, or has been opened by another, who may have read some of it.
    var size: Int? {
        var status = stat()
        guard isOwned, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private func waitForBytes() throws {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeReading, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, -1) < 0 {
            guard errno == EINTR else { return }  // reading will fail too, and say why
        }
        guard waiting[1].revents == 0 else { throw CancellationError() }
    }

    private func data(upTo count: Int, reading: (UnsafeMutableRawPointer, Int) -> Int) -> Data? {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        let taken = reading(buffer, count)
        return taken < 0 ? nil : Data(bytes: buffer, count: taken)
    }
}
