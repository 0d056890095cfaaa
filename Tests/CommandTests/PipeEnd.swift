import CProcess
import Foundation
import Synchronization

/// This side's end of a pipe.
final class PipeEnd: Sendable {
    /// −1 once closed.
    private let descriptor: Mutex<Int32>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    /// Everything up to the end.
    func rest() async -> Data { await read { _ in false } }

    /// The next bytes, until there are `count`, or the end.
    func first(_ count: Int) async -> Data { await read { $0.count >= count } }

    /// What comes until `text` has been read, or the end.
    func until(_ text: String) async -> Data { await read { $0.range(of: Data(text.utf8)) != nil } }

    func close() {
        let open = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if open >= 0 { Glibc.close(open) }
    }

    func write(_ data: Data) async {
        let descriptor = descriptor.withLock(\.self)
        await onThread {
            var rest = data[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { child_write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { return }  // a program that reads no further may do so
                rest = rest.dropFirst(count)
            }
        }
    }

    func read(until isEnough: @escaping @Sendable (Data) -> Bool) async -> Data {
        let descriptor = descriptor.withLock(\.self)
        return await onThread {
            var data = Data()
            var block = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(data) {
                let count = Glibc.read(descriptor, &block, block.count)
                guard count > 0 else { break }  // the end, also of a terminal whose program has gone
                data.append(contentsOf: block[..<count])
            }
            return data
        }
    }
}

/// Runs what blocks on a thread of its own.
func onThread<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
