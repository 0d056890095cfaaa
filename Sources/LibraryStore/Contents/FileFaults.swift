import EchoText
import Glibc

/// The kinds of calls with which contents touch the disk.
package enum FileCall: String, Sendable, CaseIterable, Codable {
    case makeFolder, open, write, sync, rename, unlink, setTimes
}

/// Injects faults into those calls in tests; none in the program.
package struct FileFaults: Sendable {
    package static let none = FileFaults { _ in nil }

    /// Asked before each call; a number of `errno` makes it fail with that, and it is not made.
    let failure: @Sendable (FileCall) -> Int32?

    package init(failure: @escaping @Sendable (FileCall) -> Int32?) {
        self.failure = failure
    }

    /// Makes a system call, and repeats it if a signal interrupts it.
    ///
    /// - Returns: What the call returned, 0 or more.
    /// - Throws: ``VaultError``.
    func perform(_ call: FileCall, _ body: () -> Int) throws -> Int {
        while true {
            if let failure = failure(call) { throw VaultError(writing: failure) }
            let result = body()
            if result >= 0 { return result }
            guard errno == EINTR else { throw VaultError(writing: errno) }
        }
    }

    @discardableResult
    func perform(_ call: FileCall, _ body: () -> Int32) throws -> Int32 {
        Int32(truncatingIfNeeded: try perform(call) { Int(body()) })
    }
}

extension VaultError {
    /// The case for a call that failed.
    init(writing errno: Int32) {
        self =
            switch errno {
            case ENOSPC, EDQUOT, EFBIG: .readOnly(.diskFull)
            case EIO: .readOnly(.deviceFailed)
            case EACCES, EPERM, EROFS: .readOnly(.noPermission)
            case ELOOP, ENOTDIR, EISDIR: .unsafeFolder
            case ENOENT: .contentMissing
            default: .system(errno: errno)
            }
    }
}
