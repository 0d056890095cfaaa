import EchoText
import Foundation

/// Finds out whether an AVI file was cut or overwritten: FFmpeg, which reads it from its beginning to its end, does not notice.
///
/// - SeeAlso: Microsoft, “AVI RIFF File Reference”; “OpenDML AVI File Format Extensions”, for files of several chunks.
enum AVIParts {
    /// Bytes by which sizes are wrong in files that are whole.
    private static let slack = 1_024
    /// Larger sizes are those of programs that did not know them.
    private static let largest = 0x7FFF_F000
    private static let maximumChunks = 1 << 22

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        var place = 0
        while try await file.has(Array("RIFF".utf8), at: place) {
            let size = try await file.bytes(at: place + 4, count: 4).littleEndian
            guard size > 0, size < largest else { break }
            part.isCut = place + 8 + size > file.length + slack
            let end = min(file.length, place + 8 + size)
            if try await isOverwritten(place + 12, until: end, in: file) { part.hasMore = true }
            place += 8 + size + size % 2
        }
        return [part]
    }

    /// Whether something that is no chunk stands among those from `start` on.
    private static func isOverwritten(_ start: Int, until end: Int, in file: FileWindow) async throws -> Bool {
        var place = start
        // Behind the sound and pictures may stand anything.
        var contentEnd = start
        var isFilledUp = false
        for _ in 0..<maximumChunks where place + 12 <= end {
            var head = try await file.bytes(at: place, count: 12)
            if isFilledUp, !beginsChunk(head) {
                // Not all programs fill an odd one up.
                place -= 1
                head = try await file.bytes(at: place, count: 12)
            }
            guard head.count == 12 else { return false }
            guard beginsChunk(head) else { return try await place < contentEnd ? file.isFilled(from: place) : false }
            let size = head[4..<8].littleEndian
            let list = String(decoding: head[8...], as: UTF8.self)
            if head.starts(with: Array("LIST".utf8)), ["movi", "rec "].contains(list) {
                if list == "movi" { contentEnd = place + 8 + size }
                place += 12
                isFilledUp = false
                continue
            }
            place += 8 + size + size % 2
            isFilledUp = size % 2 == 1
        }
        return false
    }

    private static func beginsChunk(_ head: [UInt8]) -> Bool {
        head.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
    }
}
