import EchoText

/// Finds the links of an Ogg file, which may be joined from several, and counts their sound.
///
/// - SeeAlso: RFC 3533, sections 4 and 6; RFC 7845, section 4.
enum OggParts {
    /// The length that decoders hold back or trim, in seconds.
    private static let tolerance = 0.25
    /// The same where a page is missing or damaged, which decoders leave out without a word.
    private static let toleranceOfHoles = 0.03
    /// The most pages of FLAC whose places are remembered.
    private static let maximumPages = 1 << 20

    /// - Returns: `nil` where there is no page.
    /// - Throws: ``SoundImportError/noSound`` when no link has sound, and what reading threw.
    static func find(in file: SoundBytes, from start: Int) throws -> [SoundPart]? {
        var links: [Link] = []
        var place = start
        while place < file.length {
            guard let page = try Page(at: place, in: file) else {
                // Behind the last page stands what is no page, or the beginning of one that was cut.
                guard let next = try file.place(of: Page.mark, from: place + 1) else {
                    let rest = try file.bytes(at: place, count: 27)
                    let isBegun = rest.count < 27 && rest.starts(with: Page.mark.prefix(rest.count))
                    if !links.isEmpty, isBegun { links[links.count - 1].isCut = true }
                    let isFile = try SoundParts.isFile(at: place, in: file) || MPEGParts.begins(at: place, in: file)
                    if !links.isEmpty, isFile, !isBegun { links[links.count - 1].end = place }
                    if !links.isEmpty, !isFile, !isBegun { try links[links.count - 1].takeRest(at: place, in: file) }
                    break
                }
                place = next
                continue
            }
            let isNext = page.isFirst && links.last?.hasContent ?? true
            if isNext, links.count == SoundParts.maximum {
                links[links.count - 1].end = place
                break
            }
            if links.isEmpty || isNext { links.append(Link(start: place, room: links.last?.roomLeft ?? maximumPages)) }
            guard page.end <= file.length else {
                links[links.count - 1].isCut = true
                break
            }
            try links[links.count - 1].take(page, in: file)
            place = page.end
        }
        guard !links.isEmpty else { return nil }
        if links.allSatisfy({ $0.isEmpty }) { throw SoundImportError.noSound }
        return links.enumerated().compactMap { index, link -> SoundPart? in
            if link.isEmpty { return nil }
            let end = index + 1 < links.count ? links[index + 1].start : link.end ?? file.length
            return SoundPart(
                segments: link.frames ?? [.file(link.start..<end)],
                held: link.seconds,
                tolerance: link.hasHole ? toleranceOfHoles : tolerance,
                isCut: link.isCut,
                hasMore: link.end != nil || link.hasRest
            )
        }
    }

    private struct Page {
        static let mark = Array("OggS".utf8)

        let start: Int
        let isFirst: Bool
        /// Whether its stream ends with it.
        let isLast: Bool
        /// `nil` where no packet ends in it.
        let granule: Int?
        let serial: Int
        /// Its place among the pages of its stream.
        let number: UInt32
        let body: Int
        let end: Int

