import EchoText

/// Finds how much sound is in files of chunks, which AIFF, CAF, RF64 and RIFX files are, and in AU files, whatever their heads say.
///
/// Its sizes lie as those of WAV files do.
enum ChunkedParts {
    /// The longest head that is put right, in bytes.
    private static let longestHead = 1 << 20
    /// The share of a second that may follow the sound without being taken for more of it.
    private static let scrap = 0.05
    private static let maximumChunks = 65_536

    /// - Returns: `nil` where the file has no sound to count, so that the library may judge it.
    /// - Throws: ``SoundImportError/noSound``, and what reading threw.
    static func find(in file: SoundBytes) throws -> SoundPart? {
        guard let head = try ChunkedHead(of: file), head.data <= longestHead else { return nil }
        let rest = file.length - head.data
        var part = SoundPart(segments: [.file(0..<file.length)], statesFrames: true)
        var size = rest
        if let announced = head.announced, announced > 0 {
            if announced > rest {
                if head.isCut(file.length) {
                    part.isCut = true
                } else if head.seconds(announced - rest) >= scrap {
                    part.misstated = head.seconds(announced)
                }
            } else if try head.seconds(rest - announced) < scrap || head.isFollowedByChunks(announced, in: file) {
                size = announced
            } else {
                part.misstated = head.seconds(announced)
            }
        } else if head.announced == 0, try head.isFollowedByChunks(0, in: file) {
            size = 0
        }
        let frames = size / head.frameLength
        guard frames > 0 || part.isCut else { throw SoundImportError.noSound }
        part.held = head.seconds(size)
        if size != head.announced || head.isRenamed {
            let sound = head.data..<head.data + frames * head.frameLength
            part.segments = [.bytes(try head.corrected(to: sound.count, in: file)), .file(sound)]
        }
        return part
    }

    /// Where a file like the one at `start` begins behind it, by the size that it states; `nil` where none does.
    static func next(behind start: Int, in file: SoundBytes) throws -> Int? {
        if try file.has("caff", at: start) { return try nextCAF(behind: start, in: file) }
        let isAIFF = try isFile("FORM", "AIFF", at: start, in: file) || isFile("FORM", "AIFC", at: start, in: file)
        let size: Int
        if isAIFF {
            size = try file.bytes(at: start + 4, count: 4).bigEndian
        } else if try isRF64(at: start, in: file), try file.has("ds64", at: start + 12) {
            size = try file.bytes(at: start + 20, count: 8).littleEndian
        } else {
            return nil
        }
        guard size > 4, size < file.length - start - 8 else { return nil }
        for end in [start + 8 + size, start + 8 + size + size % 2] {
            let isNext =
                try isAIFF
                ? isFile("FORM", "AIFF", at: end, in: file) || isFile("FORM", "AIFC", at: end, in: file)
                : isRF64(at: end, in: file)
            if isNext { return end }
        }
        return nil
    }

    /// A CAF file states no size of its own; the next one begins where a chunk of it would.
    private static func nextCAF(behind start: Int, in file: SoundBytes) throws -> Int? {
        var place = start + 8
        for _ in 0..<maximumChunks {
            let head = try file.bytes(at: place, count: 12)
            guard head.count == 12 else { return nil }
            // The version.
            if head.starts(with: Array("caff".utf8)), head[4] == 0, head[5] == 1 { return place }
            let size = head[4...].bigEndian
            guard (0...file.length - place - 12).contains(size) else { return nil }
            place += 12 + size
        }
        return nil
    }

    private static func isRF64(at place: Int, in file: SoundBytes) throws -> Bool {
        try isFile("RF64", "WAVE", at: place, in: file) || isFile("BW64", "WAVE", at: place, in: file)
    }

    private static func isFile(_ sign: String, _ form: String, at place: Int, in file: SoundBytes) throws -> Bool {
        try file.has(sign, at: place) && file.has(form, at: place + 8)
    }
}

/// The head of an AIFF, CAF, RF64, RIFX or AU file, before the samples.
private struct ChunkedHead {
    /// A number that depends on the size of the samples.
    private enum Field {
        /// The size of all that follows the file's first eight bytes.
        case whole
        /// That of the samples, and of `more` bytes in the same chunk.
        case samples(more: Int)
        /// That of the samples, unless the library would take it for a negative one.
        case fewSamples
        case frames
        /// A number that says that another one counts.
        case elsewhere
    }

    private static let rates = 100.0...768_000.0
    private static let maximumChannels = 1_024
    /// More bytes than any file has: a larger size says nothing.
    private static let largest = 1 << 46

