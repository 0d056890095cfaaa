/// One message between the program and a worker, as encoded: a header of nine bytes and a payload.
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
        case heard = 32
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
    package static let toHearing: Set<Self> = [.ask, .clip]
    /// The kinds that a recognition worker sends.
    package static let ofHearing: Set<Self> = [.opened, .heard, .activity, .taken, .reached, .turns, .failed]

    /// The limit on the bytes of a payload of this kind; a longer payload is a violation.
    package var longestPayload: Int {
        switch self {
        case .audio, .clip: 4 << 20
        case .piece, .text, .structure, .picture, .content, .introduced, .pronounced, .said, .heard, .turns: 1 << 20
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
