import EchoText

/// Finds out whether FLAC has more samples than it says, where the library would end.
///
/// Programs write the number last, at the beginning; one that was stopped, or that joined files, leaves another.
///
/// - SeeAlso: RFC 9639, sections 8.2 and 9.1.
struct FLACFrames {
    /// Bytes at the end of the file in which the last frames are looked for.
    private static let reach = 1 << 20
    /// The longest head of a frame, in bytes.
    private static let longestHead = 16
    /// The share of a second by which the number may be wrong without a word.
    private static let scrap = 0.05
    /// The byte with which frames begin, by its value.
    private static let firstByte = (0..<256).map { $0 == 0xFF }

    /// In hertz.
    private let rate: Int
    private let channels: Int
    /// Samples of a frame, where all but the last have as many.
    private let frameLength: Int
    /// Samples that the file says it has; none where it does not know.
    private let stated: Int
    /// Where their number stands: in five bytes, but for the first four bits.
    private let place: Int

    /// - Parameters:
    ///   - start: Where the mark stands with which FLAC begins.
    ///   - file: The file.
    /// - Throws: What reading threw.
    init?(at start: Int, in file: SoundBytes) throws {
        let block = try file.bytes(at: start + 4, count: 38)
        guard block.count == 38, block[0] & 0x7F == 0 else { return nil }
        frameLength = block[6..<8].bigEndian
        rate = block[14..<17].bigEndian >> 4
        channels = Int(block[16] >> 1 & 7) + 1
        stated = Int(block[17] & 0xF) << 32 | block[18..<22].bigEndian
        place = start + 4 + 17
        guard rate > 0 else { return nil }
    }

    /// Corrects a number of samples that is too small, so that the library reads to the end.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - range: Its bytes.
    ///   - frames: Those of them behind its metadata.
    ///   - file: The file.
    /// - Throws: What reading threw.
    func correct(_ part: inout SoundPart, at range: Range<Int>, frames: Range<Int>, in file: SoundBytes) throws {
        guard stated > 0, let held = try length(of: frames, in: file) else { return }
        // The last frame may be filled up to the length of the others.
        let least = max(Int(Self.scrap * Double(rate)), frameLength)
        guard held - stated > least, held < 1 << 36, let first = try file.byte(at: place) else { return }
        let number = [first & 0xF0 | UInt8(held >> 32)] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: held >> $0) }
        part.segments = [.file(range.lowerBound..<place), .bytes(number), .file(place + 5..<range.upperBound)]
        part.held = Double(held) / Double(rate)
        part.misstated = Double(stated) / Double(rate)
        part.statesFrames = false
    }

    /// The number of samples up to the end of the last frame that follows another one; `nil` where there is none.
    private func length(of frames: Range<Int>, in file: SoundBytes) throws -> Int? {
        // A file that was cut out of a longer one keeps its numbers.
        guard let begin = try samples(at: frames.lowerBound, in: file)?.lowerBound else { return nil }
        var ends: Set<Int> = []
        var last: Int?
        var place = max(frames.lowerBound, frames.upperBound - Self.reach)
        while let next = try file.place(in: place..<frames.upperBound, marked: Self.firstByte) {
            place = next + 1
            guard let found = try samples(at: next, in: file) else { continue }
            // A single head may be an accident.
            if ends.contains(found.lowerBound) { last = max(last ?? 0, found.upperBound) }
            ends.insert(found.upperBound)
        }
        return last.map { $0 - begin }
    }

    /// The samples of the frame whose head is at `place`; `nil` where none is.
    private func samples(at place: Int, in file: SoundBytes) throws -> Range<Int>? {
        let head = try file.bytes(at: place, count: Self.longestHead)
        guard head.count >= 6, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[3] & 1 == 0 else { return nil }
        let (size, speed, order) = (Int(head[2] >> 4), Int(head[2] & 0xF), Int(head[3] >> 4))
        let isOfFile = order < 8 ? order + 1 == channels : order < 11 && channels == 2
        // The number of the frame or sample is written as UTF-8 is: the first byte says how many there are.
        let ones = (~head[4]).leadingZeroBitCount
        guard size > 0, speed < 15, isOfFile, ones != 1, ones < 8 else { return nil }
        let behindNumber = 4 + max(1, ones)
        let behindSize = behindNumber + (size == 6 ? 1 : size == 7 ? 2 : 0)
        let end = behindSize + (speed == 12 ? 1 : speed > 12 ? 2 : 0)
        guard head.count > end, Self.checksum(head[..<end]) == head[end] else { return nil }
        var number = Int(head[4] & (UInt8(0xFF) >> UInt8(ones)))
        for byte in head[5..<behindNumber] { number = number << 6 | Int(byte & 0x3F) }
        let length =
            switch size {
            case 1: 192
            case 2...5: 576 << (size - 2)
            case 6, 7: head[behindNumber..<behindSize].bigEndian + 1
            default: 256 << (size - 8)
            }
        let start = head[1] & 1 == 1 ? number : number * frameLength
        return start..<start + length
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for byte in bytes {
            sum ^= byte
            for _ in 0..<8 {
                let isHigh = sum & 0x80 != 0
                sum <<= 1
                if isHigh { sum ^= 0x07 }
            }
        }
        return sum
    }
}
