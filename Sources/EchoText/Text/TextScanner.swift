/// Finds what is to be said otherwise than it is written: one walk over the units, with table look-ups.
///
/// Every reading takes a bounded look ahead and back, or consumes what it has looked at, so that the walk stays linear.
struct TextScanner {
    let units: [UInt16]
    let rules: LanguageRules?
    let steps: TextPreparation.Steps
    let monthFirst: Bool
    let dictionary: PronunciationDictionary?

    /// Nothing is read from here on: the next range somebody else has claimed begins here.
    var end = 0
    var position = 0
    private(set) var output: [Rewrite] = []

    /// The word and the number that were passed last.
    private(set) var lastWord = 0..<0
    private(set) var wordBeforeLast = 0..<0
    var lastNumberEnd = -1
    /// The end of the last date in digits.
    var lastDateEnd = -1
    /// The beginning of the second month of a span: “03/2015–06/2018”.
    var monthOfSpan = -1
    /// The end of the last length of time, so that “2:00:35–2:01:39” is two of them.
    var lastDurationEnd = -1
    /// The end of the last Roman numeral behind a word for what is counted.
    var lastRomanEnd = -1
    /// The end of the number of the last ruler, and the word before that ruler, which sets the case.
    var lastRulerEnd = -1
    var governorOfRuler = ""
    /// The end of the last number that was a year, so that “1914 and 1918” is two of them.
    var lastYearEnd = -1
    /// Whether what was said last is a time of day, so that “14.30–15.00” is two of them.
    var lastNumberWasTime = false
    /// The end of the last time of day, so that “kell 7.05 ja 8.15” is two of them.
    var lastTimeEnd = -1

    init(
        units: [UInt16],
        rules: LanguageRules?,
        steps: TextPreparation.Steps,
        monthFirst: Bool,
        dictionary: PronunciationDictionary?
    ) {
        self.units = units
        self.rules = rules
        self.steps = steps
        self.monthFirst = monthFirst
        self.dictionary = steps.contains(.dictionary) ? dictionary : nil
    }

    /// The replacements, in order and without overlaps.
    mutating func rewrites() -> [Rewrite] {
        for claim in claims() {
            scan(upTo: claim.range.lowerBound)
            output.append(claim)
            position = claim.range.upperBound
            noteWord(claim.range)
        }
        scan(upTo: units.count)
        return output
    }

    private mutating func scan(upTo limit: Int) {
        end = limit
        while position < limit {
            let before = position
            switch CharacterClass(units[position]) {
            case .letter: scanWord()
            case .digit: scanNumber()
            case .space: position += 1
            case .sign: scanSign()
            }
            if position == before { position += 1 }
        }
    }

    // MARK: Looking around

    /// The unit at `index`, or a space outside what may be read.
    @inline(__always)
    func unit(_ index: Int) -> UInt16 {
        index >= 0 && index < end ? units[index] : 0x20
    }

    /// The ASCII character at `index`.
    @inline(__always)
    func has(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
        unit(index) == UInt16(ascii: scalar)
    }

    func wordEnd(from start: Int) -> Int {
        var index = start
        while index < end, units[index].isLetterOrDigit || isApostrophe(index) && index > start {
            index += 1
        }
        return index
    }

    func isApostrophe(_ index: Int) -> Bool {
        (units[index] == 0x27 || units[index] == 0x2019) && unit(index + 1).isLetter && unit(index - 1).isLetter
    }

    func digitsEnd(from start: Int) -> Int {
        var index = start
        while index < end, units[index].isDigit {
            index += 1
        }
        return index
    }

    func skipBlanks(from start: Int, atMost count: Int = 1) -> Int {
        var index = start
        while index < end, index < start + count, units[index].isBlank {
            index += 1
        }
        return index
    }

    /// The word at `start` in lower case, or an empty string when none begins there.
    func word(at start: Int) -> String {
        guard unit(start).isLetter else { return "" }
        return lowercased(start..<wordEnd(from: start))
    }

    /// The word after white space from `start` on.
    func nextWord(from start: Int) -> String {
        word(at: skipBlanks(from: start, atMost: 2))
    }

    /// The word that ends right before `index`, white space aside.
    func previousWord(before index: Int) -> String {
        var boundary = index
        while boundary > 0, units[boundary - 1].isSpace, index - boundary < 2 {
            boundary -= 1
        }
        return !lastWord.isEmpty && lastWord.upperBound == boundary ? lowercased(lastWord) : ""
    }

