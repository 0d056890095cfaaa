extension String {
    /// How many words it has: runs of anything but white space with a letter or digit in them; each Chinese ideograph and
    /// each kana is a word of its own.
    ///
    /// `countWords` of the page's `pages/speak.js` counts the same; `Tests/Fixtures/word-counts.json` holds both to it.
    package var wordCount: Int {
        var count = 0
        var isCounted = false
        for scalar in unicodeScalars {
            if scalar.isSpace {
                isCounted = false
            } else if scalar.isWordByItself {
                count += 1
                isCounted = false
            } else if !isCounted, scalar.isLetterOrNumber {
                count += 1
                isCounted = true
            }
        }
        return count
    }
}

/// Most of a long text is ASCII, whose properties need not be looked up.
extension Unicode.Scalar {
    fileprivate var isSpace: Bool { isASCII ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace }

    fileprivate var isLetterOrNumber: Bool {
        guard isASCII else { return properties.isAlphabetic || properties.numericType != nil }
        return (0x30...0x39).contains(value) || (0x41...0x5A).contains(value & 0xDF)
    }

    /// Whether it is of a script that is written without spaces, a sign for a word or a syllable.
    fileprivate var isWordByItself: Bool {
        guard value >= 0x3000, properties.isAlphabetic else { return false }
        return properties.isIdeographic || (0x3041...0x30FF).contains(value) || (0x31F0...0x31FF).contains(value)
            || (0xFF66...0xFF9D).contains(value)
    }
}
