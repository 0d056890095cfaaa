package import Foundation

/// Bytes to text, block by block.
package struct TextDecoder {
    package enum Encoding { case utf8, utf16LittleEndian, utf16BigEndian }

    package let encoding: Encoding
    package private(set) var replacements = 0
    private var rest: [UInt8] = []
    private var skip: Int

    package init(startingWith block: Data) {
        switch Array(block.prefix(3)) {
        case let bytes where bytes.starts(with: [0xFF, 0xFE]): (encoding, skip) = (.utf16LittleEndian, 2)
        case let bytes where bytes.starts(with: [0xFE, 0xFF]): (encoding, skip) = (.utf16BigEndian, 2)
        case [0xEF, 0xBB, 0xBF]: (encoding, skip) = (.utf8, 3)
        default: (encoding, skip) = (.utf8, 0)
        }
    }

    /// How many UTF-16 units the text in `block` has, a piece of valid UTF-8 cut anywhere.
    package static func utf16Units(inUTF8 block: Data) -> Int {
        block.withUnsafeBytes { bytes in
            var units = 0
            for byte in bytes {
                if byte & 0xC0 != 0x80 { units &+= 1 }
                if byte >= 0xF0 { units &+= 1 }
            }
            return units
        }
    }

    package mutating func decode(_ block: Data, isLast: Bool) -> String {
        rest.append(contentsOf: block.dropFirst(skip))
        skip = 0
        let whole = isLast ? rest.count : rest.count - unfinished
        defer { rest.removeFirst(whole) }
        switch encoding {
        case .utf8:
            if let text = String(validating: rest[..<whole], as: UTF8.self) { return text }
            let text = String(decoding: rest[..<whole], as: UTF8.self)
            replacements += text.unicodeScalars.count { $0 == "\u{FFFD}" }
            return text
        case .utf16LittleEndian, .utf16BigEndian:
            let units = stride(from: 0, to: whole & ~1, by: 2).map { index in
                let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
                return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
            }
            if let text = String(validating: units, as: UTF16.self), whole % 2 == 0 { return text }
            let text = String(decoding: units, as: UTF16.self) + (whole % 2 == 0 ? "" : "\u{FFFD}")
            replacements += text.unicodeScalars.count { $0 == "\u{FFFD}" }
            return text
        }
    }

    /// How many bytes at the end may be the beginning of a character.
    private var unfinished: Int {
        switch encoding {
        case .utf8:
            for back in 1...3 where back <= rest.count {
                let byte = rest[rest.count - back]
                if byte & 0xC0 == 0x80 { continue }
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
                return length > back ? back : 0
            }
            return 0
        case .utf16LittleEndian, .utf16BigEndian:
            let odd = rest.count % 2
            guard rest.count >= 2 + odd else { return odd }
            let index = rest.count - odd - 2
            let high = encoding == .utf16LittleEndian ? rest[index + 1] : rest[index]
            return (0xD8...0xDB).contains(high) ? odd + 2 : odd
        }
    }
}