        /// Fails where none begins.
        init?(at place: Int, in file: SoundBytes) throws {
            let head = try file.bytes(at: place, count: 27)
            guard head.count == 27, head.starts(with: Self.mark), head[4] == 0 else { return nil }
            (isFirst, isLast) = (head[5] & 2 != 0, head[5] & 4 != 0)
            let bits = head[6..<14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            granule = Int(exactly: bits)
            serial = head[14..<18].littleEndian
            number = UInt32(truncatingIfNeeded: head[18..<22].littleEndian)
            let table = try file.bytes(at: place + 27, count: Int(head[26]))
            body = place + 27 + Int(head[26])
            // Where the table itself was cut, so was the page.
            end = table.count < Int(head[26]) ? file.length + 1 : body + table.reduce(0) { $0 + Int($1) }
            start = place
        }

        /// Whether its bytes are those that its checksum is of.
        func isIntact(in file: SoundBytes) throws -> Bool {
            let bytes = try file.bytes(at: start, count: end - start)
            let sums = Self.sums
            var sum: UInt32 = 0
            // The checksum itself counts as nothing.
            let parts: [ArraySlice<UInt8>] = [bytes.prefix(22), [0, 0, 0, 0], bytes.dropFirst(26)]
            for part in parts {
                for byte in part { sum = sum << 8 ^ sums[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
            }
            return Int(sum) == bytes.dropFirst(22).prefix(4).littleEndian
        }

        /// The checksums of single bytes.
        private static let sums: [UInt32] = (0..<256).map { byte -> UInt32 in
            var sum = UInt32(byte) << 24
            for _ in 0..<8 {
                let isHigh = sum & 0x8000_0000 != 0
                sum <<= 1
                if isHigh { sum ^= 0x04C1_1DB7 }
            }
            return sum
        }
    }

    /// Some streams that begin together, one of which is the sound.
    private struct Link {
        let start: Int
        /// How many pages are remembered.
        let room: Int
        /// Where one begins that is not told apart any more.
        var end: Int?
        var isCut = false
        /// Whether pages have come that are not the first of a stream.
        private(set) var hasContent = false
        /// Whether a page of the sound is missing or damaged.
        private(set) var hasHole = false
        /// Whether something stands behind its last page, which may be a page without its beginning.
        private(set) var hasRest = false
        private var isEnded = false
        private var codec: Codec?
        /// The number of the sound's next page.
        private var nextPage: UInt32?
        private var first: Int?
        private var last: Int?
        /// The content of its pages, where that is FLAC.
        private var content: [Range<Int>] = []

        init(start: Int, room: Int) {
            (self.start, self.room) = (start, room)
        }

        /// How many pages of others are remembered then.
        var roomLeft: Int { max(0, room - content.count) }

        mutating func take(_ page: Page, in file: SoundBytes) throws {
            if page.isFirst {
                guard codec == nil else { return }
                codec = Codec(of: page.serial, try file.bytes(at: page.body, count: 64))
                if codec != nil { nextPage = page.number &+ 1 }
                let begin = page.body + Codec.lengthBeforeFLAC
                if codec?.isFLAC == true, begin < page.end { content = [begin..<page.end] }
                return
            }
            hasContent = true
            guard let codec, page.serial == codec.serial else { return }
            // A file that was cut out of a broadcast has its heads, and behind them other numbers.
            let isNext = first == nil || page.number == nextPage
            if try !isNext || !page.isIntact(in: file) { hasHole = true }
            nextPage = page.number &+ 1
            isEnded = page.isLast
            if !content.isEmpty, content.count <= room { content.append(page.body..<page.end) }
            guard let granule = page.granule, granule > 0 else { return }
            first = first ?? granule
            last = granule
        }

        /// Takes what stands behind the last page, and is no page, tag or filling.
        mutating func takeRest(at place: Int, in file: SoundBytes) throws {
            let bytes = try file.bytes(at: place, count: 64 << 10)
            let isTag = ["TAG", "ID3", "APETAGEX"].contains { bytes.starts(with: Array($0.utf8)) }
            hasRest = codec != nil && !isEnded && !isTag && bytes.contains { $0 != 0 }
        }

        /// The FLAC file that it holds, since the library reads FLAC only by itself; `nil` for other kinds, and for too many pages.
        var frames: [SoundPart.Segment]? {
            guard !content.isEmpty, content.count <= room else { return nil }
            return content.map { .file($0) }
        }

        /// Whether it is whole, is of a known kind, and has no sound.
        var isEmpty: Bool { !isCut && codec.map { (last ?? 0) <= $0.skipped } ?? false }

        /// The length by the granule positions.
        var seconds: Double? {
            guard let codec, let first, let last, last >= first else { return nil }
            // A stream that was joined late counts from its own beginning.
            let begun = first > 2 * codec.rate ? first : codec.skipped
            return Double(max(0, last - begun)) / Double(codec.rate)
        }
    }

    private struct Codec {
        /// The bytes that stand before a FLAC file in its first page.
        static let lengthBeforeFLAC = 9

        let serial: Int
        /// Granules in a second.
        let rate: Int
        /// Granules at the beginning that are not heard.
        let skipped: Int
        var isFLAC = false

        /// Fails for what is not known, such as pictures.
        init?(of serial: Int, _ packet: [UInt8]) {
            func has(_ sign: String) -> Bool { packet.starts(with: Array(sign.utf8)) }
            self.serial = serial
            if has("OpusHead"), packet.count >= 12 {
                (rate, skipped) = (48_000, packet[10..<12].littleEndian)
            } else if has("\u{1}vorbis"), packet.count >= 16 {
                (rate, skipped) = (packet[12..<16].littleEndian, 0)
            } else if has("\u{7F}FLAC"), packet.count >= 30 {
                (rate, skipped) = (packet[27..<30].bigEndian >> 4, 0)
                isFLAC = true
            } else {
                return nil
            }
            guard rate > 0 else { return nil }
        }
    }
}
