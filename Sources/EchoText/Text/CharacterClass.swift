/// The class of a UTF-16 unit for the scanner.
///
/// Signs are distinguished from letters by Unicode block, which is exact enough for finding the ends of words: halves of surrogate
/// pairs and combining marks count as letters, so that nothing cuts between them.
enum CharacterClass {
    case letter
    case digit
    case space
    case sign

    @inline(__always)
    init(_ unit: UInt16) {
        switch unit {
        case 0x30...0x39: self = .digit
        case 0x41...0x5A, 0x61...0x7A: self = .letter
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            self = .space
        case 0x00...0x7F: self = .sign
        case 0xAA, 0xB5, 0xBA: self = .letter
        case 0x80...0xBF, 0xD7, 0xF7: self = .sign
        case 0x200C, 0x200D: self = .letter
        case 0x2000...0x2BFF, 0x3001...0x3020, 0x3030, 0xFE10...0xFE1F, 0xFE30...0xFE6F, 0xFFFC...0xFFFF: self = .sign
        case 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65: self = .sign
        default: self = .letter
        }
    }
}

extension UInt16 {
    init(ascii scalar: Unicode.Scalar) {
        self = UInt16(truncatingIfNeeded: scalar.value)
    }

    var isDigit: Bool { self &- 0x30 < 10 }
    var isLetter: Bool { CharacterClass(self) == .letter }
    var isSpace: Bool { CharacterClass(self) == .space }
    var isLetterOrDigit: Bool { isDigit || isLetter }
    var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// A space that may stand between groups of three digits or between a number and its unit, but not a line end.
    var isBlank: Bool { self == 0x20 || self == 0xA0 || self == 0x202F || self == 0x2009 || self == 0x2007 }
    var isNoBreakSpace: Bool { self == 0xA0 || self == 0x202F || self == 0x2009 || self == 0x2007 }
    var isDash: Bool { self == 0x2D || self == 0x2010 || self == 0x2011 || self == 0x2013 || self == 0x2212 }
    var isHighSurrogate: Bool { self & 0xFC00 == 0xD800 }
    var isLowSurrogate: Bool { self & 0xFC00 == 0xDC00 }

    /// Exact for Latin-1, Latin Extended-A, Greek and Cyrillic, which is where abbreviations ask.
    var isUppercase: Bool {
        switch self {
        case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x391...0x3A9, 0x400...0x42F: true
        case 0x100...0x137, 0x14A...0x177: self & 1 == 0
        case 0x139...0x148, 0x179...0x17E: self & 1 == 1
        default: false
        }
    }

    var isLowercase: Bool {
        switch self {
        case 0x61...0x7A, 0xDF...0xF6, 0xF8...0xFF, 0x3B1...0x3C9, 0x430...0x45F: true
        case 0x100...0x137, 0x14A...0x177: self & 1 == 1
        case 0x139...0x148, 0x17A...0x17E: self & 1 == 0
        default: false
        }
    }
}
