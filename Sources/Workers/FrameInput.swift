internal import EchoText
internal import Foundation

/// A worker's pipe from the program; reading from it blocks the thread until a complete frame has arrived.
struct FrameInput: ~Copyable {
    private let descriptor: Int32
    private let piece: UnsafeMutableRawBufferPointer
    private var decoder: FrameDecoder

    /// - Parameters:
    ///   - descriptor: Closed when this ends.
    ///   - accepted: The kinds the program may send.
    init(_ descriptor: Int32, accepting accepted: Set<Frame.Kind>) {
        self.descriptor = descriptor
        piece = .allocate(byteCount: 256 << 10, alignment: 16)
        decoder = FrameDecoder(accepting: accepted)
    }

    /// Takes a descriptor over: for libraries it is empty from here on.
    ///
    /// - Returns: `nil` when descriptors cannot be moved; the process is of no use then.
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

    /// - Returns: `nil` when the program has gone.
    /// - Throws: ``WorkerError`` when it says what makes no sense.
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

/// A descriptor of a worker's that its libraries are kept from.
enum TakenDescriptor {
    /// Moves a descriptor out of reach of libraries, and puts another in its place.
    ///
    /// - Parameters:
    ///   - descriptor: Where the library will find the other.
    ///   - other: Closed here, or -1 where it could not be opened.
    /// - Returns: Where it is now; `nil` when that is not possible.
    static func move(_ descriptor: Int32, leaving other: Int32) -> Int32? {
        defer { if other >= 0 { close(other) } }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        guard moved >= 0, other >= 0, dup2(other, descriptor) >= 0 else { return nil }
        return moved
    }
}
