internal import CProcess
internal import Foundation

/// A worker's pipe to the program; frames are written one after another by a queue that may block.
final class FrameOutput: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "echotext.answers")

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        send(FrameFormat.preamble)
    }

    /// Moves a descriptor out of reach of libraries, and puts another in its place.
    static func takeOver(_ descriptor: Int32, leaving other: Int32) -> Int32? {
        defer { if other >= 0 { close(other) } }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard moved >= 0, other >= 0, dup2(other, descriptor) >= 0 else { return nil }
        return moved
    }

    /// Sends an encoded frame after all that were sent before.
    func send(_ bytes: [UInt8]) {
        queue.async { [self] in write(bytes) }
    }

    /// Sends an encoded frame and returns when the program can read it, whatever becomes of this process.
    func sendNow(_ bytes: [UInt8]) {
        queue.sync { write(bytes) }
    }

    /// Writes what is left and closes the pipe.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                close(descriptor)
                continuation.resume()
            }
        }
    }

    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = child_write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard written > 0 else { return }  // The program has gone; the reading side ends this process.
                rest = rest.dropFirst(written)
            }
        }
    }
}
