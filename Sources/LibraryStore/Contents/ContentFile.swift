import EchoText
import Foundation
import Glibc

/// A content that is being written: beside its place until it is whole and on the disk.
///
/// Nothing is left of one that was not ``commit()``ted, but for a file that begins with a dot after a crash, which the next
/// sweep takes.
final class ContentFile {
    /// What a file is called while it is written.
    static let unfinished = ".part-"

    let id: String
    private let folder: ContentFolder.Open
    private var descriptor: Int32
    private(set) var size = 0

    /// - Throws: ``VaultError``.
    init(in folder: ContentFolder) throws(VaultError) {
        let id = (0..<4).map { _ in String(format: "%08x", UInt32.random(in: .min ... .max)) }.joined()
        self.id = id
        self.folder = try folder.folder(of: id, isMade: true)
        descriptor = openat(
            self.folder.descriptor,
            Self.unfinished + id,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            0o600
        )
        guard descriptor >= 0 else { throw VaultError(opening: errno) }
        guard fchmod(descriptor, 0o600) == 0 else { throw VaultError(opening: errno) }
    }

    deinit { discard() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw VaultError(opening: errno) }
            done += count
        }
        size += bytes.count
    }

    /// Puts the file in its place, for good: its bytes first, then its name.
    ///
    /// - Throws: ``VaultError``; a failing `fsync` is a failure of the whole, and is not tried again.
    func commit() throws(VaultError) {
        let never = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
        guard futimens(descriptor, never) == 0, fsync(descriptor) == 0,
            renameat(folder.descriptor, Self.unfinished + id, folder.descriptor, id) == 0
        else { throw VaultError(opening: errno) }
        close(descriptor)
        descriptor = -1
        guard fsync(folder.descriptor) == 0 else {
            let problem = errno
            unlinkat(folder.descriptor, id, 0)
            throw VaultError(opening: problem)
        }
    }

    private func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlinkat(folder.descriptor, Self.unfinished + id, 0)
        descriptor = -1
    }
}
