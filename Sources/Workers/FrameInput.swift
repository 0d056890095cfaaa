internal import EchoText
internal import Foundation

/// A worker's pipe from the program; reading from it blocks the thread until a complete frame has arrived.
struct FrameInput: ~Copyable {
    private let descriptor: Int32
    private let piece: UnsafeMutableRawBufferPointer
    private var decoder: FrameDecoder

    /// - Parameters:
    ///   - descriptor: Closed in `deinit`.
    ///   - accepted: The kinds the program may send.
    init(_ descriptor: Int32, accepting accepted: Set<Frame.Kind>) {
        self.descriptor = descriptor
        piece = .allocate(byteCount: 256 << 10, alignment: 16)
        decoder = FrameDecoder(accepting: accepted)
    }

    /// Takes over a descriptor: from then on, libraries read an empty file from it.
    ///
    /// - Returns: `nil` when descriptors cannot be moved; the process cannot work then.
    static func takeOver(_ descriptor: Int32, accepting accepted: Set<Frame.Kind>) -> FrameInput? {
        guard let moved = TakenDescriptor.move(descriptor, leaving: open("/dev/null", O_RDONLY | O_CLOEXEC)) else {
            return nil
        }
        return FrameInput(moved, accepting: accepted)
    }

    deinit {
        piece.deallocate()
        close(descriptor)
    }

    /// - Returns: `nil` when the program has closed the pipe.
    /// - Throws: ``WorkerError`` when the program violates the protocol.
    mutating func next() throws(WorkerError) -> Frame? {
        while true {
            if let frame = try decoder.next() { return frame }
            let count = read(descriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
    }
}

/// Moves a worker's descriptors out of the reach of libraries.
enum TakenDescriptor {
    /// Moves a descriptor to another number, and puts another file in its place.
    ///
    /// - Parameters:
    ///   - descriptor: The number under which libraries find the other file.
    ///   - other: The other file, closed here; -1 if it could not be opened.
    /// - Returns: The new number; `nil` when the descriptor cannot be moved.
    static func move(_ descriptor: Int32, leaving other: Int32) -> Int32? {
        defer { if other >= 0 { close(other) } }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard moved >= 0, other >= 0, dup2(other, descriptor) >= 0 else { return nil }
        return moved
    }
}
