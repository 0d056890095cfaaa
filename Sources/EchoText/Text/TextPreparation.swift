/// Turns writing into what is said for it: abbreviations, numbers, dates, money, addresses and signs become words.
///
/// Only what the speech engines read wrongly or ambiguously is rewritten; plain words, plain integers and plain decimals
/// are left to them. Languages without rules of their own get what needs none: `unicode`, `dictionary` and neutral
/// `addresses`.
///
/// Every rewritten thing is one piece as tight as can be, so that a word being spoken can be shown in the original.
/// Nothing is lost: what no piece covers is white space or one of the silent things listed in
/// `Documentation/TextPreparation.md` (soft hyphens, markup, rules of dashes, bullets).
package struct TextPreparation: Sendable {
    /// The language's rules, or `nil` where the engines are left alone.
    let rules: LanguageRules?
    let regionUsesMonthFirst: Bool
    package let steps: Steps
    package let dictionary: PronunciationDictionary?

    /// - Parameters:
    ///   - language: A BCP 47 tag such as `en-GB`; the region decides between 21/11/2026 and 11/21/2026.
    ///   - steps: What is done; the rest is left as it is written.
    ///   - dictionary: Goes before every other step, except that an address is never taken apart.
    package init(language: String, steps: Steps = .all, dictionary: PronunciationDictionary? = nil) {
        let subtags = language.lowercased().split { $0 == "-" || $0 == "_" }
        rules = subtags.first.flatMap { LanguageRules.all[String($0)] }?.adapted(to: subtags.dropFirst())
        regionUsesMonthFirst = subtags.dropFirst().contains { ["us", "ph", "pr", "gu"].contains($0) }
        self.steps = steps
        self.dictionary = dictionary
    }

    /// The same steps and dictionary with the rules of another language.
    func adapted(to language: String) -> TextPreparation {
        TextPreparation(language: language, steps: steps, dictionary: dictionary)
    }

    /// Prepares one sentence, or a part of one.
    ///
    /// - Parameters:
    ///   - sentence: Any text at all, however long or broken.
    ///   - start: Where its first UTF-16 unit stands in the whole text.
    /// - Returns: Pieces whose sources are inside the sentence.
    /// - Complexity: O(*n*) in the length of the sentence.
    package func prepare(_ sentence: some StringProtocol, at start: Int) -> SpokenText {
        let original = Array(sentence.utf16)
        let text = steps.contains(.unicode) ? CleanText(cleaning: original) : CleanText(as: original)
        var scanner = TextScanner(
            units: text.units,
            rules: rules,
            steps: steps,
            monthFirst: regionUsesMonthFirst,
            dictionary: dictionary
        )
        return text.assemble(scanner.rewrites(), at: start)
    }
}

extension TextPreparation {
    /// The steps of the preparation; each can be left out.
    package struct Steps: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Ligatures, full width and split accents in their plain form; soft hyphens and control characters dropped.
        package static let unicode = Steps(rawValue: 1 << 0)
        package static let abbreviations = Steps(rawValue: 1 << 1)
        /// Ranges, ordinals, fractions, Roman numerals, years, telephone and version numbers, minus signs.
        package static let numbers = Steps(rawValue: 1 << 2)
        package static let dates = Steps(rawValue: 1 << 3)
        package static let times = Steps(rawValue: 1 << 4)
        package static let currency = Steps(rawValue: 1 << 5)
        package static let units = Steps(rawValue: 1 << 6)
        /// Web and e-mail addresses.
        package static let addresses = Steps(rawValue: 1 << 7)
        /// Signs that stand for words, hashtags, and runs of punctuation.
        package static let symbols = Steps(rawValue: 1 << 8)
        /// The signs of Markdown and of tables drawn in text.
        package static let markup = Steps(rawValue: 1 << 9)
        package static let dictionary = Steps(rawValue: 1 << 10)

        package static let all = Steps(rawValue: 1 << 11 - 1)

        private static let named: [(name: String, step: Steps)] = [
            ("unicode", .unicode), ("abbreviations", .abbreviations), ("numbers", .numbers), ("dates", .dates),
            ("times", .times), ("currency", .currency), ("units", .units), ("addresses", .addresses),
            ("symbols", .symbols), ("markup", .markup), ("dictionary", .dictionary),
        ]

        /// The steps with these names, or `nil` when one of them is unknown.
        package init?(names: [String]) {
            self = []
            for name in names {
                guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
                insert(known.step)
            }
        }

        /// The stable names of the steps, in the order they are documented.
        package var names: [String] {
            Self.named.filter { contains($0.step) }.map(\.name)
        }
    }
}

/// The ways in which what is said for a text may be written down.
extension TextPreparation {
    /// The text as it is said, with its numbers in words and in digits.
    ///
    /// Recognizers may write “1984”, “nineteen eighty-four” or “one thousand nine hundred eighty-four”.
    ///
    /// - Returns: Each once, the one with digits as they are said first.
    package func spellings(of text: String) -> [String] {
        let said = said(for: text)
        return [said, spelled(said, asYears: false), spelled(said, asYears: true)].reduce(into: []) { all, spelling in
            if !all.contains(spelling) { all.append(spelling) }
        }
    }

    /// The words that are said for `text`; a passage given as phonemes stays as it is written.
    private func said(for text: String) -> String {
        let units = Array(text.utf16)
        return prepare(text, at: 0).pieces.map { piece in
            switch piece.content {
            case .written(let text): text
            case .words(let words): " \(words) "
            case .phonemes: String(decoding: units[piece.source.clamped(to: units.indices)], as: UTF16.self)
            }
        }.joined()
    }

    private func spelled(_ text: String, asYears: Bool) -> String {
        guard let numerals = rules?.numerals else { return text }
        return text.split(whereSeparator: \.isWhitespace).map { word in
            let digits = String(word).comparedWord
            guard digits.count <= Self.maximumDigits, let number = Int(digits), number >= 0 else { return String(word) }
            return (asYears ? numerals.year?(number) : nil) ?? numerals.cardinal(number, nil)
        }.joined(separator: " ")
    }

    /// The longest number that the rules of a language have words for.
    private static let maximumDigits = 15
}
