package import EchoText
import Foundation

/// An open file or pipe whose reader can be woken by another thread while it waits for bytes.
final class ReadableDescriptor: Sendable {
    private let descriptor: Int32
    private let isOwned: Bool
    private let wakeUp: WakeUpPipe

    /// Opens `path`; a FIFO also without a writer.
    ///
    /// Returns `nil` when the system refuses; `errno` gives the reason.
    convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor, isOwned: true)
    }

    /// Reads from an open descriptor, and does not close it.
    ///
    /// Returns `nil` when it is not open.
    convenience init?(sharing descriptor: Int32) {
        guard fcntl(descriptor, F_GETFD) >= 0 else { return nil }
        self.init(descriptor, isOwned: false)
    }

    private init?(_ descriptor: Int32, isOwned: Bool) {
        guard let wakeUp = try? WakeUpPipe() else {
            if isOwned { close(descriptor) }
            return nil
        }
        self.descriptor = descriptor
        self.isOwned = isOwned
        self.wakeUp = wakeUp
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Ends the current wait and every later one.
    func interrupt() { wakeUp.call() }

    /// Whether a read would answer at once, with bytes, the end or a failure, within `milliseconds` from now.
    ///
    /// - Throws: `CancellationError` once ``interrupt()`` has been called.
    func isReady(within milliseconds: Int32) throws -> Bool {
        do {
            return try wakeUp.wait(for: descriptor, events: POLLIN, milliseconds: milliseconds) != 0
        } catch is SystemError {
            return true
        }
    }

    /// Waits for bytes and reads at most `count` of them; empty at the end, `nil` when reading fails.
    ///
    /// - Throws: `CancellationError` once ``interrupt()`` has been called.
    func read(upTo count: Int) throws -> Data? {
        while true {
            do {
                _ = try wakeUp.wait(for: descriptor, events: POLLIN)
            } catch is SystemError {
                // The following read fails too, with the reason.
            }
            if let data = data(upTo: count, reading: { Foundation.read(descriptor, $0, $1) }) { return data }
            guard errno == EINTR || errno == EAGAIN else { return nil }
        }
    }

    /// At most `count` bytes from `position` on, without moving the read position; `nil` when reading fails.
    func block(at position: Int, upTo count: Int) -> Data? {
        data(upTo: count) { pread(descriptor, $0, $1, off_t(position)) }
    }

    /// The size of a file in bytes, and the time at which its content was last changed.
    struct Version: Equatable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        /// Whether a file of an earlier version was written over since, and not only continued at its end.
        func overwrites(_ earlier: Version) -> Bool { self != earlier && size <= earlier.size }
    }

    /// The size in bytes; `nil` if it is not a regular file, or was opened elsewhere and may have been read in part.
    var size: Int? { version?.size }

    /// `nil` as ``size`` is.
    var version: Version? {
        var status = stat()
        guard isOwned, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Version(
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    private func data(upTo count: Int, reading: (UnsafeMutableRawPointer, Int) -> Int) -> Data? {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        let taken = reading(buffer, count)
        return taken < 0 ? nil : Data(bytes: buffer, count: taken)
    }
}

extension DocumentFile {
    /// Reads a whole file into memory; only a regular file, so that reading never blocks.
    ///
    /// - Throws: ``TextSourceError/notFound(file:)``, ``TextSourceError/isFolder(file:)``,
    ///   ``TextSourceError/unreadable(file:)``, ``TextSourceError/noFile(name:)``, ``TextSourceError/changed(file:)``,
    ///   ``DocumentError/tooLarge(limit:)``.
    package init(at path: String, password: String? = nil) throws {
        let name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw TextSourceError.notFound(file: name)
        }
        guard !isFolder.boolValue else { throw TextSourceError.isFolder(file: name) }
        guard let descriptor = ReadableDescriptor(path: path) else { throw TextSourceError.unreadable(file: name) }
        guard let opened = descriptor.version else { throw TextSourceError.noFile(name: name) }
        let size = opened.size
        let largest = DocumentKind.allCases.map(\.largestFile).max() ?? 0
        guard size <= largest else { throw DocumentError.tooLarge(limit: largest) }
        var bytes = Data(capacity: size)
        while bytes.count < size {
            let piece = min(size - bytes.count, 1 << 20)
            guard let block = descriptor.block(at: bytes.count, upTo: piece) else {
                throw TextSourceError.unreadable(file: name)
            }
            if block.isEmpty { break }  // the file was truncated meanwhile
            bytes.append(block)
        }
        guard bytes.count == size, descriptor.version?.overwrites(opened) == false else {
            throw TextSourceError.changed(file: name)
        }
        self.init(name: name, bytes: bytes, password: password)
    }
}
