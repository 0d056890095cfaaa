import Foundation

/// A failed call of the system.
package struct SystemError: Error, Equatable {
    /// The reason.
    ///
    /// - SeeAlso: errno(3).
    package let errno: Int32

    package init(errno: Int32) {
        self.errno = errno
    }

    /// The reason of the call that has just failed.
    static var last: SystemError { SystemError(errno: Foundation.errno) }
}
