import Foundation

/// The words of a transcript's text.
extension String {
    /// The range of each word, with adjacent punctuation.
    ///
    /// Words are separated by white space. Each Chinese character and kana is a word, since these scripts do not use
    /// it.
    ///
    /// - Returns: In UTF-16 units, in order; together they cover everything but the white space.
    package var spokenWords: [TextRange] {
        var words: [TextRange] = []
        var begun: (start: Int, hasLetter: Bool, isWide: Bool)?
        var offset = 0
        func close() {
            if let word = begun { words.append(word.start..<offset) }
            begun = nil
        }
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace {
                close()
            } else {
                let isWide = scalar.isWrittenWithoutSpaces
                let isLetter = isWide || scalar.isPartOfWord
                if let word = begun, word.hasLetter, isLetter, isWide || word.isWide, !scalar.isMark { close() }
                let word = begun ?? (offset, false, false)
                begun = (word.start, word.hasLetter || isLetter, word.isWide || isWide)
            }
            offset += UTF16.width(scalar)
        }
        close()
        return words
    }

    /// The form for comparisons: letters and digits in lower case, without punctuation; empty for punctuation alone.
    package var comparedWord: String {
        var word = ""
        var isASCII = true
        for scalar in unicodeScalars where scalar.isPartOfWord {
            isASCII = isASCII && scalar.isASCII
            word.unicodeScalars.append(scalar)
        }
        return isASCII ? word.lowercased() : word.precomposedStringWithCanonicalMapping.lowercased()
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of a script that has no spaces between words.
    fileprivate var isWrittenWithoutSpaces: Bool {
        switch value {
        case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x323AF:
            true
        default: false
        }
    }

    /// Whether it is written in the width of two Latin letters.
    package var isFullWidth: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isPartOfWord: Bool {
        if isASCII {
            return (0x30...0x39).contains(value) || (0x41...0x5A).contains(value & 0xDF)
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        case .decimalNumber, .letterNumber, .otherNumber: return true
        default: return isMark
        }
    }
}
