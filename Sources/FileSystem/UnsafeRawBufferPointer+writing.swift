import CProcess
import Foundation

extension UnsafeRawBufferPointer {
    /// Writes all of it where the last write to `descriptor` ended.
    ///
    /// - Parameters:
    ///   - descriptor: What is written to.
    ///   - failure: Makes the error of a number of `errno`.
    /// - Throws: What `failure` makes, when the system takes no more; it may have taken some.
    package func writeAll(to descriptor: Int32, orThrow failure: (_ number: Int32) -> any Error) throws {
        try writeAll(by: { write(descriptor, $0.baseAddress, $0.count) }, orThrow: failure)
    }

    /// Writes all of it to a pipe.
    ///
    /// - Returns: Whether the pipe's reader was there to take it; no signal comes when not.
    package func writeAll(toPipe descriptor: Int32) -> Bool {
        (try? writeAll(by: { child_write(descriptor, $0.baseAddress, $0.count) }, orThrow: SystemError.init(errno:)))
            != nil
    }

    /// Has all of it written by as many calls as that takes.
    ///
    /// - Parameters:
    ///   - write: Takes the first bytes of what is left; returns how many, 0 to be called again, or −1 with the reason in
    ///     `errno`, as write(2) does.
    ///   - failure: Makes the error of a number of `errno`; after an interruption by a signal, `write` is called again instead.
    /// - Throws: What `failure` makes, or `write` throws.
    package func writeAll(
        by write: (_ rest: UnsafeRawBufferPointer) throws -> Int,
        orThrow failure: (_ number: Int32) -> any Error
    ) throws {
        var rest = self
        while !rest.isEmpty {
            let count = try write(rest)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw failure(errno)
            }
        }
    }
}
