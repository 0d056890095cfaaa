import Foundation

/// Collects statistics of a font's characters, to detect a font that maps to glyph numbers instead of letters.
///
/// It reports only fonts that match no language. Text in any script, tables, formulas and source code pass, as does a
/// font with fewer than ``fewest`` characters.
struct FontLetters {
    /// The least number of signs by which a font is judged.
    static let fewest = 60

    private(set) var count = 0
    private var ascii = [Int](repeating: 0, count: 128)
    /// How many pairs of letters are adjacent, in how many of them both are rare, and how many mix two scripts.
    private var (pairs, rarePairs, mixedPairs) = (0, 0, 0)
    private var last: Unicode.Scalar?
    /// How many round, square and curly brackets are open.
    private var open = [0, 0, 0]
    /// How many closing brackets had no opening bracket.
    private var strayBrackets = 0

    /// - Parameters:
    ///   - scalar: A character or a space.
    ///   - isBeside: Whether it follows the last one directly.
    mutating func add(_ scalar: Unicode.Scalar, isBeside: Bool) {
        if scalar.value < 0x80 {
            guard scalar.value > 0x20 else {
                last = nil
                return
            }
            ascii[Int(scalar.value)] += 1
            addBracket(scalar)
        }
        count += 1
        guard scalar.isASCII ? scalar.isLetter : scalar.properties.isAlphabetic else {
            last = nil
            return
        }
        if let last, isBeside {
            pairs += 1
            if scalar.isRareLetter, last.isRareLetter { rarePairs += 1 }
            if !scalar.isASCII, let script = scalar.foreignScript, let before = last.foreignScript, script != before {
                mixedPairs += 1
            }
        }
        last = scalar
    }

    private mutating func addBracket(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "(": open[0] += 1
        case "[": open[1] += 1
        case "{": open[2] += 1
        case ")": close(0)
        case "]": close(1)
        case "}": close(2)
        default: break
        }
    }

    private mutating func close(_ bracket: Int) {
        if open[bracket] > 0 { open[bracket] -= 1 } else { strayBrackets += 1 }
    }

    mutating func add(_ other: FontLetters) {
        count += other.count
        strayBrackets += other.strayBrackets
        for index in open.indices { open[index] += other.open[index] }
        for index in ascii.indices { ascii[index] += other.ascii[index] }
        (pairs, rarePairs, mixedPairs) =
            (pairs + other.pairs, rarePairs + other.rarePairs, mixedPairs + other.mixedPairs)
    }

    /// Whether its signs are probably not those that are seen on the page.
    var areGarbled: Bool {
        guard count >= Self.fewest else { return false }
        if pairs >= 40, rarePairs * 10 > pairs * 6 || mixedPairs * 5 > pairs { return true }
        return areOnlySigns || Self.shifts.contains(where: areShifted)
    }

    /// How much smaller the number of a glyph may be than the ASCII code of its letter: the space is glyph 1, 2, 3 or 4.
    private static let shifts = 28...31

    /// Whether the signs are much likelier as letters when `shift` is added to the ASCII code of each.
    private func areShifted(by shift: Int) -> Bool {
        let small = 0x61...0x7A
        let shifted = small.map { ascii[$0 - shift] }
        let letters = shifted.reduce(0, +)
        // A table of few letters, such as H and L, may look like words by chance.
        guard letters * 3 > count * 2, shifted.count(where: { $0 > 0 }) >= 12, (shifted.max() ?? 0) * 4 < letters else {
            return false
        }
        let (given, meant) = ((0x21...0x7E).map { ($0, $0) }, (0x21...0x7E).map { ($0, $0 + shift) })
        return likelihood(meant) > max(likelihood(given) + 0.6, -3.3)
    }

    /// The mean log frequency of the letters in texts in Latin script.
    ///
    /// - Parameter signs: ASCII characters, and the assumed meaning of each.
    /// - Returns: A value nearer to 0 for more likely texts; 0 without any of the characters.
    private func likelihood(_ signs: [(sign: Int, meaning: Int)]) -> Double {
        var (sum, total) = (0.0, 0)
        for (sign, meaning) in signs where ascii[sign] > 0 {
            let letter = meaning | 0x20
            let isLetter = (0x61...0x7A).contains(letter) && meaning >= 0x41
            sum += Double(ascii[sign]) * log(isLetter ? Self.frequencies[letter - 0x61] : 0.0005)
            total += ascii[sign]
        }
        return total > 0 ? sum / Double(total) : 0
    }

    /// How often the letters a to z are, without accents: the mean of English, German, French, Spanish, Italian, Estonian,
    /// Finnish, Polish, Turkish and Swahili, rounded.
    private static let frequencies = [
        0.094, 0.014, 0.022, 0.036, 0.106, 0.009, 0.018, 0.023, 0.082, 0.011, 0.032, 0.048, 0.030,
        0.068, 0.055, 0.020, 0.004, 0.057, 0.059, 0.058, 0.042, 0.013, 0.011, 0.002, 0.014, 0.013,
    ]

    /// Whether there are hardly any letters, but many different symbols, with unbalanced brackets.
    private var areOnlySigns: Bool {
        let signs = "!\"#$%&'()*+/:;<=>?@[\\]^{|}~".utf8.map { ascii[Int($0)] }
        let letters = (0x41...0x7A).reduce(0) { $0 + (UnicodeScalar(UInt8($1)).isLetter ? ascii[$1] : 0) }
        guard letters * 4 < count, signs.reduce(0, +) * 2 > count, signs.count(where: { $0 * 66 > count }) >= 8 else {
            return false
        }
        let brackets = "()[]{}".utf8.reduce(0) { $0 + ascii[Int($1)] }
        let unmatched = strayBrackets + open.reduce(0, +)
        return unmatched >= 4 && unmatched * 10 > brackets
    }
}

