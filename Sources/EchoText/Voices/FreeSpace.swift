import Foundation

/// What a disk has left.
package enum FreeSpace {
    /// Bytes that this person may still write where `path` is; `nil` when that cannot be told.
    package static func bytes(at path: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }
}