    /// Where the samples begin.
    private(set) var data = 0
    /// Their size in bytes as the head states it; `nil` where the program that wrote it did not know.
    private(set) var announced: Int?
    /// In hertz.
    private(set) var rate = 0
    /// Bytes that belong together: a sample of each channel, or a block of them.
    private(set) var frameLength = 0
    /// How many samples of a channel they are.
    private var frameSamples = 1
    /// Whether the library knows such a file only by another name.
    private(set) var isRenamed = false
    /// The size of all that follows the head's first eight bytes, where it states that.
    private var whole: Int?
    private var fields: [(place: Int, length: Int, field: Field)] = []
    private var isLittle = false
    /// The bytes before the content of a chunk.
    private var chunkHead = 8
    /// Whether there are chunks in such a file.
    private var hasChunks = true

    /// Fails for other files, codecs whose frames have no fixed size, and heads without samples.
    init?(of file: SoundBytes) throws {
        let head = try file.bytes(at: 0, count: 12)
        guard head.count == 12 else { return nil }
        let isFound =
            switch String(decoding: head[..<4], as: UTF8.self) {
            case "FORM": try readAIFF(file)
            case "caff": try readCAF(file)
            case "RF64", "BW64": try readRF64(file)
            case "RIFX": try readRIFX(file)
            case ".snd": try readAU(file)
            default: false
            }
        guard isFound, rate > 0, frameLength > 0 else { return nil }
        if (announced ?? 0) > Self.largest { announced = nil }
    }

    func seconds(_ bytes: Int) -> Double { Double(bytes / frameLength) * Double(frameSamples) / Double(rate) }

    /// Whether a file of `length` bytes, in which there are fewer samples than announced, was cut short.
    ///
    /// Else their size was made up.
    func isCut(_ length: Int) -> Bool {
        guard let announced else { return false }
        if let whole, whole > data - 8, whole <= length - 7 { return false }
        return StatedSize.isMeant(announced, beside: length - data)
    }

    /// The head of a file that has `size` bytes of samples.
    func corrected(to size: Int, in file: SoundBytes) throws -> [UInt8] {
        var bytes = try file.bytes(at: 0, count: data)
        if isRenamed { bytes.replaceSubrange(0..<4, with: Array("RF64".utf8)) }
        for (place, length, field) in fields where place + length <= bytes.count {
            let number =
                switch field {
                case .whole: data - 8 + size
                case .samples(let more): size + more
                case .fewSamples: size <= Int(Int32.max) ? size : 0xFFFF_FFFF
                case .frames: size / frameLength
                case .elsewhere: 0xFFFF_FFFF
                }
            let largest = length < 8 ? 0xFFFF_FFFF : Int.max
            for index in 0..<length {
                let shift = 8 * (isLittle ? index : length - 1 - index)
                bytes[place + index] = UInt8(truncatingIfNeeded: min(number, largest) >> shift)
            }
        }
        return bytes
    }

    // MARK: - Chunks

    /// Whether nothing but chunks or padding stands behind `size` bytes of samples.
    func isFollowedByChunks(_ size: Int, in file: SoundBytes) throws -> Bool {
        if try isChunks(from: data + size, in: file) { return true }
        return try isChunks(from: data + size + 1, in: file)
    }

    /// Names of chunks that often stand behind the samples.
    private static let usual = [
        "ID3 ", "id3 ", "NAME", "AUTH", "ANNO", "COMT", "MARK", "INST", "APPL", "LIST", "bext", "iXML", "axml", "chna",
        "info", "free", "strg", "mark", "peak", "uuid",
    ]

