import Foundation

/// A language as recognizers outside write it: ISO 639-1, or the English name.
package struct SpokenLanguage: Sendable, Hashable {
    /// ISO 639-1, or a three-letter code where there is no shorter one; `nil` when unknown or not a particular
    /// language.
    package let code: String?

    /// - Parameter tag: BCP 47.
    package init(_ tag: String) {
        let first = tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map { $0.lowercased() } ?? ""
        let isCode = (2...3).contains(first.utf8.count) && first.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        guard isCode, !["und", "mul", "zxx", "mis"].contains(first) else {
            code = nil
            return
        }
        code = Locale.LanguageCode(first).identifier(.alpha2) ?? first
    }

    /// - Parameter answer: The language that a service reports: a code, or a name such as “english”.
    package init(reported answer: String) {
        let answer = answer.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        self.init(answer.utf8.count > 3 ? Self.codes[answer] ?? answer : answer)
    }

    /// Codes by English names, as Whisper has them.
    ///
    /// - SeeAlso: `LANGUAGES` and `TO_LANGUAGE_CODE` of openai-whisper's `tokenizer.py`, where a name is not that of the CLDR.
    private static let codes: [String: String] = {
        let english = Locale(identifier: "en")
        var codes: [String: String] = [:]
        for language in Locale.LanguageCode.isoLanguageCodes where language.identifier.utf8.count == 2 {
            guard let name = english.localizedString(forLanguageCode: language.identifier) else { continue }
            codes[name.lowercased()] = language.identifier
        }
        let others = [
            "castilian": "es", "valencian": "ca", "flemish": "nl", "haitian": "ht", "letzeburgesch": "lb",
            "pushto": "ps", "panjabi": "pa", "moldavian": "ro", "moldovan": "ro", "sinhalese": "si", "mandarin": "zh",
            "cantonese": "yue", "hawaiian": "haw", "nynorsk": "nn", "myanmar": "my", "tagalog": "tl", "pashto": "ps",
        ]
        return codes.merging(others) { $1 }
    }()
}
