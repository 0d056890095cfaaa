import EchoText

/// Finds the parts of a WavPack file, which may be joined from several, and counts their samples.
///
/// - SeeAlso: “WavPack 4 & 5 Binary File / Block Format”, section 2.
enum WavPackParts {
    private static let mark = Array("wvpk".utf8)
    private static let longestBlock = 1 << 24

    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var parts = PartList()
        var count = Count()
        var place = 0
        // Between blocks are tags, or what is damaged.
        while let start = try await file.place(of: mark, from: place, before: file.length) {
            guard let block = Block(try await file.bytes(at: start, count: 32)) else {
                if file.length - start < 32 { count.isCut = true }
                place = start + mark.count
                continue
            }
            if block.isFirst {
                parts.change { count.finish(&$0) }
                guard parts.begin(at: start) else { return parts.all(until: start) }
                count = Count(block)
            }
            place = start + block.length
            if place > file.length {
                count.isCut = true
            } else if block.begins {
                count.samples += block.samples
            }
        }
        parts.change { count.finish(&$0) }
        return parts.all(until: file.length)
    }

    private struct Block {
        private static let rates = [
            6_000, 8_000, 9_600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
            192_000,
        ]

        /// In bytes.
        let length: Int
        /// The samples of the whole file; `nil` where the program did not know.
        let total: Int?
        let samples: Int
        /// In hertz; `nil` where another block says it.
        let rate: Int?
        /// Whether it is the first of those that hold the same samples, of other channels.
        let begins: Bool
        /// Whether it is the first of a file.
        let isFirst: Bool

        init?(_ head: [UInt8]) {
            guard head.count == 32, head[9] == 4 else { return nil }
            length = 8 + head[4..<8].littleEndian
            guard (32...WavPackParts.longestBlock).contains(length) else { return nil }
            let low = head[12..<16].littleEndian
            total = low == 0xFFFF_FFFF ? nil : low | Int(head[11]) << 32
            let count = head[20..<24].littleEndian
            samples = count
            let flags = head[24..<28].littleEndian
            // Sound of single bits counts otherwise.
            let isCounted = flags & 0x8000_0000 == 0 && flags >> 23 & 15 < Self.rates.count
            rate = isCounted ? Self.rates[flags >> 23 & 15] : nil
            let isBeginning = flags & 0x800 != 0
            begins = isBeginning
            isFirst = isBeginning && count > 0 && head[16..<20].littleEndian == 0 && head[10] == 0
        }
    }

    private struct Count {
        var isCut = false
        var samples = 0
        private var total: Int?
        private var rate: Int?

        init() {}

        init(_ first: Block) {
            (total, rate) = (first.total, first.rate)
        }

        func finish(_ part: inout ContainerPart) {
            part.isCut = isCut || samples < total ?? 0
            if let rate { part.held = [Double(samples) / Double(rate)] }
        }
    }
}

/// Finds out whether a DSF file was cut: FFmpeg does not notice.
///
/// - SeeAlso: Sony, “DSF File Format Specification 1.01”.
enum DSFParts {
    /// - Throws: What reading threw.
    static func find(in file: FileWindow) async throws -> [ContainerPart] {
        var part = ContainerPart(range: 0..<file.length)
        let head = try await file.bytes(at: 0, count: 40)
        guard head.count == 40, (52...4_096).contains(head[32...].littleEndian) else { return [part] }
        let place = 28 + head[32...].littleEndian
        let chunk = try await file.bytes(at: place, count: 12)
        if chunk.count == 12, chunk.starts(with: Array("data".utf8)) {
            part.isCut = chunk[4...].littleEndian > file.length - place
        }
        return [part]
    }
}
