extension String {
    /// The text in `range`, in UTF-16 units, which cuts no character's two units apart.
    package func part(_ range: TextRange) -> Substring {
        let start = utf16.index(startIndex, offsetBy: range.lowerBound)
        return self[start..<utf16.index(start, offsetBy: range.count)]
    }

    /// `range` made wide enough that it cuts no character's two units apart.
    package func wholeCharacters(_ range: TextRange) -> TextRange {
        guard !range.isEmpty else { return range }
        let units = utf16
        let start = units.index(units.startIndex, offsetBy: range.lowerBound)
        let end = units.index(start, offsetBy: range.count)
        let lower = start < units.endIndex && units[start].isLowSurrogate && range.lowerBound > 0 ? 1 : 0
        let upper = end < units.endIndex && units[end].isLowSurrogate ? 1 : 0
        return range.lowerBound - lower..<range.upperBound + upper
    }
}