    /// The word before `index`, of which a full stop or a colon may follow (“Tel.: 030”).
    func abbreviatedWord(before index: Int) -> String {
        var boundary = index
        while boundary > 0, units[boundary - 1].isSpace, index - boundary < 2 { boundary -= 1 }
        while boundary > 0, units[boundary - 1] == 0x2E || units[boundary - 1] == 0x3A, index - boundary < 4 {
            boundary -= 1
        }
        return !lastWord.isEmpty && lastWord.upperBound == boundary ? lowercased(lastWord) : ""
    }

    /// A short range in lower case; longer ones, which no table holds, give an empty string.
    func lowercased(_ range: Range<Int>) -> String {
        guard range.count <= 32 else { return "" }
        return String(unsafeUninitializedCapacity: 96) { buffer in
            var length = 0
            for index in range {
                length = Self.encode(units[index].lowercase, into: buffer, at: length)
            }
            return length
        }
    }

    /// Appends one unit as UTF-8; halves of surrogate pairs, which no table holds, become a full stop.
    @inline(__always)
    private static func encode(_ unit: UInt16, into buffer: UnsafeMutableBufferPointer<UInt8>, at index: Int) -> Int {
        switch unit {
        case 0..<0x80:
            buffer[index] = UInt8(truncatingIfNeeded: unit)
            return index + 1
        case 0x80..<0x800:
            buffer[index] = UInt8(truncatingIfNeeded: 0xC0 | unit >> 6)
            buffer[index + 1] = UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F)
            return index + 2
        case 0xD800...0xDFFF:
            buffer[index] = 0x2E
            return index + 1
        default:
            buffer[index] = UInt8(truncatingIfNeeded: 0xE0 | unit >> 12)
            buffer[index + 1] = UInt8(truncatingIfNeeded: 0x80 | unit >> 6 & 0x3F)
            buffer[index + 2] = UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F)
            return index + 3
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: units[range], as: UTF16.self)
    }

    /// Whether only closing marks and white space follow, a bounded look ahead.
    func isSentenceEnd(_ index: Int) -> Bool {
        var index = index
        let limit = min(units.count, index + 16)
        while index < limit {
            switch units[index] {
            case 0x29, 0x5D, 0x22, 0x27, 0x201D, 0x2019, 0xBB, 0x2A, 0x5F: index += 1
            default:
                guard units[index].isSpace else { return false }
                index += 1
            }
        }
        return index >= units.count
    }

    // MARK: Results

    mutating func say(_ words: String, for range: Range<Int>, isPartOfWord: Bool = false) {
        output.append(Rewrite(range: range, content: .words(words), isPartOfWord: isPartOfWord))
        position = range.upperBound
    }

    mutating func silence(_ range: Range<Int>) {
        output.append(Rewrite(range: range, content: .silent))
        position = range.upperBound
    }

    mutating func noteWord(_ range: Range<Int>) {
        wordBeforeLast = lastWord
        lastWord = range
    }
}

extension UInt16 {
    /// Lower case for the letters ``isUppercase`` knows.
    @inline(__always)
    var lowercase: UInt16 {
        guard isUppercase else { return self }
        switch self {
        case 0x100...0x17E: return self + 1
        case 0x400...0x40F: return self + 0x50
        default: return self + 0x20
        }
    }
}

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

extension String {
    /// The text in `range`, in UTF-16 units, which cuts no character's two units apart; beyond its ends there is nothing.
    package func part(_ range: TextRange) -> Substring {
        let range = range.clamped(to: 0..<utf16.count)
        let start = utf16.index(startIndex, offsetBy: range.lowerBound)
        return self[start..<utf16.index(start, offsetBy: range.count)]
    }

    /// `range`, as far as the text has it, made wide enough that it cuts no character's two units apart.
    package func wholeCharacters(_ range: TextRange) -> TextRange {
        let units = utf16
        let range = range.clamped(to: 0..<units.count)
        guard !range.isEmpty else { return range }
        let start = units.index(units.startIndex, offsetBy: range.lowerBound)
        let end = units.index(start, offsetBy: range.count)
        let lower = start < units.endIndex && units[start].isLowSurrogate && range.lowerBound > 0 ? 1 : 0
        let upper = end < units.endIndex && units[end].isLowSurrogate ? 1 : 0
        return range.lowerBound - lower..<range.upperBound + upper
    }
}
