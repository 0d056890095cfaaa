/// One message between the program and a worker, as it travels: a header of nine bytes and a payload.
///
/// The header is the payload's length (u32), the kind (u8) and the request (u32), little-endian. Each side begins with
/// ``FrameFormat/preamble``.
package struct Frame: Sendable, Hashable {
    /// What a frame says.
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
    }

    package var kind: Kind
    /// Which request it belongs to; 0 where it belongs to none.
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

    /// A frame as bytes, made from a payload elsewhere in memory; the same as ``encoded``, with one copy less.
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
    /// What the program says to an engine's worker.
    package static let ofProgram: Set<Self> = [.open, .speak, .introduce, .pronounce, .say, .cancel, .shutdown]
    /// What an engine's worker says.
    package static let ofWorker: Set<Self> = [
        .opened, .times, .audio, .introduced, .pronounced, .sound, .said, .done, .failed, .alive,
    ]
    /// What the program says to a reader's worker.
    package static let toReader: Set<Self> = [.ask, .piece]
    /// What a reader's worker says.
    package static let ofReader: Set<Self> = [.page, .text, .structure, .picture, .done, .failed]
    /// What the program says to an unpacker's worker.
    package static let toUnpacker: Set<Self> = [.ask]
    /// What an unpacker's worker says.
    package static let ofUnpacker: Set<Self> = [.entry, .content, .done, .failed]

    /// Most bytes a payload of this kind may have; one byte more is a violation, whatever follows.
    package var longestPayload: Int {
        switch self {
        case .audio: 4 << 20
        case .piece, .text, .structure, .picture, .content, .introduced, .pronounced, .said: 1 << 20
        case .sound: 128 << 10
        case .open, .speak, .pronounce, .say, .failed, .ask: 64 << 10
        case .entry, .times: 4_096
        case .opened: 64
        case .page: 4
        case .introduce, .cancel, .shutdown, .done, .alive: 0
        }
    }
}

/// The numbers of the format.
package enum FrameFormat {
    /// Raised with every change that an older program or worker would misread.
    package static let version: UInt32 = 3
    static let headerLength = 9
    static let magic: [UInt8] = Array("EchW".utf8)

    /// What each side says first: four bytes that name the format, and its version (u32, little-endian).
    package static var preamble: [UInt8] { preamble(version: version) }

    static func preamble(version: UInt32) -> [UInt8] {
        magic + withUnsafeBytes(of: version.littleEndian) { Array($0) }
    }
}