/// The signs of each font of a page.
struct PageFonts {
    private let names: [String]
    private var counts: [FontLetters]
    private var font: Int?

    /// - Parameter names: The fonts, as ``PDFRun/font`` numbers them; each name once.
    init(names: [String]) {
        self.names = names
        counts = Array(repeating: FontLetters(), count: names.count)
    }

    /// Adds the next sign of the page.
    mutating func add(_ scalar: Unicode.Scalar, font: Int) {
        guard counts.indices.contains(font) else { return }
        counts[font].add(scalar, isBeside: font == self.font)
        self.font = font
    }

    /// The signs of each font by its name.
    var byName: [String: FontLetters] {
        Dictionary(uniqueKeysWithValues: zip(names, counts)).filter { $0.value.count > 0 }
    }
}

/// The signs of each font of a document.
struct DocumentFonts: Sendable {
    private var letters: [String: FontLetters] = [:]
    /// How many signs of each font each page has, and whether that page alone shows that they are garbled.
    private var pages: [Int: [String: (count: Int, areGarbled: Bool)]] = [:]

    /// Adds the characters of each font of `page`.
    mutating func add(_ page: inout PrintedPage) {
        for (name, found) in page.letters { letters[name, default: FontLetters()].add(found) }
        if !page.letters.isEmpty { pages[page.index] = page.letters.mapValues { ($0.count, $0.areGarbled) } }
        page.letters = [:]
    }

    /// How many letters of each page, counted from 0, probably differ from the visible ones; pages without any are
    /// omitted.
    var garbledLetters: [Int: Int] {
        let garbled = Set(letters.filter { $0.value.areGarbled }.keys)
        return pages.compactMapValues { fonts in
            let count = fonts.reduce(0) { sum, font in
                font.value.areGarbled || garbled.contains(font.key) ? sum + font.value.count : sum
            }
            return count > 0 ? count : nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value) }

    /// Whether it is an accented or phonetic Latin letter outside those of Western Europe: in no language are two such
    /// letters usually adjacent.
    fileprivate var isRareLetter: Bool { (0x100...0x2AF).contains(value) }

    /// The script of a letter between Greek and Mongolian, as a number, or `nil` for others.
    ///
    /// Words use a single script.
    fileprivate var foreignScript: UInt32? {
        switch value {
        case 0x0370...0x03FF: 1
        case 0x0400...0x052F: 2
        case 0x0530...0x058F: 3
        case 0x0590...0x05FF: 4
        case 0x0600...0x08FF: 5
        // Each script of India, Thai and Lao has a number.
        case 0x0900...0x0EFF: value >> 7
        case 0x0F00...0x0FFF: 6
        case 0x1000...0x109F: 7
        case 0x10A0...0x10FF: 8
        case 0x1100...0x11FF: 9
        case 0x1200...0x139F: 10
        case 0x13A0...0x13FF: 11
        case 0x1400...0x167F: 12
        case 0x1680...0x177F: 13
        case 0x1780...0x17FF: 14
        case 0x1800...0x18AF: 15
        default: nil
        }
    }
}
