import Foundation

/// The free space of a disk.
package enum FreeSpace {
    /// The bytes that this user can still write on the disk of `path`; `nil` if unknown.
    package static func bytes(at path: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }
}
