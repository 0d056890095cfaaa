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
    /// The end of the last Roman numeral behind a word for what is counted.
    var lastRomanEnd = -1
    /// The end of the last number that was a year, so that “1914 and 1918” is two of them.
    var lastYearEnd = -1
    /// Whether what was said last is a time of day, so that “14.30–15.00” is two of them.
    var lastNumberWasTime = false

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

    private func isApostrophe(_ index: Int) -> Bool {
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
