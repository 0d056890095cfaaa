package import EchoText
internal import FileSystem
internal import Foundation

/// A message between the program and a worker, as encoded: a header of nine bytes and a payload.
///
/// The header is the payload's length (u32), the kind (u8) and the request (u32), little-endian. Each side begins with
/// ``FrameFormat/preamble``.
package struct Frame: Sendable, Hashable {
    /// The kind of message.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case open = 1
        case speak = 2
        case cancel = 3
        case shutdown = 4
        case ask = 5
        case piece = 6
        case introduce = 7
        case pronounce = 8
        case say = 9
        case clip = 10
        case more = 14
        case opened = 16
        case audio = 17
        case done = 18
        case failed = 19
        case alive = 20
        case page = 21
        case text = 22
        case structure = 23
        case picture = 24
        case entry = 25
        case content = 26
        case times = 27
        case introduced = 28
        case pronounced = 29
        case sound = 30
        case said = 31
        case recognized = 32
        case activity = 33
        case taken = 34
        case reached = 35
        case turns = 36
        case facts = 44
        case samples = 45
        case want = 46
        case notice = 47
    }

    package var kind: Kind
    /// The number of the request that it belongs to; 0 for none.
    package var request: UInt32
    package var payload: [UInt8]

    package init(_ kind: Kind, request: UInt32, payload: [UInt8] = []) {
        self.kind = kind
        self.request = request
        self.payload = payload
    }

    /// The frame as bytes.
    ///
    /// - Precondition: The payload is no longer than its kind may be.
    package var encoded: [UInt8] {
        payload.withUnsafeBytes { Self.encoded(kind, request: request, payload: $0) }
    }

    /// Encodes a frame from a payload elsewhere in memory; this makes one copy less than ``encoded``.
    static func encoded(_ kind: Kind, request: UInt32, payload: UnsafeRawBufferPointer) -> [UInt8] {
        precondition(payload.count <= kind.longestPayload, "\(payload.count) bytes are too long for \(kind)")
        let length = FrameFormat.headerLength + payload.count
        return [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            raw.storeBytes(of: UInt32(payload.count).littleEndian, toByteOffset: 0, as: UInt32.self)
            raw[4] = kind.rawValue
            raw.storeBytes(of: request.littleEndian, toByteOffset: 5, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: raw[FrameFormat.headerLength...]).copyMemory(from: payload)
            count = length
        }
    }
}

extension Frame.Kind {
    /// The kinds that the program sends to an engine's worker.
    package static let ofProgram: Set<Self> = [.open, .speak, .introduce, .pronounce, .say, .cancel, .shutdown]
    /// The kinds that an engine's worker sends.
    package static let ofWorker: Set<Self> = [
        .opened, .times, .audio, .introduced, .pronounced, .sound, .said, .done, .failed, .alive,
    ]
    /// The kinds that the program sends to a reader's worker.
    package static let toReader: Set<Self> = [.ask, .piece]
    /// The kinds that a reader's worker sends.
    package static let ofReader: Set<Self> = [.page, .text, .structure, .picture, .done, .failed]
    /// The kinds that the program sends to an unpacker's worker.
    package static let toUnpacker: Set<Self> = [.ask]
    /// The kinds that an unpacker's worker sends.
    package static let ofUnpacker: Set<Self> = [.entry, .content, .done, .failed]
    /// The kinds that the program sends to a decoder's worker.
    package static let toDecoder: Set<Self> = [.ask, .piece, .more]
    /// The kinds that a decoder's worker sends.
    package static let ofDecoder: Set<Self> = [.facts, .samples, .notice, .want, .done, .failed]

    /// The kinds that the program sends to a recognition worker.
    package static let toRecognition: Set<Self> = [.ask, .clip]
    /// The kinds that a recognition worker sends.
    package static let ofRecognition: Set<Self> = [.opened, .recognized, .activity, .taken, .reached, .turns, .failed]

    /// The limit on the bytes of a payload of this kind; a longer payload is a violation.
    package var longestPayload: Int {
        switch self {
        case .audio, .clip: 4 << 20
        case .piece, .text, .structure, .picture, .content, .introduced, .pronounced, .said, .recognized, .turns:
            1 << 20
        case .sound, .activity, .samples: 128 << 10
        case .open, .speak, .pronounce, .say, .failed, .ask: 64 << 10
        case .facts: 8_192
        case .entry, .times: 4_096
        case .opened: 64
        case .notice: 20
        case .want: 12
        case .page, .reached: 4
        case .introduce, .more, .cancel, .shutdown, .done, .alive, .taken: 0
        }
    }
}

/// The constants of the format.
package enum FrameFormat {
    /// Increased with every change that an older program or worker would misread.
    package static let version: UInt32 = 3
    static let headerLength = 9
    static let magic: [UInt8] = Array("EchW".utf8)

    /// The first bytes that each side sends: four bytes that name the format, and its version (u32, little-endian).
    package static var preamble: [UInt8] { preamble(version: version) }

    static func preamble(version: UInt32) -> [UInt8] {
        magic + withUnsafeBytes(of: version.littleEndian) { Array($0) }
    }
}

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
    /// Moves a descriptor to another number, and replaces it by another file.
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

/// Writes the values of a payload in sequence.
///
/// Numbers are little-endian; a string is its length in bytes (u32) and its UTF-8.
struct PayloadWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ string: String) {
        write(UInt32(string.utf8.count))
        bytes.append(contentsOf: string.utf8)
    }
}

/// Reads values that ``PayloadWriter`` wrote; anything else is a ``WorkerError/protocolViolation``.
struct PayloadReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func number() throws(WorkerError) -> UInt32 { UInt32(littleEndian: try load()) }

    mutating func signedNumber() throws(WorkerError) -> Int64 { Int64(littleEndian: try load()) }

    mutating func fraction() throws(WorkerError) -> Double {
        Double(bitPattern: UInt64(littleEndian: try load()))
    }

    mutating func string() throws(WorkerError) -> String {
        let length = Int(try number())
        guard length <= bytes.count - position else { throw .protocolViolation }
        defer { position += length }
        guard let string = String(validating: bytes[position..<position + length], as: UTF8.self) else {
            throw .protocolViolation
        }
        return string
    }

    /// - Throws: ``WorkerError/protocolViolation`` when bytes are left over.
    func finish() throws(WorkerError) {
        guard position == bytes.count else { throw .protocolViolation }
    }

    private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>() throws(WorkerError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { throw .protocolViolation }
        defer { position += size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) }
    }
}
