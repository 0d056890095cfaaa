import EchoText

/// Cuts before sentences that begin with a number and a small letter, which ICU's rules join to the one before.
///
/// “Die Form einfetten. 200 g Butter rühren.” is two sentences. The word before the full stop must be one that no abbreviation looks
/// like; those that do are left to ICU, as in “tägl. 200 g”.
enum NumericOpenings {
    /// The ranges, some of them cut; still in order and covering the whole text.
    static func cut(_ ranges: [TextRange], in units: [UInt16], language: String) -> [TextRange] {
        guard let endings = Self.endings[language] else { return ranges }
        var cut: [TextRange] = []
        cut.reserveCapacity(ranges.count)
        for range in ranges {
            var start = range.lowerBound
            var index = start
            while index < range.upperBound {
                defer { index += 1 }
                guard units[index] == 0x2E, index + 2 < range.upperBound, isBlank(units[index + 1]),
                    isDigit(units[index + 2]), endsInWord(units[start..<index], endings)
                else { continue }
                cut.append(start..<index + 2)
                start = index + 2
            }
            cut.append(start..<range.upperBound)
        }
        return cut
    }

    /// Whether the units end in a word of at least five letters, none of them a capital but the first, with one of the endings.
    private static func endsInWord(_ units: ArraySlice<UInt16>, _ endings: [String]) -> Bool {
        let letters = units.suffix(24).reversed().prefix { Unicode.Scalar($0)?.properties.isAlphabetic ?? false }
        guard (5..<24).contains(letters.count) else { return false }
        // “www.einfetten. 5” and “GmbHs. 5” have no such word.
        let before = units.dropLast(letters.count).last ?? 0x20
        guard isBlank(before) || before == 0x0A || before == 0x0D || before == 0x2D else { return false }
        let word = String(decoding: Array(letters.reversed()), as: UTF16.self)
        guard word.unicodeScalars.dropFirst().allSatisfy(\.properties.isLowercase) else { return false }
        return endings.contains { word.hasSuffix($0) } && !abbreviations.contains(word.lowercased())
    }

    /// Abbreviations that look like words all the same.
    private static let abbreviations: Set<String> = [
        "biomed", "infotel", "intermed", "kontakttel", "lament", "lauatel", "mobiiltel", "märks", "sched",
    ]

    private static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0xA0 }

    private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

    /// The ends of words that no abbreviation has.
    private static let endings: [String: [String]] = [
        "de": [
            "ellt", "eln", "elt", "en", "end", "ern", "ert", "gt", "heit", "ich", "isch", "keit", "net", "tet", "ung",
        ],
        "en": ["ed", "en", "ing", "ings", "ly", "ment", "ments", "ness", "ters", "tion", "tions"],
        "et": [
            "ast", "da", "del", "des", "dest", "dud", "est", "ga", "ile", "ist", "ks", "le", "ma", "mas", "nda", "ni",
            "nud", "ot", "ra", "se", "sid", "tal", "tas", "tel", "tes", "ti", "tud", "ust", "vad",
        ],
    ]
}
