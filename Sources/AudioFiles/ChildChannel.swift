import Dispatch
import EchoText
import FileSystem
import Glibc
import Synchronization

/// A stream between this program and a child: a pair of sockets, which, unlike a pipe, can be written to without a signal
/// when the child has gone.
final class ChildChannel: Sendable {
    /// The child's end; closed by ``handOver()``.
    let childEnd: Int32
    private let ownEnd: Int32
    private let isOpen = Mutex((own: true, child: true))

    /// - Throws: ``AudioFileError/system(errno:)``.
    init() throws(AudioFileError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(errno: errno) }
        (ownEnd, childEnd) = (ends[0], ends[1])
    }

    deinit {
        handOver()
        end()
    }

    /// The child has its end; closes the copy here, so that the child's death is noticed.
    func handOver() {
        isOpen.withLock { isOpen in
            if isOpen.child { close(childEnd) }
            isOpen.child = false
        }
    }

    /// Nothing more comes.
    func end() {
        isOpen.withLock { isOpen in
            if isOpen.own { close(ownEnd) }
            isOpen.own = false
        }
    }

    /// Writes all of `bytes` as fast as the child takes them.
    ///
    /// - Throws: `CancellationError` when interrupted; ``AudioFileError/brokenPipe`` when the child takes no more.
    func write(_ bytes: UnsafeRawBufferPointer, _ interruption: WaitInterruption) throws {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        try bytes.writeAll {
            try interruption.waitUntilWritable(ownEnd)
            let count = send(ownEnd, $0.baseAddress, $0.count, flags)
            return count < 0 && errno == EAGAIN ? 0 : count
        } orThrow: {
            AudioFileError(errno: $0, file: "")
        }
    }

    /// Writes all of `bytes`, and blocks the thread while the child takes none.
    ///
    /// - Throws: ``AudioFileError/brokenPipe`` when the child has gone.
    func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
        try bytes.writeAll {
            send(ownEnd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        } orThrow: {
            AudioFileError(errno: $0, file: "")
        }
    }

    /// The next bytes that the child writes, at most `limit`; none when it has closed its end.
    ///
    /// Blocks the thread until there are some.
    func read(upTo limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var received = -1
            repeat { received = recv(ownEnd, buffer.baseAddress, limit, 0) } while received < 0 && errno == EINTR
            count = max(0, received)
        }
    }

    /// The last `limit` bytes of all that the child writes until it closes its end.
    func tail(limit: Int) -> [UInt8] {
        var kept: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(ownEnd, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return kept }
            kept = (kept + buffer[..<count]).suffix(limit)
        }
    }
}
