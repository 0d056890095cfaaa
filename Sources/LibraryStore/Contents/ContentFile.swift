import EchoText
import FileSystem
import Glibc

/// An open file of the library, closed with its last owner.
final class ContentFile: Sendable {
    private let file: LockableFile
    private let faults: FileFaults

    var descriptor: Int32 { file.descriptor }

    /// Takes over `descriptor`.
    init(_ descriptor: Int32, faults: FileFaults) {
        (file, self.faults) = (LockableFile(descriptor), faults)
    }

    func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw VaultError.system(errno: errno) }
        return status
    }

    /// Writes all of `bytes` where the last call ended.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try bytes.writeAll { rest in
            try faults.perform(.write) { Glibc.write(descriptor, rest.baseAddress, rest.count) }
        } orThrow: {
            VaultError(writing: $0)
        }
    }

    /// Fills `buffer` from a position in the file.
    ///
    /// - Throws: ``VaultError/contentDamaged`` when the file ends before.
    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done,
                off_t(place + done)
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw VaultError.system(errno: errno) }
            guard count > 0 else { throw VaultError.contentDamaged }
            done += count
        }
    }

    /// Has everything reach the disk; after a failure its state is unknown, and a second try would not reveal it.
    func sync() throws {
        try faults.perform(.sync) { fsync(descriptor) }
    }

    /// Sets the times of the last change and use to 1970.
    func forgetTimes() throws {
        let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
        try faults.perform(.setTimes) { futimens(descriptor, times) }
    }

    /// Locks the file unless another process has; the lock ends when the file is closed or the process ends.
    func lock() -> Bool { (try? file.lock()) ?? false }
}
