import CProcess
import Foundation
import Synchronization

/// This side's end of a pipe.
final class PipeEnd: Sendable {
    private struct State {
        /// −1 once closed.
        var descriptor: Int32
        /// The time at which waiting ends.
        var deadline: ContinuousClock.Instant?
        var isLate = false
    }

    /// The bytes that a pipe with any room accepts at once.
    static let atOnce = 4_096

    private let state: Mutex<State>

    init(_ descriptor: Int32, until deadline: ContinuousClock.Instant? = nil) {
        state = Mutex(State(descriptor: descriptor, deadline: deadline))
    }

    deinit { close() }

    /// Whether something was waited for that had not come at the deadline.
    var isLate: Bool { state.withLock(\.isLate) }

    /// Makes reads end after `delay`, even if others have the other end open; data received by then can still be read.
    func end(after delay: Duration) {
        state.withLock { $0.deadline = ContinuousClock.now + delay }
    }

    /// Everything up to the end.
    func rest() async -> Data { await read { _ in false } }

    /// The next bytes, until there are `count`, or the end.
    func first(_ count: Int) async -> Data { await read { $0.count >= count } }

    /// Reads until `text` was received, or to the end.
    func until(_ text: String) async -> Data { await read { $0.range(of: Data(text.utf8)) != nil } }

    func close() {
        let open = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if open >= 0 { Glibc.close(open) }
    }

    /// Writes as much of `data` as is read.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - size: The bytes written in one piece; a piece for which the pipe has room arrives as a whole.
    func write(_ data: Data, inPiecesOf size: Int = atOnce) async {
        let descriptor = state.withLock(\.descriptor)
        await onThread { [self] in
            var rest = data[...]
            while !rest.isEmpty, isReady(descriptor, for: POLLOUT) {
                let count = rest.prefix(size).withUnsafeBytes {
                    child_write(descriptor, $0.baseAddress, $0.count)
                }
                guard count > 0 else { return }  // a program that reads no further may do so
                rest = rest.dropFirst(count)
            }
        }
    }

    func read(until isEnough: @escaping @Sendable (Data) -> Bool) async -> Data {
        let descriptor = state.withLock(\.descriptor)
        return await onThread { [self] in
            var data = Data()
            var block = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(data), isReady(descriptor, for: POLLIN) {
                let count = Glibc.read(descriptor, &block, block.count)
                guard count > 0 else { break }  // The end, also of a terminal whose program has exited.
                data.append(contentsOf: block[..<count])
            }
            return data
        }
    }

    /// Waits until `descriptor` can be read from or written to without waiting, or has ended.
    ///
    /// - Returns: Whether it has come to that before the deadline.
    private func isReady(_ descriptor: Int32, for event: Int32) -> Bool {
        while descriptor >= 0 {
            // The deadline may be set while this waits.
            let deadline = state.withLock(\.deadline)
            let left: Double = deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) } ?? .infinity
            var end = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let found = poll(&end, 1, Int32(max(0, min(left, 100)).rounded(.up)))
            if found > 0 { return true }
            if left <= 0 {
                state.withLock { $0.isLate = true }
                return false
            }
        }
        return false
    }
}

/// Runs blocking work on its own thread.
func onThread<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
