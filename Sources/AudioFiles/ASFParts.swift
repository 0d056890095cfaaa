import EchoText
import Foundation

/// Finds the parts of an ASF or WMA file, which may be joined from several, and what they say of their length.
///
/// - SeeAlso: Microsoft, “Advanced Systems Format (ASF) Specification”, sections 2 to 5.
enum ASFParts {
    private static let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let data: [UInt8] = [
        0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let properties: [UInt8] = [
        0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    private static let stream: [UInt8] = [
        0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    private static let longestHeader = 16 << 20
    /// The bytes before the packets.
    private static let headOfData = 50
    private static let longestLength = 1_000_000.0
    /// Bytes by which sizes are wrong in files that are whole.
    private static let slack = 1_024

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var facts = Facts()
        var place = 0
        while true {
            let head = try await file.bytes(at: place, count: 24)
            guard head.count == 24 else { break }
            let size = head[16...].littleEndian
            let rest = file.length - place
            if head.starts(with: header) {
                guard parts.begin(at: place) else { return parts.all(until: place) }
                guard size >= 30, size <= min(rest, longestHeader) else { break }
                facts = Facts(try await file.bytes(at: place, count: size))
                let stated = facts.seconds
                parts.change { $0.stated = stated }
            } else if head.starts(with: data) {
                // The size is not known where the file is written while it is sent.
                guard size >= 24, !facts.isBroadcast else { break }
                if size > rest + slack { parts.change { $0.isCut = true } }
                let first = place + headOfData
                let packets = first..<max(first, place + min(size, rest))
                if try await isOverwritten(packets, of: facts.packet, in: file) { parts.change { $0.hasMore = true } }
            }
            guard (24...rest).contains(size) else { break }
            place += size
        }
        return parts.all(until: file.length)
    }

    /// Whether packets of zeros stand before others.
    private static func isOverwritten(_ range: Range<Int>, of length: Int?, in file: FileWindow) async throws -> Bool {
        guard let length else { return false }
        var hasZeros = false
        for place in stride(from: range.lowerBound, to: range.upperBound - length, by: length) {
            let isEmpty = try await file.bytes(at: place, count: 16).allSatisfy { $0 == 0 }
            if hasZeros, !isEmpty { return true }
            if isEmpty { hasZeros = true }
        }
        return false
    }

    /// The fields of a header.
    private struct Facts {
        private(set) var isBroadcast = false
        /// The length of all packets, in bytes; `nil` where it differs.
        private(set) var packet: Int?
        private var length: Double?
        private var streams = 0

        init() {}

        init(_ bytes: [UInt8]) {
            var place = 30
            while place + 24 <= bytes.count {
                let size = bytes[place + 16..<place + 24].littleEndian
                guard size >= 24, size <= bytes.count - place else { break }
                if bytes[place...].starts(with: stream) { streams += 1 }
                if bytes[place...].starts(with: properties), size >= 92 { read(bytes[place..<place + size]) }
                place += size
            }
        }

        private mutating func read(_ bytes: ArraySlice<UInt8>) {
            func number(_ offset: Int, _ count: Int) -> Int { bytes.dropFirst(offset).prefix(count).littleEndian }
            isBroadcast = number(88, 4) & 1 == 1
            let lengths = number(92, 4)...max(number(92, 4), number(96, 4))
            if lengths.count == 1, (64...1 << 20).contains(lengths.lowerBound) { packet = lengths.lowerBound }
            // In tenths of a microsecond, with the milliseconds before anything is played.
            let seconds = Double(number(64, 8)) / 1e7 - Double(number(80, 8)) / 1e3
            if !isBroadcast, (0...longestLength).contains(seconds) { length = seconds }
        }

        /// How long the only stream is; pictures may be longer than the sound.
        var seconds: Double? { streams == 1 ? length : nil }
    }
}
