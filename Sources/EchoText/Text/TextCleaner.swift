import Foundation

/// The work of ``CleanText``: one walk over the original's units.
struct TextCleaner {
    private let original: [UInt16]
    private(set) var units: [UInt16] = []
    private(set) var starts: [Int32] = []
    private(set) var ends: [Int32] = []
    private var plainForms: [UInt32: [UInt16]] = [:]
    private var position = 0

    /// How many combining marks one letter may carry; more are decoration.
    private static let maximumMarks = 16

    init(_ original: [UInt16]) {
        self.original = original
        units.reserveCapacity(original.count)
        starts.reserveCapacity(original.count)
        ends.reserveCapacity(original.count)
    }

    mutating func run() {
        while position < original.count {
            step(original[position])
        }
    }

    private mutating func step(_ unit: UInt16) {
        switch unit {
        case 0x20...0x7E, 0x09...0x0D: keep(unit)
        case 0x85, 0x2028, 0x2029: keep(0x0A)
        case 0xA0, 0x2007, 0x2009, 0x202F: keep(0xA0)
        // With the information separators.
        case 0x1C...0x1F, 0x2000...0x200A, 0x205F, 0x3000, 0x1680: keep(0x20)
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            position += 1
        case 0xFFFD, 0xFFFE, 0xFFFF: position += 1
        case 0x200B, 0x200C, 0x200D: joiner(unit)
        case 0x2019, 0x02BC: keep(isBetweenLetters ? 0x27 : unit)
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099, 0x309A: marks()
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: jamo()
        case 0xFF01...0xFF5E: keep(unit - 0xFEE0)
        case 0x2122: keep(unit)
        case 0x2100...0x214F, 0x2160...0x2188, 0x2460...0x24FF, 0x3200...0x33FF, 0xF900...0xFDFF, 0xFF5F...0xFFEF:
            replace(UInt32(unit), width: 1)
        case 0xFE70...0xFEFE: replace(UInt32(unit), width: 1)
        // Raised letters, as in “XVIIIᵉ” and “1ᵉʳ”.
        case 0x02B0...0x02B8, 0x02E0...0x02E4, 0x1D2C...0x1D6A: replace(UInt32(unit), width: 1)
        case 0xD800...0xDBFF: surrogates(unit)
        default: keep(unit)
        }
    }

    private mutating func keep(_ unit: UInt16) {
        append(unit, source: position..<position + 1)
        position += 1
    }

    private mutating func append(_ unit: UInt16, source: Range<Int>) {
        units.append(unit)
        starts.append(Int32(truncatingIfNeeded: source.lowerBound))
        ends.append(Int32(truncatingIfNeeded: source.upperBound))
    }

    private var isBetweenLetters: Bool {
        guard let last = units.last, last.isLetter, position + 1 < original.count else { return false }
        return original[position + 1].isLetter
    }

    /// Joiners mean nothing between the letters of Latin, Greek, Cyrillic and other simple scripts, much in Persian, the
    /// scripts of India and emoji.
    private mutating func joiner(_ unit: UInt16) {
        let before = units.last ?? 0x20
        let after = position + 1 < original.count ? original[position + 1] : 0x20
        if before < 0x590 || after < 0x590 {
            position += 1
        } else {
            keep(unit == 0x200B ? 0x20 : unit)
        }
    }

    private mutating func surrogates(_ high: UInt16) {
        guard position + 1 < original.count, original[position + 1].isLowSurrogate else {
            position += 1
            return
        }
        let scalar = 0x10000 + (UInt32(high & 0x3FF) << 10) + UInt32(original[position + 1] & 0x3FF)
        switch scalar {
        case 0x1D400...0x1D7FF, 0x1F100...0x1F189, 0x2F800...0x2FA1F: replace(scalar, width: 2)
        case 0xE0001, 0xE0100...0xE01EF: position += 2
        default:
            keep(high)
            keep(original[position])
        }
    }

    private mutating func replace(_ scalar: UInt32, width: Int) {
        let plain: [UInt16]
        if let known = plainForms[scalar] {
            plain = known
        } else {
            let character = Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
            plain = Array(character.precomposedStringWithCompatibilityMapping.utf16)
            plainForms[scalar] = plain
        }
        for unit in plain {
            append(unit, source: position..<position + width)
        }
        position += width
    }

    /// Puts the marks that follow a letter onto it.
    private mutating func marks() {
        var end = position
        while end < original.count, Self.isMark(original[end]) {
            end += 1
        }
        var base = units.count
        if base > 0, !units[base - 1].isSpace {
            base -= units[base - 1].isLowSurrogate && base > 1 ? 2 : 1
        }
        let start = base < units.count ? Int(starts[base]) : position
        let cluster = units[base...] + original[position..<min(end, position + Self.maximumMarks)]
        let composed = String(decoding: cluster, as: UTF16.self).precomposedStringWithCanonicalMapping.utf16
        removeUnits(from: base)
        for unit in composed {
            append(unit, source: start..<end)
        }
        position = end
    }

    /// Puts Korean letters together into syllables, a bounded stretch at a time.
    private mutating func jamo() {
        let start = position
        while position < original.count, position - start < 64, Self.isJamo(original[position]) {
            position += 1
        }
        let composed = String(decoding: original[start..<position], as: UTF16.self)
        for unit in composed.precomposedStringWithCanonicalMapping.utf16 {
            append(unit, source: start..<position)
        }
    }

    private mutating func removeUnits(from index: Int) {
        units.removeSubrange(index...)
        starts.removeSubrange(index...)
        ends.removeSubrange(index...)
    }

    private static func isMark(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099, 0x309A: true
        default: false
        }
    }

    private static func isJamo(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether it separates fields or records, and thus words; Unicode does not count it as white space.
    package var isInformationSeparator: Bool { (0x1C...0x1F).contains(value) }
}
