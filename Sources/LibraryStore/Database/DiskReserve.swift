import FileSystem
import Foundation

/// Room that the library holds on its disk, so that something can be deleted when the disk is full: deleting writes first.
struct DiskReserve: Sendable {
    /// In bytes: enough for the WAL of a deleted recording, or a document of some megabytes.
    static let size: off_t = 16 << 20
    /// The free space that is needed to take it, in bytes.
    private static let plenty = Int64(size) * 8

    private let path: String

    init(in folder: LibraryFolder) {
        self.init(inLibrary: folder.path)
    }

    /// - Parameter path: The library's folder.
    init(inLibrary path: String) {
        self.path = "\(path)/locks/reserve"
    }

    /// Reserves the space, unless that was done or the disk is nearly full; failures are ignored.
    func keep() {
        var found = stat()
        if lstat(path, &found) == 0 {
            // A process that ended while it reserved the space has left less.
            guard off_t(found.st_blocks) * 512 < Self.size, release() else { return }
        }
        guard let free = FreeSpace.bytes(at: path.deletingLastName), free >= Self.plenty else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        if posix_fallocate(file, 0, Self.size) != 0 { unlink(path) }
        close(file)
    }

    /// Releases the space.
    ///
    /// - Returns: Whether there was a reserve.
    func release() -> Bool { unlink(path) == 0 }
}

extension String {
    fileprivate var deletingLastName: String { (self as NSString).deletingLastPathComponent }
}
