internal import FileSystem
internal import Foundation

/// A worker's pipe to the program; frames are written in sequence by a queue that may block.
final class FrameOutput: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "echotext.answers")

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // If a file ends this process at once, the program must still see that the process had started.
        sendNow(FrameFormat.preamble)
    }

    /// Takes over a descriptor: from then on, libraries that print to it write to standard error.
    ///
    /// - Returns: `nil` when descriptors cannot be moved; the process cannot work then.
    static func takeOver(_ descriptor: Int32) -> FrameOutput? {
        TakenDescriptor.move(descriptor, leaving: dup(STDERR_FILENO)).map(FrameOutput.init)
    }

    /// Sends an encoded frame after all that were sent before.
    func send(_ bytes: [UInt8]) {
        queue.async { [self] in write(bytes) }
    }

    /// Sends an encoded frame and returns when the program can read it, even if this process ends then.
    func sendNow(_ bytes: [UInt8]) {
        queue.sync { write(bytes) }
    }

    /// Sends the reason why the request failed.
    func send(failure: some Encodable) {
        // If the error cannot be encoded, the program sees only that this process ends.
        guard let payload = try? JSONEncoder().encode(failure) else { return }
        send(Frame(.failed, request: 1, payload: Array(payload)).encoded)
    }

    /// Writes what is queued and closes the pipe.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                close(descriptor)
                continuation.resume()
            }
        }
    }

    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes {
            // If the write fails, the program has closed the pipe; the reading side ends this process.
            _ = $0.writeAll(toPipe: descriptor)
        }
    }
}
