import CProcess
import Foundation

extension UnsafeRawBufferPointer {
    /// Writes all bytes at the current position of `descriptor`.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to.
    ///   - failure: Makes the error from an `errno`.
    /// - Throws: The error of `failure`, when a write fails; some bytes may have been written.
    package func writeAll(to descriptor: Int32, orThrow failure: (_ number: Int32) -> any Error) throws {
        try writeAll(by: { write(descriptor, $0.baseAddress, $0.count) }, orThrow: failure)
    }

    /// Writes all bytes to a pipe.
    ///
    /// - Returns: Whether all bytes were written; `false` without a signal if the pipe has no reader.
    package func writeAll(toPipe descriptor: Int32) -> Bool {
        (try? writeAll(by: { child_write(descriptor, $0.baseAddress, $0.count) }, orThrow: SystemError.init(errno:)))
            != nil
    }

    /// Writes all bytes with as many calls of `write` as needed.
    ///
    /// - Parameters:
    ///   - write: Writes the first of the remaining bytes and returns how many, 0 to be called again, or −1 with the
    ///     reason in `errno`, like write(2).
    ///   - failure: Makes the error from an `errno`; after an interruption by a signal, `write` is called again
    ///     instead.
    /// - Throws: The error of `failure`, or the one that `write` throws.
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