    private func isChunks(from start: Int, in file: SoundBytes) throws -> Bool {
        var place = start
        while place < file.length {
            guard hasChunks, let chunk = try chunk(at: place, in: file),
                chunk.name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                // Whole blocks of a disk or a tape are filled up.
                let rest = try file.bytes(at: place, count: 65_536)
                return place + rest.count == file.length && rest.allSatisfy { $0 == 0 }
            }
            let left = file.length - place - chunkHead
            // A chunk that was cut is no sound either.
            guard (0...left).contains(chunk.size) else { return Self.usual.contains(chunk.name) }
            place += chunkHead + chunk.size + padding(chunk.size)
        }
        return true
    }

    /// The chunk that begins at `place`; `nil` where not even its head is there.
    private func chunk(at place: Int, in file: SoundBytes) throws -> (name: String, size: Int)? {
        let head = try file.bytes(at: place, count: chunkHead)
        guard head.count == chunkHead else { return nil }
        let size = isLittle ? head[4...].littleEndian : head[4...].bigEndian
        return (String(decoding: head[..<4], as: UTF8.self), size)
    }

    private func padding(_ size: Int) -> Int { chunkHead == 8 ? size % 2 : 0 }

    /// Goes through the chunks from `start` on until one that `take` says is the last, which holds the samples.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: Where the first chunk begins.
    ///   - take: Gets the name of a chunk, where its content begins, and its size as it is written there.
    /// - Returns: Whether there is such a one.
    /// - Throws: What `take` and reading throw.
    private func walk(
        _ file: SoundBytes,
        from start: Int,
        take: (_ name: String, _ place: Int, _ size: Int) throws -> Bool
    ) throws -> Bool {
        var place = start
        while let chunk = try chunk(at: place, in: file) {
            let content = place + chunkHead
            if try take(chunk.name, content, chunk.size) { return true }
            guard (0...file.length - content).contains(chunk.size) else { return false }
            place = content + chunk.size + padding(chunk.size)
        }
        return false
    }

    /// Whether `size` is one that programs write that do not know it.
    private static func isUnknown(_ size: Int) -> Bool {
        (0xFFFF_F000...0xFFFF_FFFF).contains(size) || (0x7FFF_F000...0x8000_0000).contains(size)
    }

    // MARK: - Formats

    /// - SeeAlso: Apple, “Audio Interchange File Format: AIFF” and “AIFF-C”, sections 4 and 5.
    private mutating func readAIFF(_ file: SoundBytes) throws -> Bool {
        let size = try file.bytes(at: 4, count: 4).bigEndian
        if size > 0, !Self.isUnknown(size) { whole = size }
        var common: (place: Int, bytes: [UInt8])?
        var samples: (place: Int, size: Int)?
        let isFound = try walk(file, from: 12) { name, place, size in
            if name == "COMM" { common = (place, try file.bytes(at: place, count: min(size, 22))) }
            if name == "SSND" { samples = (place, size) }
            return name == "SSND"
        }
        guard isFound, let samples, let common, common.bytes.count >= 18 else { return false }
        // Samples that begin later, for the sake of blocks, are the library's affair.
        let offset = try file.bytes(at: samples.place, count: 8)
        guard offset.count == 8, offset[..<4].allSatisfy({ $0 == 0 }) else { return false }
        let bytes = common.bytes
        let codec = bytes.count == 22 ? String(decoding: bytes[18...], as: UTF8.self) : "NONE"
        let (channels, rate) = (bytes[0..<2].bigEndian, Self.extended(bytes[8..<18]))
        if codec == "ima4" {
            setFrame(channels: channels, width: 34, samples: 64, rate: rate)
        } else {
            guard let width = Self.width(of: codec, bits: bytes[6..<8].bigEndian) else { return false }
            setFrame(channels: channels, width: width, rate: rate)
        }
        data = samples.place + 8
        announced = samples.size < 8 || Self.isUnknown(samples.size) ? nil : samples.size - 8
        fields = [
            (4, 4, .whole), (common.place + 2, 4, .frames), (samples.place - 4, 4, .samples(more: 8)),
        ]
        return true
    }

    /// The bytes of a sample; `nil` for codecs whose samples have no fixed size.
    private static func width(of codec: String, bits: Int) -> Int? {
        switch codec {
        case "NONE", "twos", "sowt", "raw ", "in24", "in32": (1...32).contains(bits) ? (bits + 7) / 8 : nil
        case "fl32", "FL32": 4
        case "fl64", "FL64": 8
        case "alaw", "ALAW", "ulaw", "ULAW": 1
        default: nil
        }
    }

    /// The number that ten bytes are: an exponent, and a mantissa of which the first half suffices.
    private static func extended(_ bytes: ArraySlice<UInt8>) -> Double {
        let exponent = bytes.prefix(2).bigEndian & 0x7FFF
        let mantissa = Double(bytes.dropFirst(2).prefix(4).bigEndian)
        return Double(sign: .plus, exponent: exponent - 16_383 - 31, significand: mantissa)
    }

    /// - SeeAlso: Apple, “Core Audio Format Specification 1.0”, the audio description and audio data chunks.
    private mutating func readCAF(_ file: SoundBytes) throws -> Bool {
        chunkHead = 12
        var description: [UInt8] = []
        var samples: (place: Int, size: Int)?
        let isFound = try walk(file, from: 8) { name, place, size in
            if name == "desc" { description = try file.bytes(at: place, count: 32) }
            if name == "data" { samples = (place, size) }
            return name == "data"
        }
        guard isFound, let samples, description.count == 32, description[20..<24].bigEndian == 1 else { return false }
        guard ["lpcm", "alaw", "ulaw"].contains(String(decoding: description[8..<12], as: UTF8.self)) else {
            return false
        }
        let channels = description[24..<28].bigEndian
        let packet = description[16..<20].bigEndian
        guard channels > 0, packet % channels == 0 else { return false }
        let bits = UInt64(truncatingIfNeeded: description[..<8].bigEndian)
        setFrame(channels: channels, width: packet / channels, rate: Double(bitPattern: bits))
        data = samples.place + 4
        guard data <= file.length else { return false }
        announced = samples.size < 4 ? nil : samples.size - 4
        fields = [(samples.place - 8, 8, .samples(more: 4))]
        return true
    }

    /// - SeeAlso: ITU-R BS.2088, and EBU Tech 3306 for RF64.
    private mutating func readRF64(_ file: SoundBytes) throws -> Bool {
        guard try file.has("WAVE", at: 8) else { return false }
        isLittle = true
        isRenamed = try file.has("BW64", at: 0)
        var (sizes, format): ((place: Int, bytes: [UInt8])?, [UInt8]) = (nil, [])
        var samples: (place: Int, size: Int)?
        let isFound = try walk(file, from: 12) { name, place, size in
            if name == "ds64" { sizes = (place, try file.bytes(at: place, count: 24)) }
            if name == "fmt " { format = try file.bytes(at: place, count: 16) }
            if name == "data" { samples = (place, size) }
            return name == "data"
        }
        guard isFound, let samples, let sizes, sizes.bytes.count == 24, format.count == 16 else { return false }
        // PCM, floating point, A-law, µ-law, and what names one of them further on.
        guard [1, 3, 6, 7, 0xFFFE].contains(format[..<2].littleEndian) else { return false }
        let channels = format[2..<4].littleEndian
        let frame = format[12..<14].littleEndian
        guard channels > 0, frame % channels == 0 else { return false }
        setFrame(channels: channels, width: frame / channels, rate: Double(format[4..<8].littleEndian))
        data = samples.place
        let size = samples.size == 0xFFFF_FFFF ? sizes.bytes[8..<16].littleEndian : samples.size
        announced = size < 0 ? nil : size
        let all = sizes.bytes[..<8].littleEndian
        if all > 0 { whole = all }
        fields = [
            (sizes.place, 8, .whole), (sizes.place + 8, 8, .samples(more: 0)), (sizes.place + 16, 8, .frames),
            (samples.place - 4, 4, .elsewhere),
        ]
        return true
    }

    /// WAV with the most significant byte first.
    private mutating func readRIFX(_ file: SoundBytes) throws -> Bool {
        guard try file.has("WAVE", at: 8) else { return false }
        let all = try file.bytes(at: 4, count: 4).bigEndian
        if all > 0, !Self.isUnknown(all) { whole = all }
        var format: [UInt8] = []
        var samples: (place: Int, size: Int)?
        let isFound = try walk(file, from: 12) { name, place, size in
            if name == "fmt " { format = try file.bytes(at: place, count: 16) }
            if name == "data" { samples = (place, size) }
            return name == "data"
        }
        guard isFound, let samples, format.count == 16 else { return false }
        // PCM, floating point, A-law, µ-law.
        guard [1, 3, 6, 7].contains(format[..<2].bigEndian) else { return false }
        let channels = format[2..<4].bigEndian
        let frame = format[12..<14].bigEndian
        guard channels > 0, frame % channels == 0 else { return false }
        setFrame(channels: channels, width: frame / channels, rate: Double(format[4..<8].bigEndian))
        data = samples.place
        announced = Self.isUnknown(samples.size) ? nil : samples.size
        fields = [(4, 4, .whole), (samples.place - 4, 4, .samples(more: 0))]
        return true
    }

    /// - SeeAlso: The audio file format of NeXT and Sun, “au(5)”.
    private mutating func readAU(_ file: SoundBytes) throws -> Bool {
        hasChunks = false
        let head = try file.bytes(at: 0, count: 24)
        guard head.count == 24 else { return false }
        let size = head[8..<12].bigEndian
        // µ-law, integers of one to four bytes, floating point, A-law.
        let widths = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1]
        guard let width = widths[head[12..<16].bigEndian] else { return false }
        setFrame(channels: head[20..<24].bigEndian, width: width, rate: Double(head[16..<20].bigEndian))
        data = head[4..<8].bigEndian
        guard (24...file.length).contains(data) else { return false }
        // The library knows what unknown sizes are. Some programs count the head, too.
        announced = Self.isUnknown(size) || size == file.length ? file.length - data : size
        fields = [(8, 4, .fewSamples)]
        return true
    }

    /// Leaves ``rate`` and ``frameLength`` as they are for what is true of no sound.
    private mutating func setFrame(channels: Int, width: Int, samples: Int = 1, rate: Double) {
        let isPossible = samples > 1 || (1...8).contains(width)
        guard (1...Self.maximumChannels).contains(channels), isPossible, Self.rates.contains(rate) else { return }
        frameLength = channels * width
        frameSamples = samples
        // The library rounds, too.
        self.rate = Int(rate.rounded())
    }
}
