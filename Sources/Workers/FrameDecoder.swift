package import EchoText

/// Splits a stream of bytes, which may arrive in pieces of any size, into frames.
///
/// The decoder holds at most one incomplete frame and the piece appended last: a frame that declares more than its kind
/// allows is rejected before memory is allocated for it. After the first error every call throws that error.
package struct FrameDecoder: Sendable {
    /// Whether a valid preamble of the other side has arrived.
    package private(set) var hasGreeted = false

    private let accepted: Set<Frame.Kind>
    private var bytes: [UInt8] = []
    /// The offset in ``bytes`` of the first byte that has not been decoded yet.
    private var head = 0
    private var failure: WorkerError?

    /// - Parameter accepted: The kinds the other side may send.
    package init(accepting accepted: Set<Frame.Kind>) {
        self.accepted = accepted
    }

    /// Appends the next bytes of the stream; call ``next()`` until it returns `nil`.
    package mutating func append(_ piece: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            head = 0
        } else if head > bytes.count / 2 {
            bytes.removeSubrange(..<head)
            head = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// Returns the next complete frame, or `nil` until more bytes arrive.
    ///
    /// - Throws: ``WorkerError/incompatibleVersion(found:wanted:)`` or ``WorkerError/protocolViolation``.
    package mutating func next() throws(WorkerError) -> Frame? {
        if let failure { throw failure }
        do {
            guard try readPreamble() else { return nil }
            return try readFrame()
        } catch {
            failure = error
            bytes = []
            head = 0
            throw error
        }
    }

    /// The memory held for bytes that have not been decoded yet.
    var heldBytes: Int { bytes.capacity }

    private var available: Int { bytes.count - head }

    /// - Returns: Whether the preamble has been read.
    private mutating func readPreamble() throws(WorkerError) -> Bool {
        guard !hasGreeted else { return true }
        let magic = FrameFormat.magic
        let seen = bytes[head...].prefix(magic.count)
        guard seen.elementsEqual(magic.prefix(seen.count)) else { throw .protocolViolation }
        guard available >= magic.count + 4 else { return false }
        let version = number(at: head + magic.count)
        guard version == FrameFormat.version else {
            throw .incompatibleVersion(found: Int(version), wanted: Int(FrameFormat.version))
        }
        head += magic.count + 4
        hasGreeted = true
        return true
    }

    private mutating func readFrame() throws(WorkerError) -> Frame? {
        guard available >= FrameFormat.headerLength else { return nil }
        let length = Int(number(at: head))
        guard let kind = Frame.Kind(rawValue: bytes[head + 4]), accepted.contains(kind), length <= kind.longestPayload
        else { throw .protocolViolation }
        guard available - FrameFormat.headerLength >= length else { return nil }
        let request = number(at: head + 5)
        let start = head + FrameFormat.headerLength
        head = start + length
        return Frame(kind, request: request, payload: Array(bytes[start..<head]))
    }

    private func number(at offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }
}
