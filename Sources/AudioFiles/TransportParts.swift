import EchoText

/// Looks for packets that are missing in a broadcast, and for its end.
///
/// The packets of each stream are numbered, and those of sound say how long a piece is that they carry together. What a receiver
/// recorded begins and ends anywhere: sound that ends within a piece is cut only where the file begins with a table, and all of
/// its streams with a piece.
///
/// - SeeAlso: ISO/IEC 13818-1, sections 2.4.3.2 to 2.4.3.7.
enum TransportParts {
    /// The bytes from one packet to the next: discs have a time before each, and some receivers a check behind.
    private static let steps = [188, 192, 204]
    /// Packets whose first bytes are no accident.
    private static let sure = 10
    private static let packetsAtOnce = 320
    private static let mark: UInt8 = 0x47

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        let head = try await file.bytes(at: 0, count: (sure + 1) * 204)
        guard let (start, step) = beginning(of: head) else { return [part] }
        var packets = TransportPackets()
        var place = start
        while place + TransportPackets.length <= file.length {
            let bytes = try await file.bytes(at: place, count: step * packetsAtOnce)
            var next = 0
            while next + TransportPackets.length <= bytes.count, bytes[next] == mark {
                packets.add(bytes[next..<next + TransportPackets.length])
                next += step
            }
            if next == 0 {
                guard let found = try await nextPacket(behind: place, step: step, in: file) else { break }
                place = found
            } else {
                place += next
            }
        }
        part.isCut = packets.isCut
        part.hasMore = packets.isLossy
        return [part]
    }

    /// Where the first packet begins, and how far it is to the next.
    private static func beginning(of head: [UInt8]) -> (start: Int, step: Int)? {
        for step in steps {
            for start in 0..<step where start + step < head.count {
                let places = stride(from: start, to: min(head.count, start + sure * step), by: step)
                if places.allSatisfy({ head[$0] == mark }) { return (start, step) }
            }
        }
        return nil
    }

    private static func nextPacket(behind place: Int, step: Int, in file: FileWindow) async throws -> Int? {
        var next = place + 1
        while let found = try await file.place(of: [mark], from: next, before: file.length) {
            if try await file.has([mark], at: found + step) { return found }
            next = found + 1
        }
        return nil
    }
}

/// The packets of all streams as they are met.
private struct TransportPackets {
    /// In bytes.
    static let length = 188
    /// The tables that stand at the beginning of a file, and are repeated.
    private static let tables = [0, 17]
    /// The packets that fill a broadcast up.
    private static let filler = 0x1FFF

    private var streams: [Int: TransportStream] = [:]
    /// Whether the first packet is one of a table.
    private var beginsWithTable = false
    /// How many packets there were.
    private var count = 0
    /// How many there were when a table was met that does not follow the last one: another file begins there.
    private var joint = 0

    /// Whether a stream of sound ends within a piece.
    var isCut: Bool {
        beginsWithTable && streams.values.allSatisfy(\.isClean) && streams.values.contains { $0.isCut }
    }

    /// Whether packets of sound are missing.
    var isLossy: Bool { streams.values.contains { $0.isLossy } }

    mutating func add(_ packet: ArraySlice<UInt8>) {
        count += 1
        let start = packet.startIndex
        let id = Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2])
        let control = packet[start + 3]
        if count == 1 { beginsWithTable = Self.tables.contains(id) }
        // Nobody can read encrypted ones.
        guard id != Self.filler, control & 0xC0 == 0 else { return }
        var begin = start + 4
        var jumps = false
        if control & 0x20 != 0 {
            jumps = packet[begin] > 0 && packet[begin + 1] & 0x80 != 0
            begin += 1 + Int(packet[begin])
        }
        // Those without content are not numbered, but may say that the numbers begin again.
        guard control & 0x10 != 0 else {
            if jumps { streams[id]?.number = nil }
            return
        }
        let isBeginning = packet[start + 1] & 0x40 != 0
        let number = Int(control & 0xF)
        var stream = streams[id] ?? TransportStream(isClean: isBeginning)
        let isFollowing = jumps || stream.number == nil || stream.number.map { ($0 + 1) & 0xF } == number
        // A packet may be written twice.
        if !isFollowing, stream.number == number { return }
        if !isFollowing, Self.tables.contains(id) { joint = count }
        let isJoint = !isFollowing && joint > stream.last
        stream.number = number
        stream.last = count
        let content = packet[min(begin, packet.endIndex)...]
        if isBeginning, let piece = TransportPiece(content) {
            stream.begin(piece, isFollowing: isFollowing, isJoint: isJoint)
        } else {
            stream.lost += isFollowing ? 0 : 1
        }
        stream.held += content.count
        streams[id] = stream
    }
}

