import Foundation

/// The streams that begin together at the beginning of an Ogg file.
///
/// - SeeAlso: RFC 3533, sections 4 and 6: their first pages come before all others.
struct OggStreams: Sendable, Hashable {
    private static let maximum = 64
    /// The longest head of a page, and the beginning of its content, in bytes.
    private static let reach = 27 + 255 + 8
    private static let sounds = [
        "OpusHead", "\u{1}vorbis", "\u{7F}FLAC", "Speex   ",
    ].map { Array($0.utf8) }
    private static let pictures: [[UInt8]] = [[0x80] + Array("theora".utf8), Array("BBCD".utf8), Array("OVP80".utf8)]

    /// How many have sound.
    private(set) var soundCount = 0
    private(set) var hasPictures = false

    /// - Throws: What reading throws.
    init(of file: any StoredBytes) async throws {
        var place = 0
        for _ in 0..<Self.maximum where place < file.length {
            let head = [UInt8](try await file.read(place..<min(file.length, place + Self.reach)))
            guard head.count >= 27, head.starts(with: Array("OggS".utf8)), head[5] & 2 != 0 else { return }
            let table = head.dropFirst(27).prefix(Int(head[26]))
            let packet = head.dropFirst(27 + table.count)
            if Self.sounds.contains(where: { packet.starts(with: $0) }) { soundCount += 1 }
            if Self.pictures.contains(where: { packet.starts(with: $0) }) { hasPictures = true }
            place += 27 + table.count + table.reduce(0) { $0 + Int($1) }
        }
    }

    /// Whether it matters which stream is taken, and when it begins.
    var isFilm: Bool { soundCount > 1 || (soundCount == 1 && hasPictures) }
}
