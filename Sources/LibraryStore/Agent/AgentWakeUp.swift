import EchoText
import Foundation

/// A pipe to oneself: what ends a thread's waiting for descriptors.
final class AgentWakeUp: Sendable {
    /// Readable once it was called.
    let descriptor: Int32
    private let writing: Int32

    /// - Throws: ``VaultError/system(errno:)``.
    init() throws(VaultError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    func call() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)  // a full pipe wakes as well as one more byte
    }

    /// Forgets the calls up to now.
    func reset() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
