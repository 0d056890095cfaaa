package import Foundation

/// The header of a WAV file: mono, 16-bit PCM.
///
/// - SeeAlso: Multimedia Programming Interface and Data Specifications 1.0 (RIFF, LIST INFO); EBU Tech 3306 (RF64).
package struct WAVHeader: Sendable {
    /// The length of a header without tags and extension, as the library writes it, in bytes.
    package static let plainLength = 44
    /// The most bytes of samples that a plain header can declare.
    package static let maximumPlainData = Int(UInt32.max) - plainLength

    /// Samples per second, in hertz.
    package var sampleRate: Int
    package var tags: AudioTags
    /// Bytes of samples, or `nil` while nobody knows: every size is then 0xFFFFFFFF, which readers take for “until the
    /// end”.
    package var dataLength: Int64?
    /// Whether to keep room for the 64-bit sizes of RF64, which a file needs that may outgrow 4 GiB.
    package var isExtensible: Bool

    package init(sampleRate: Int, tags: AudioTags = AudioTags(), dataLength: Int64?, isExtensible: Bool = false) {
        self.sampleRate = sampleRate
        self.tags = tags
        self.dataLength = dataLength
        self.isExtensible = isExtensible
    }

    /// Parses the plain header of a complete file.
    ///
    /// Fails unless the header declares 16-bit mono PCM up to the file's end.
    ///
    /// - Parameters:
    ///   - bytes: The first ``plainLength`` of the file.
    ///   - fileLength: The length of the whole file, in bytes.
    package init?(plain bytes: Data, fileLength: Int) {
        let bytes = [UInt8](bytes)
        let length = fileLength - Self.plainLength
        guard bytes.count == Self.plainLength, length >= 0, length.isMultiple(of: 2) else { return nil }
        let rate = bytes[24..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (1...Int(Int32.max)).contains(rate) else { return nil }
        self.init(sampleRate: rate, dataLength: Int64(length))
        // The RIFF chunk's size, after the first identifier, is redundant.
        let expected = self.bytes
        guard bytes[..<4] == expected[..<4], bytes[8...] == expected[8...] else { return nil }
    }

    /// A whole file of a short sound.
    package static func file(of samples: [Int16], sampleRate: Int) -> Data {
        let header = WAVHeader(sampleRate: sampleRate, dataLength: Int64(2 * samples.count))
        // Little-endian, as every machine is that Swift runs on.
        return samples.withUnsafeBytes { Data(header.bytes) + $0 }
    }

    private static let unknownSize = UInt32.max
    /// Two 64-bit sizes, a 64-bit sample count and an empty table.
    private static let extendedSizesLength: UInt32 = 28

    /// As many bytes whatever ``dataLength`` is.
    package var bytes: [UInt8] {
        let beforeData = waveChunks.count + 8 + 4
        let whole = dataLength.map { $0 + Int64(beforeData) + (isExtensible ? 36 : 0) }
        let isLarge = isExtensible && (whole ?? 0) >= Int64(Self.unknownSize)
        var bytes: [UInt8] = []
        bytes.append(identifier: isLarge ? "RF64" : "RIFF")
        bytes.append(littleEndian: isLarge ? Self.unknownSize : Self.size(whole))
        bytes.append(identifier: "WAVE")
        if isExtensible {
            bytes.append(identifier: isLarge ? "ds64" : "JUNK")
            bytes.append(littleEndian: Self.extendedSizesLength)
            bytes += isLarge ? extendedSizes(whole: whole ?? 0) : Array(repeating: 0, count: 28)
        }
        bytes += waveChunks
        bytes.append(identifier: "data")
        bytes.append(littleEndian: isLarge ? Self.unknownSize : Self.size(dataLength))
        return bytes
    }

    private static func size(_ length: Int64?) -> UInt32 {
        length.map { UInt32(clamping: $0) } ?? unknownSize
    }

    private func extendedSizes(whole: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        let data = dataLength ?? 0
        bytes.append(littleEndian: UInt64(whole))
        bytes.append(littleEndian: UInt64(data))
        bytes.append(littleEndian: UInt64(data / 2))
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }

    /// The format, then the tags.
    private var waveChunks: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(identifier: "fmt ")
        bytes.append(littleEndian: UInt32(16))
        bytes.append(littleEndian: UInt16(1))  // PCM
        bytes.append(littleEndian: UInt16(1))  // channels
        bytes.append(littleEndian: UInt32(sampleRate))
        bytes.append(littleEndian: UInt32(sampleRate * 2))  // bytes per second
        bytes.append(littleEndian: UInt16(2))  // bytes per frame
        bytes.append(littleEndian: UInt16(16))  // bits per sample
        return bytes + tagChunk
    }

    private var tagChunk: [UInt8] {
        let fields = [
            ("INAM", tags.title), ("IART", tags.artist), ("IPRD", tags.album), ("ICMT", tags.comment),
            ("ICRD", tags.date),
        ]
        var list: [UInt8] = []
        for case (let identifier, let text?) in fields {
            var value = Array(text.utf8.prefix { $0 != 0 }) + [0]
            list.append(identifier: identifier)
            list.append(littleEndian: UInt32(value.count))
            if !value.count.isMultiple(of: 2) { value.append(0) }
            list += value
        }
        guard !list.isEmpty else { return [] }
        var chunk: [UInt8] = []
        chunk.append(identifier: "LIST")
        chunk.append(littleEndian: UInt32(list.count + 4))
        chunk.append(identifier: "INFO")
        return chunk + list
    }
}

extension [UInt8] {
    fileprivate mutating func append(identifier: String) {
        append(contentsOf: identifier.utf8)
    }

    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
