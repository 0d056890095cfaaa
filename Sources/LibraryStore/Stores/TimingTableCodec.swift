import EchoText
import Foundation

/// The stored form of a timing table: variable-length integers, each position relative to the previous one.
///
/// A sentence's own text is omitted if it equals the whole text in its range.
enum TimingTableCodec {
    /// - Parameters:
    ///   - sentences: In order.
    ///   - text: The whole text in UTF-16 units; `nil` if unavailable; every sentence then stores its own text.
    /// - Returns: A format number, 1, and the table.
    static func encode(_ sentences: [TimedSentence], of text: [UInt16]?) -> Data {
        var writer = NumberWriter()
        writer.append(1)
        writer.append(sentences.count)
        var place = Place()
        for sentence in sentences {
            writer.append(range: sentence.source, after: &place.source)
            writer.append(range: sentence.samples, after: &place.samples)
            let units = Array(sentence.text.utf16)
            let isWritten = text.map { $0.has(units, at: sentence.source) } ?? false
            writer.append(isWritten ? 0 : 1)
            if !isWritten { writer.append(text: sentence.text) }
            writer.append(sentence.words.count)
            var inside = Place(source: sentence.source.lowerBound, samples: sentence.samples.lowerBound)
            for word in sentence.words {
                writer.append(range: word.source, after: &inside.source)
                writer.append(range: word.samples, after: &inside.samples)
                writer.append(word.precision == .exact ? 1 : 0)
            }
        }
        return writer.data
    }

    /// - Throws: ``VaultError/databaseDamaged``.
    static func decode(_ data: Data, of text: [UInt16]?) throws(VaultError) -> [TimedSentence] {
        var reader = NumberReader(data)
        // A newer program with another number supersedes the schema, and this one does not open its library.
        guard try reader.next() == 1 else { throw .databaseDamaged }
        var sentences: [TimedSentence] = []
        var place = Place()
        for _ in 0..<(try reader.count()) {
            let source = try reader.range(after: &place.source)
            let samples = try reader.range(after: &place.samples)
            let written = try reader.next() == 0 ? try text.written(at: source) : try reader.text()
            var inside = Place(source: source.lowerBound, samples: samples.lowerBound)
            var words: [TimedWord] = []
            for _ in 0..<(try reader.count()) {
                let source = try reader.range(after: &inside.source)
                let samples = try reader.range(after: &inside.samples)
                let precision: TimingPrecision = try reader.next() == 1 ? .exact : .estimated
                words.append(TimedWord(source: source, samples: samples, precision: precision))
            }
            sentences.append(TimedSentence(source: source, text: written, samples: samples, words: words))
        }
        guard reader.isAtEnd else { throw .databaseDamaged }
        return sentences
    }

    /// The end of the last range.
    private struct Place {
        var source = 0
        var samples = 0
    }
}

extension [UInt16] {
    fileprivate func has(_ units: [UInt16], at range: TextRange) -> Bool {
        range.upperBound <= count && self[range].elementsEqual(units)
    }
}

extension [UInt16]? {
    fileprivate func written(at range: TextRange) throws(VaultError) -> String {
        guard let self, range.upperBound <= self.count else { throw .databaseDamaged }
        return String(decoding: self[range], as: UTF16.self)
    }
}

/// Writes integers in groups of seven bits, the lowest first (LEB128), negative ones folded between the others (zigzag).
private struct NumberWriter {
    private(set) var data = Data()

    mutating func append(_ number: Int) {
        var rest = UInt64(bitPattern: Int64((number << 1) ^ (number >> 63)))
        while rest > 0x7F {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(range: Range<Int>, after place: inout Int) {
        append(range.lowerBound - place)
        append(range.count)
        place = range.upperBound
    }

    mutating func append(text: String) {
        append(text.utf8.count)
        data.append(contentsOf: text.utf8)
    }
}

private struct NumberReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ data: Data) {
        bytes = Array(data)
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func next() throws(VaultError) -> Int {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard index < bytes.count else { throw .databaseDamaged }
            defer { index += 1 }
            number |= UInt64(bytes[index] & 0x7F) << UInt64(shift)
            if bytes[index] & 0x80 == 0 {
                return Int(Int64(bitPattern: number >> 1)) ^ -Int(number & 1)
            }
        }
        throw .databaseDamaged
    }

    /// A number of things that take a byte each at least.
    mutating func count() throws(VaultError) -> Int {
        let count = try next()
        guard (0...bytes.count - index).contains(count) else { throw .databaseDamaged }
        return count
    }

    mutating func range(after place: inout Int) throws(VaultError) -> Range<Int> {
        let (start, isTooFar) = place.addingReportingOverflow(try next())
        let (end, isTooLong) = start.addingReportingOverflow(try next())
        guard !isTooFar, !isTooLong, start >= 0, end >= start, end <= RowBounds.counts.upperBound else {
            throw .databaseDamaged
        }
        place = end
        return start..<end
    }

    mutating func text() throws(VaultError) -> String {
        let length = try count()
        defer { index += length }
        return String(decoding: bytes[index..<index + length], as: UTF8.self)
    }
}
