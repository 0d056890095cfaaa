internal import Foundation

/// A descriptor of a worker's that its libraries are kept from.
enum TakenDescriptor {
    /// Moves a descriptor out of reach of libraries, and puts another in its place.
    ///
    /// - Parameters:
    ///   - descriptor: Where the library will find the other.
    ///   - other: Closed here, or -1 where it could not be opened.
    /// - Returns: Where it is now; `nil` when that is not possible.
    static func move(_ descriptor: Int32, leaving other: Int32) -> Int32? {
        defer { if other >= 0 { close(other) } }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard moved >= 0, other >= 0, dup2(other, descriptor) >= 0 else { return nil }
        return moved
    }
}
