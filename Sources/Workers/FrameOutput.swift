internal import FileSystem
internal import Foundation

/// A worker's pipe to the program; frames are written one after another by a queue that may block.
final class FrameOutput: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "echotext.answers")

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // A file that ends this process at once must not make it look like one that could not start.
        sendNow(FrameFormat.preamble)
    }

    /// Takes a descriptor over: what a library prints to it goes to standard error from here on.
    ///
    /// - Returns: `nil` when descriptors cannot be moved; the process is of no use then.
    static func takeOver(_ descriptor: Int32) -> FrameOutput? {
        TakenDescriptor.move(descriptor, leaving: dup(STDERR_FILENO)).map(FrameOutput.init)
    }

    /// Sends an encoded frame after all that were sent before.
    func send(_ bytes: [UInt8]) {
        queue.async { [self] in write(bytes) }
    }

    /// Sends an encoded frame and returns when the program can read it, whatever becomes of this process.
    func sendNow(_ bytes: [UInt8]) {
        queue.sync { write(bytes) }
    }

    /// Says of the one request why it is not answered.
    func send(failure: some Encodable) {
        // An error that cannot be written down leaves the program to see this process end.
        guard let payload = try? JSONEncoder().encode(failure) else { return }
        send(Frame(.failed, request: 1, payload: Array(payload)).encoded)
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
        bytes.withUnsafeBytes {
            // Bytes that are not taken mean that the program has gone; the reading side ends this process.
            _ = $0.writeAll(toPipe: descriptor)
        }
    }
}
