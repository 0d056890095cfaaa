import Foundation

/// Language tags in the shape that BCP 47 gives them.
package enum LanguageTag {
    /// `tag` in canonical case (`en-GB`, `zh-Hant-TW`), parts that BCP 47 does not allow moved behind `x`.
    ///
    /// Only the form is looked at, not whether the language is registered.
    ///
    /// - SeeAlso: RFC 5646, sections 2.1 and 2.1.1.
    package static func canonical(_ tag: String) -> String {
        var parts = tag.replacing("_", with: "-").split(separator: "-").map { $0.lowercased() }
        guard !parts.isEmpty else { return "und" }
        var canonical = [parts.removeFirst()]
        while let part = parts.first, part.count > 1 {
            guard let shaped = shaped(part) else {
                parts.insert("x", at: 0)
                break
            }
            canonical.append(shaped)
            parts.removeFirst()
        }
        return (canonical + parts).joined(separator: "-")
    }

    /// Whether a tag in canonical form may name a language: two or three letters, and parts as BCP 47 has them.
    ///
    /// Languages of more letters, which BCP 47 reserves, do not exist: such a tag is a name, as in “English”.
    ///
    /// - SeeAlso: RFC 5646, section 2.1.
    package static func isWellFormed(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let areParts = parts.allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard areParts, let language = parts.first, (2...3).contains(language.count), language.allSatisfy(\.isLetter)
        else { return false }
        // After x anything may follow, but something has to; another single character begins longer parts.
        let common = parts.prefix { $0 != "x" }
        let isOpen = common.count == parts.count - 1 || common.last?.count == 1
        return !isOpen && zip(common, common.dropFirst()).allSatisfy { $0.count > 1 || $1.count > 1 }
    }

    /// The tag that a document states, with the two-letter code where its language has one: `de` for `ger` and `deu`.
    ///
    /// - Returns: `nil` for a tag that names no language (`und`, `mul`).
    package static func stated(_ tag: String) -> String? {
        let tag = canonical(tag.split(whereSeparator: \.isWhitespace).first.map { String($0) } ?? "")
        let code = language(of: tag)
        guard !tag.contains(","), (2...3).contains(code.count), code.allSatisfy({ $0.isASCII && $0.isLetter }),
            !["und", "mul", "zxx", "mis"].contains(code)
        else { return nil }
        let short = Locale.LanguageCode(terminologic[code] ?? code).identifier(.alpha2) ?? code
        return short.lowercased() + tag.dropFirst(code.count)
    }

    /// The bibliographic codes of ISO 639-2 in old files, with the terminologic codes used everywhere else.
    private static let terminologic = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
        "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
        "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]

    /// The language alone: `en` of `en-GB`.
    package static func language(of tag: String) -> String {
        tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    }

    /// Whether `tag` is `range` or narrower, as in `en-GB` of `en`.
    ///
    /// - SeeAlso: RFC 4647, section 3.3.1, basic filtering.
    package static func matches(_ tag: String, range: String) -> Bool {
        let tag = tag.lowercased()
        let range = range.replacing("_", with: "-").lowercased()
        return range == "*" || tag == range || tag.hasPrefix(range + "-")
    }

    /// A script, region or variant in its canonical case; `nil` for anything else.
    private static func shaped(_ part: String) -> String? {
        let isAlphabetic = part.allSatisfy(\.isLetter)
        switch part.count {
        case 2 where isAlphabetic: return part.uppercased()
        case 3 where part.allSatisfy(\.isNumber): return part
        case 4 where isAlphabetic: return part.prefix(1).uppercased() + part.dropFirst()
        case 4 where part.first?.isNumber == true: return part
        case 5...8: return part
        default: return nil
        }
    }
}
