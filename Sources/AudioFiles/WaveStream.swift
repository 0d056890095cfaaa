import EchoText
import Foundation

/// Reads the WAV file that FFmpeg writes into a pipe: 16 bits, of unknown length.
struct WaveStream {
    /// In bytes.
    private static let longestHeader = 64 << 10

    private var header: [UInt8]? = []
    /// The first byte of a sample that is not complete yet.
    private var rest: [UInt8] = []

    /// Takes bytes as they come.
    ///
    /// - Returns: What is complete with them.
    /// - Throws: ``SoundImportError/decoderDied`` for what is no such file.
    mutating func take(_ bytes: [UInt8]) throws(SoundImportError) -> (facts: WaveFacts?, samples: [Int16]) {
        guard var header else { return (nil, samples(bytes)) }
        header += bytes
        guard let facts = try WaveFacts(header) else {
            guard header.count <= Self.longestHeader else { throw .decoderDied }
            self.header = header
            return (nil, [])
        }
        self.header = nil
        return (facts, samples(Array(header[facts.length...])))
    }

    private mutating func samples(_ bytes: [UInt8]) -> [Int16] {
        let all = rest.isEmpty ? bytes : rest + bytes
        rest = all.count.isMultiple(of: 2) ? [] : all.suffix(1)
        return [Int16](unsafeUninitializedCapacity: all.count / 2) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: all.prefix(all.count & ~1))
            count = all.count / 2
        }
    }
}

/// What stands before the samples.
struct WaveFacts {
    let sampleRate: Int
    let channels: Int
    /// The channel in the middle, where there are more than two and it is known.
    let center: Int?
    let tags: SoundTags
    /// Bytes before the samples.
    let length: Int

    /// Below are no rates of sound, above only headers that lie; in hertz.
    private static let rates = 100...768_000

    /// - Returns: `nil` while `bytes` end before the samples.
    /// - Throws: ``SoundImportError/decoderDied``; ``SoundImportError/damaged(seconds:)`` for a rate that no sound has.
    init?(_ bytes: [UInt8]) throws(SoundImportError) {
        guard bytes.count >= 12 else { return nil }
        guard bytes.starts(with: Array("RIFF".utf8)) || bytes.starts(with: Array("RF64".utf8)),
            Self.name(bytes, 8) == "WAVE"
        else { throw .decoderDied }
        var rate: Int?
        var (channels, mask) = (0, 0)
        var texts: [String: String] = [:]
        var start = 12
        while start + 8 <= bytes.count {
            let (name, size) = (Self.name(bytes, start), Self.number(bytes, start + 4, 4))
            let inside = start + 8
            if name == "data" {
                guard let rate else { throw .decoderDied }
                guard Self.rates.contains(rate) else { throw .damaged(seconds: 0) }
                self.sampleRate = rate
                self.channels = channels
                // A bit for each loudspeaker, in the order of the channels; those in front come first.
                center = channels > 2 && mask & 4 != 0 ? (mask & 3).nonzeroBitCount : nil
                tags = SoundTags(
                    title: texts["INAM"],
                    artist: texts["IART"],
                    date: texts["ICRD"],
                    language: texts["ILNG"]
                )
                length = inside
                return
            }
            guard inside + size <= bytes.count else { return nil }
            if name == "fmt " {
                guard size >= 16, Self.number(bytes, inside + 14, 2) == 16 else { throw .decoderDied }
                channels = Self.number(bytes, inside + 2, 2)
                // Of many channels, the format names another, and where they belong.
                let isExtensible = Self.number(bytes, inside, 2) == 0xFFFE && size >= 40
                mask = isExtensible ? Self.number(bytes, inside + 20, 4) : 0
                let format = Self.number(bytes, inside + (isExtensible ? 24 : 0), 2)
                guard format == 1, (1...64).contains(channels) else { throw .decoderDied }
                rate = Self.number(bytes, inside + 4, 4)
            } else if name == "LIST" {
                texts = Self.texts(bytes[inside..<inside + size])
            }
            start = inside + size + size % 2
        }
        return nil
    }

    private static func texts(_ list: ArraySlice<UInt8>) -> [String: String] {
        let bytes = Array(list)
        var texts: [String: String] = [:]
        var start = 4
        while start + 8 <= bytes.count {
            let size = number(bytes, start + 4, 4)
            guard start + 8 + size <= bytes.count else { break }
            let text = bytes[start + 8..<start + 8 + size].prefix { $0 != 0 }
            texts[name(bytes, start)] = String(decoding: text, as: UTF8.self)
            start += 8 + size + size % 2
        }
        return texts
    }

    private static func name(_ bytes: [UInt8], _ place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
