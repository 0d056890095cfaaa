extension VoiceLicence {
    /// Most characters of a licence's name.
    private static let longestName = 80

    /// The licence that a voice's `MODEL_CARD` names, on a line such as `* License: CC BY 4.0`.
    ///
    /// - Returns: `nil` when the card names none.
    package init?(card: String) {
        let lines = card.split(whereSeparator: \.isNewline).prefix(500)
        let named = lines.lazy.compactMap(Self.named).first
        guard let named else { return nil }
        let allowsTrade = Self.allowsTrade(named)
        // The licence is that of the recordings; the licence of the base voice may apply to the model too.
        let isTuned = lines.contains { $0.lowercased().replacing("-", with: "").contains("finetuned from") }
        self.init(
            name: isTuned ? "\(named) (recordings), fine-tuned from another voice" : named,
            isCommercial: isTuned && allowsTrade == true ? nil : allowsTrade
        )
    }

    private static func named(_ line: Substring) -> String? {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let label = parts[0].lowercased().filter { $0.isLetter || $0 == " " }.trimmed
        guard ["license", "licence", "dataset license", "dataset licence"].contains(label) else { return nil }
        let name = String(parts[1].unicodeScalars.filter { $0.properties.generalCategory != .control }).trimmed
        return name.isEmpty ? nil : String(name.prefix(longestName))
    }

    /// Whether a licence of this name allows commercial use; `nil` when the name does not say.
    private static func allowsTrade(_ name: String) -> Bool? {
        let words = Set(name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let text = name.lowercased()
        if words.contains("nc") || text.contains("noncommercial") || text.contains("non-commercial")
            || text.contains("non commercial") || words.contains("research") || words.contains("blizzard")
        {
            return false
        }
        let free: Set = ["cc0", "apache", "mit", "bsd", "unlicense", "gpl", "lgpl", "mpl"]
        if !words.isDisjoint(with: free) || text.contains("public domain") { return true }
        return words.contains("cc") && words.contains("by") ? true : nil
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
