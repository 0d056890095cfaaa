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
            } else if scalar.isWrittenWithoutSpaces {
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

    /// Whether it is a sign for a word or a syllable, of a script that has no spaces between words: a Chinese ideograph
    /// or kana.
    var isWrittenWithoutSpaces: Bool {
        guard value >= 0x3000, properties.isAlphabetic else { return false }
        return properties.isIdeographic || value == 0x3005 || (0x3041...0x30FF).contains(value)
            || (0x31F0...0x31FF).contains(value) || (0xFF66...0xFF9D).contains(value)
    }

    /// Whether a stranger's text may be shown with it, on a terminal and elsewhere: it is neither a control character nor one
    /// that affects the direction or layout of the text around it.
    package var isSafeToShow: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    /// Whether recognized text may contain it, which a taken-over worker or a service sends.
    package var isOfTranscript: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Joiners are parts of words in some scripts; other format characters may change the direction of text.
        case .format: value == 0x200C || value == 0x200D
        default: true
        }
    }
}

extension String {
    /// Without white space at both ends.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
