import EchoText
import Foundation

/// Finds the parts of an FLV file, which may be joined from several, and counts their sound.
///
/// - SeeAlso: Adobe, “Flash Video File Format Specification 10.1”, annex E.
enum FlashParts {
    private static let mark: [UInt8] = Array("FLV".utf8) + [1]
    /// In seconds; a longer step begins another program.
    private static let longestStep = 600.0
    /// Bytes at the end that may be anything.
    private static let scrap = 4_096

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var stamps = StampCount()
        var place = 0
        while true {
            let head = try await file.bytes(at: place, count: 13)
            if head.starts(with: mark), head.count >= 9 {
                let held = stamps.seconds
                parts.change { $0.held = [held] }
                stamps = StampCount()
                guard parts.begin(at: place) else { return parts.all(until: place) }
                place += max(9, head[5..<9].bigEndian) + 4
                continue
            }
            guard head.count >= 11, [8, 9, 18].contains(head[0] & 0x1F) else {
                if let other = try await lengthOfOther(head, at: place, in: file) {
                    place += other
                    continue
                }
                // Nothing begins so: its beginning was overwritten.
                let isLong = file.length - place >= scrap
                if isLong, try await file.isFilled(from: place) { parts.change { $0.hasMore = true } }
                break
            }
            let size = head[1..<4].bigEndian
            // The configuration with which AAC begins is no sound.
            let isSetUp = head.count == 13 && head[11] >> 4 == 10 && head[12] == 0
            if head[0] & 0x1F == 8, size > 0, !isSetUp {
                let time = Int(head[7]) << 24 | head[4..<7].bigEndian
                stamps.add(Double(time) / 1_000, longest: longestStep)
            }
            place += 11 + size + 4
        }
        parts.change { $0.held = [stamps.seconds] }
        return parts.all(until: file.length)
    }

    /// The length of a tag that is neither sound nor pictures nor usual data; `nil` where its length does not stand behind it.
    private static func lengthOfOther(_ head: [UInt8], at place: Int, in file: FileWindow) async throws -> Int? {
        guard head.count >= 11 else { return nil }
        let length = 11 + head[1..<4].bigEndian
        let foot = try await file.bytes(at: place + length, count: 4)
        return foot.count == 4 && foot.bigEndian == length ? length + 4 : nil
    }
}
