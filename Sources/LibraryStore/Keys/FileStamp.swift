import Foundation

/// Distinguishes two states of a file without reading it.
struct FileStamp: Sendable, Hashable {
    private let inode: UInt64
    private let size: Int64
    /// Nanoseconds; it cannot be set, as the time of writing can.
    private let changed: Int64

    /// - Returns: `nil` when there is no such file.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }
}
