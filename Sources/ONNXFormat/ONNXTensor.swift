package import Foundation

/// A constant of a model.
package struct ONNXTensor: Sendable {
    /// The supported values of `TensorProto.DataType`.
    package enum Element {
        package static let float = 1
        package static let int8 = 3
        package static let int64 = 7
    }

    package var name: String
    /// The dimensions; none is negative.
    package var dimensions: [Int]
    /// The element type, a value of `TensorProto.DataType`.
    package let type: Int
    /// The elements, little-endian, if they are stored as bytes; else `nil`.
    package let bytes: Data?
    /// The message's other encoded fields, if the elements are stored one by one.
    private let fields: Data

    private enum Field {
        static let dimensions = 1, type = 2, floats = 4, int64s = 7, name = 8, bytes = 9, externalData = 13
        static let location = 14
        static let elements = 4...11
    }

    /// The limit on the elements of one tensor; the largest of a voice has 2 million.
    private static let maximumElements = 1 << 28
    private static let maximumDimensions = 16

    /// A tensor of 64-bit numbers.
    package init(name: String, int64s: [Int]) {
        self.name = name
        dimensions = [int64s.count]
        type = Element.int64
        bytes = int64s.reduce(into: Data()) { data, number in
            withUnsafeBytes(of: Int64(number).littleEndian) { data.append(contentsOf: $0) }
        }
        fields = Data()
    }

    /// A tensor of 32-bit floats, row by row; their count must match `dimensions`.
    package init(name: String, floats: [Float], dimensions: [Int]) {
        self.name = name
        self.dimensions = dimensions
        type = Element.float
        bytes = floats.reduce(into: Data(capacity: floats.count * 4)) { data, number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        fields = Data()
    }

    /// A tensor of 8-bit numbers, row by row; their count must match `dimensions`.
    package init(name: String, int8s: [Int8], dimensions: [Int]) {
        self.name = name
        self.dimensions = dimensions
        type = Element.int8
        bytes = int8s.withUnsafeBytes { Data($0) }
        fields = Data()
    }

    /// - Parameters:
    ///   - data: The data that contains the message.
    ///   - range: The message, as offsets in `raw`.
    ///   - raw: The bytes of `data`.
    /// - Throws: ``ONNXFault``.
    init(_ data: Data, in range: Range<Int>, of raw: UnsafeRawBufferPointer) throws(ONNXFault) {
        var (name, type, dimensions) = ("", 0, [Int]())
        var (bytes, floats): (Range<Int>?, Range<Int>?) = (nil, nil)
        var kept = MessageWriter()
        var reader = MessageReader(raw, in: range)
        while let (number, value) = reader.next() {
            switch (number, value) {
            case (Field.name, .bytes(let range)): name = try raw.text(in: range)
            case (Field.type, .varint(let number)): type = Int(truncatingIfNeeded: number)
            case (Field.dimensions, _): try dimensions.append(contentsOf: raw.integers(in: value))
            case (Field.bytes, .bytes(let range)): bytes = range
            case (Field.floats, .bytes(let range)) where floats == nil && kept.data.isEmpty: floats = range
            case (Field.location, .varint(0)): break
            case (Field.location, _), (Field.externalData, _): throw .externalData
            case (Field.elements, .bytes(let range)): kept.write(number, data.part(range))
            case (Field.elements, .varint(let element)): kept.write(number, Int64(bitPattern: element))
            case (Field.elements, _): throw .unsupported
            default: break
            }
        }
        guard reader.isAtEnd else { throw .damaged }
        guard dimensions.count <= Self.maximumDimensions, kept.data.isEmpty || floats == nil else { throw .badTensor }
        self.name = name
        self.type = type
        self.dimensions = dimensions
        // A packed list of floats has the same bytes as raw data.
        self.bytes = (bytes ?? floats).map { data.part($0) }
        fields = kept.data
        try check()
    }

    /// The number of elements.
    package var count: Int { dimensions.reduce(1, *) }

    private func check() throws(ONNXFault) {
        var count = 1
        for dimension in dimensions {
            guard dimension >= 0 else { throw .badTensor }
            let (product, overflows) = count.multipliedReportingOverflow(by: dimension)
            guard !overflows, product <= Self.maximumElements else { throw .tooLarge }
            count = product
        }
        switch type {
        case Element.float: guard bytes.map({ $0.count == count * 4 }) ?? (count == 0) else { throw .badTensor }
        case Element.int64: guard bytes.map({ $0.count == count * 8 }) ?? true else { throw .badTensor }
        default: break
        }
    }

    /// Its elements, if they are 64-bit numbers; else `nil`.
    package var int64s: [Int]? {
        guard type == Element.int64 else { return nil }
        if let bytes {
            return bytes.withUnsafeBytes { raw in
                (0..<count).map { Int(Int64(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))) }
            }
        }
        return fields.withUnsafeBytes { raw in
            var numbers: [Int] = []
            var reader = MessageReader(raw)
            while let (number, value) = reader.next() {
                guard number == Field.int64s, let own = try? raw.integers(in: value) else { return nil }
                numbers += own
            }
            return numbers.count == count ? numbers : nil
        }
    }

    /// Its only element, if it is a 64-bit number.
    package var int64: Int? { count == 1 ? int64s?.first : nil }

    /// Its elements, if they are floats; else `nil`.
    package var floats: [Float]? {
        guard type == Element.float, let bytes else { return nil }
        return bytes.withUnsafeBytes { raw in
            (0..<count).map {
                Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
            }
        }
    }

    /// The encoded message in parts, so that its elements are not copied.
    var parts: [Data] {
        var message = MessageWriter()
        message.write(Field.dimensions, dimensions)
        message.write(Field.type, Int64(type))
        message.write(Field.name, name)
        guard let bytes else { return [message.data, fields] }
        message.begin(Field.bytes, count: bytes.count)
        return [message.data, bytes, fields]
    }
}

extension UnsafeRawBufferPointer {
    /// The limit on names in a model, in bytes.
    private static let longestName = 4_096

    /// - Throws: ``ONNXFault/damaged`` for invalid UTF-8, ``ONNXFault/tooLarge``.
    func text(in range: Range<Int>) throws(ONNXFault) -> String {
        guard range.count <= Self.longestName else { throw .tooLarge }
        guard let text = String(validating: self[range], as: UTF8.self) else { throw .damaged }
        return text
    }

    /// Reads one number or a packed list of numbers.
    ///
    /// - Throws: ``ONNXFault``.
    func integers(in value: MessageReader.Value) throws(ONNXFault) -> [Int] {
        switch value {
        case .varint(let number): return [Int(Int64(bitPattern: number))]
        case .bytes(let range):
            guard range.count <= 1 << 20 else { throw .tooLarge }
            var numbers: [Int] = []
            var reader = MessageReader(self, in: range)
            while !reader.isAtEnd {
                guard let number = reader.varint() else { throw .damaged }
                numbers.append(Int(Int64(bitPattern: number)))
            }
            return numbers
        case .fixed32, .fixed64: throw .damaged
        }
    }
}

extension Data {
    /// The bytes in `range`, relative to the first, without a copy.
    func part(_ range: Range<Int>) -> Data { self[startIndex + range.lowerBound..<startIndex + range.upperBound] }
}
