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
