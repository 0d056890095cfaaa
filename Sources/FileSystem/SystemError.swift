import Foundation

/// A failed system call.
package struct SystemError: Error, Equatable {
    /// The reason.
    ///
    /// - SeeAlso: errno(3).
    package let errno: Int32

    package init(errno: Int32) {
        self.errno = errno
    }

    /// The error of the system call that has just failed.
    static var last: SystemError { SystemError(errno: Foundation.errno) }
}
