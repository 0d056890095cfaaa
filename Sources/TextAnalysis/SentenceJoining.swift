import EchoText
import Foundation

/// Joins sentences that ICU's rules split too early.
///
/// - a title or another word that never ends a sentence (“Dr. Smith”, “z. B. so”);
/// - a word that is cut short only before a number (“No. 7”; “No.” alone is a sentence);
/// - initials (“J. R. R. Tolkien”);
/// - a number before a month in languages that write ordinals with a stop (“21. November”);
/// - a sentence never starts in lower case (“‘Really?’ she asked.”), in scripts that have two cases.
///
/// ICU's own lists (`@ss=standard`) know “Mr.” in English but not “Dr.”; the German lists know both.
struct SentenceJoining {
    private let abbreviations: Set<String>
    private let beforeNumbers: Set<String>
    private let months: Set<String>

    init(language: String) {
        let base = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
        abbreviations = Self.abbreviations[base] ?? []
        beforeNumbers = Self.beforeNumbers[base] ?? []
        months = Self.months[base] ?? []
    }

    /// The ranges, some of them joined; still in order and covering the whole text.
    func joined(_ ranges: [TextRange], in units: [UInt16]) -> [TextRange] {
        var joined: [TextRange] = []
        joined.reserveCapacity(ranges.count)
        for range in ranges {
            if let last = joined.last, belongsTogether(last, range, in: units) {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    private func belongsTogether(_ before: TextRange, _ after: TextRange, in units: [UInt16]) -> Bool {
        if Self.isBlank(units[after]) || Self.isBlank(units[before]) { return true }
        if Self.startsInLowerCase(units[after]), !Self.endsParagraph(units[before]) { return true }
        let end = Self.endOfText(in: units[before])
        guard end > before.lowerBound, units[end - 1] == UInt16(ascii: ".") else { return false }
        let word = Self.lastWord(of: units[before.lowerBound..<end - 1])
        if abbreviations.contains(word.lowercased()) { return true }
        if beforeNumbers.contains(word.lowercased()), Self.startsWithNumber(units[after]) { return true }
        if Self.isInitial(word), !Self.endsParagraph(units[before]) { return true }
        return Int(word) != nil && word.count <= 2 && months.contains(Self.firstWord(of: units[after]).lowercased())
    }

    // MARK: - Examining the units

    private static func endOfText(in units: ArraySlice<UInt16>) -> Int {
        var end = units.endIndex
        while end > units.startIndex, isSpace(units[end - 1]) { end -= 1 }
        return end
    }

    private static func isBlank(_ units: ArraySlice<UInt16>) -> Bool { units.allSatisfy(isSpace) }

    private static func isSpace(_ unit: UInt16) -> Bool {
        unit == 0x20 || (0x09...0x0D).contains(unit) || unit == 0xA0 || unit == 0x3000 || unit == 0x2028
            || unit == 0x2029
    }

    private static func endsParagraph(_ units: ArraySlice<UInt16>) -> Bool {
        units.last.map { $0 == 0x0A || $0 == 0x0D || $0 == 0x2029 } ?? false
    }

    /// Whether the first letter after opening marks is lower case.
    private static func startsInLowerCase(_ units: ArraySlice<UInt16>) -> Bool {
        for unit in units.prefix(8) {
            guard let scalar = Unicode.Scalar(unit) else { return false }
            if scalar.properties.isAlphabetic { return scalar.properties.isLowercase }
            if scalar.properties.numericType != nil { return false }
        }
        return false
    }

    private static func startsWithNumber(_ units: ArraySlice<UInt16>) -> Bool {
        units.first.flatMap { Unicode.Scalar($0) }.map { ("0"..."9").contains($0) } ?? false
    }

    private static func lastWord(of units: ArraySlice<UInt16>) -> String {
        let word = units.suffix(16).reversed().prefix { unit in
            guard let scalar = Unicode.Scalar(unit) else { return false }
            return scalar.properties.isAlphabetic || scalar == "." || ("0"..."9").contains(scalar)
        }
        return String(decoding: word.reversed(), as: UTF16.self)
    }

    private static func firstWord(of units: ArraySlice<UInt16>) -> String {
        let word = units.prefix(24).prefix { unit in
            Unicode.Scalar(unit)?.properties.isAlphabetic ?? false
        }
        return String(decoding: word, as: UTF16.self)
    }

    /// Whether it is a single capital, or several separated by stops; “I” does not count, since it often ends
    /// sentences.
    private static func isInitial(_ word: String) -> Bool {
        guard let last = word.split(separator: ".").last, last.count == 1, last != "I" else { return false }
        return last.unicodeScalars.allSatisfy(\.properties.isUppercase)
    }

    // MARK: - Abbreviations by language

    /// Words that are followed by a stop and then a name or number, in lower case and without the stop.
    private static let abbreviations: [String: Set<String>] = [
        "en": [
            "adm", "brig", "capt", "cf", "ch", "cmdr", "col", "cpl", "dr", "e.g", "eq", "fig", "figs", "fr", "gen",
            "gov",
            "hon", "i.e", "lt", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms", "mt", "pp", "prof", "rep", "rev",
            "sec", "sen", "sgt", "st", "vol", "vols", "vs", "viz",
        ],
        "et": [
            "a", "hr", "ing", "jne", "k.a", "kol", "kt", "lk", "lp", "mag", "m.a.j", "n-ö", "nr", "pr", "prl", "prof",
            "pst",
            "s.o", "s.t", "st", "sh", "tn", "u", "v.a", "vrd", "dr", "mnt", "krv", "mh", "õp",
        ],
        "de": [
            "abb", "bd", "bspw", "bzw", "ca", "d", "d.h", "dr", "evtl", "fr", "geb", "ggf", "hl", "hr", "hrn", "ing",
            "inkl", "kap", "o",
            "nr", "prof", "s", "sog", "st", "str", "u", "u.a", "vgl", "z", "z.b", "zzgl",
        ],
        "fr": [
            "art", "chap", "cf", "dr", "éd", "ex", "fig", "m", "mgr", "mlle", "mm", "mme", "n", "p", "pp", "st", "ste",
            "vol",
        ],
        "es": [
            "art", "cap", "d", "dr", "dra", "ee", "fig", "ing", "lic", "núm", "p.ej", "pág", "prof", "sr", "sra",
            "srta",
            "ud", "vol",
        ],
        "it": ["art", "cap", "dott", "fig", "ing", "on", "pag", "prof", "sig", "sigg", "vol"],
        "pt": ["art", "cap", "dr", "dra", "eng", "fig", "pág", "prof", "sr", "sra", "vol"],
        "nl": ["bijv", "dr", "dhr", "fig", "ir", "mevr", "mw", "nr", "prof"],
        "fi": ["esim", "fil", "klo", "mm", "ns", "nro", "prof", "ts", "tri"],
        "ru": ["г", "гг", "д", "им", "напр", "рис", "см", "ср", "стр", "т", "ул"],
    ]

    /// Words that are followed by a stop only before a number, in lower case and without the stop.
    private static let beforeNumbers: [String: Set<String>] = [
        "en": ["no", "nos", "p", "art", "chap", "sect", "par", "approx"],
        "fr": ["no", "nos"],
        "es": ["no", "nos", "nro"],
        "de": ["s", "art", "par"],
    ]

    /// Months in the form that follows a day's number with a stop, in lower case.
    private static let months: [String: Set<String>] = [
        "de": [
            "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
            "november", "dezember",
        ],
        "da": [
            "januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober", "november",
            "december",
        ],
        "et": [
            "jaanuar", "veebruar", "märts", "aprill", "mai", "juuni", "juuli", "august", "september", "oktoober",
            "november",
            "detsember",
        ],
    ]
}

extension UInt16 {
    fileprivate init(ascii scalar: Unicode.Scalar) {
        self = UInt16(scalar.value)
    }
}