/// A stream of a broadcast.
private struct TransportStream {
    /// The longest step between two times, in seconds; a longer one begins another program.
    private static let longestStep = 600.0
    /// The factor by which a step is longer where pieces are missing.
    private static let longer = 1.5

    /// Whether its first packet begins a piece.
    let isClean: Bool
    /// That of its last packet.
    var number: Int?
    /// How many packets of all streams there were up to its last one.
    var last = 0
    /// How often packets are missing within pieces.
    var lost = 0
    /// The bytes of this piece.
    var held = 0
    private var piece: TransportPiece?
    private var isSound = false
    /// How many pieces had all bytes that they state, and how many had fewer.
    private var whole = 0
    private var short = 0
    /// How many are missing between others.
    private var missing = 0
    /// The time from one piece to the next, in seconds.
    private var step: Double?

    init(isClean: Bool) {
        self.isClean = isClean
    }

    /// Whether the last piece has fewer bytes than it states.
    private var isShort: Bool { piece?.length.map { held < $0 } ?? false }

    /// Whether the lengths that it states are right.
    private var isBelievable: Bool { whole >= short }

    var isCut: Bool { isSound && isClean && isShort && isBelievable }
    var isLossy: Bool { isSound && (lost > 0 || missing > 0 || short > 0 && isBelievable) }

    /// Ends the piece before `next`, which begins another file where it is a joint.
    mutating func begin(_ next: TransportPiece, isFollowing: Bool, isJoint: Bool) {
        if let piece, !isJoint {
            if isShort { short += 1 } else { whole += 1 }
            let now = piece.time.flatMap { before in next.time.map { $0 - before } }
            let isMissing = step.flatMap { usual in now.map { $0 > Self.longer * usual && $0 < Self.longestStep } }
            if !isFollowing, isMissing == true { missing += 1 }
            if isFollowing, let now, now > 0 { step = now }
        }
        isSound = isSound || next.isSound
        piece = next
        held = 0
    }
}

/// The content that packets of a stream carry together.
private struct TransportPiece {
    let isSound: Bool
    /// In bytes; `nil` where it is not stated.
    let length: Int?
    /// When it is heard, in seconds.
    let time: Double?

    /// Fails for what is no such piece.
    init?(_ content: ArraySlice<UInt8>) {
        let head = Array(content.prefix(14))
        guard head.count == 14, head[..<3].elementsEqual([0, 0, 1]) else { return nil }
        let inside = content.dropFirst(9 + Int(head[8])).prefix(2)
        let first = (inside.first ?? 0, inside.last ?? 0)
        // AC-3, DTS and Opus are sound, among the streams of no kind of their own.
        let isOther = first == (0x0B, 0x77) || first.0 == 0x7F && first.1 >= 0xE0
        isSound = (0xC0...0xDF).contains(head[3]) || head[3] == 0xBD && isOther
        let stated = head[4..<6].bigEndian
        length = stated > 0 ? stated + 6 : nil
        guard head[7] & 0x80 != 0 else {
            time = nil
            return
        }
        let (high, middle) = (Int(head[9] >> 1 & 7), head[10..<12].bigEndian >> 1)
        time = Double(high << 30 | middle << 15 | head[12..<14].bigEndian >> 1) / 90_000
    }
}
