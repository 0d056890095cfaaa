/// A line of context around a match in a text.
package struct TextExcerpt: Sendable, Hashable {
    /// The line, cut between words; “…” marks the omitted text.
    package let text: String
    /// The range of the match in ``text``, in UTF-16 units.
    package let place: TextRange

    /// The most context before and after the match, in UTF-16 units.
    private static let (before, after) = (40, 80)
    private static let ellipsis = Array("…".utf16)

    /// - Parameters:
    ///   - units: The text.
    ///   - place: The range of the match, whose ends are not blank.
    package init(of units: [UInt16], around place: TextRange) {
        var start = max(0, place.lowerBound - Self.before)
        var end = min(units.count, place.upperBound + Self.after)
        if start > 0 {
            start = units[start..<place.lowerBound].firstIndex(where: Self.isBlank).map { $0 + 1 } ?? place.lowerBound
        }
        if end < units.count {
            end = units[place.upperBound..<end].lastIndex(where: Self.isBlank) ?? place.upperBound
        }
        let head = start > 0 ? Self.ellipsis : []
        var line = head
        var found = 0..<0
        var isAfterBlank = false
        for index in start..<end {
            guard !Self.isBlank(units[index]) else {
                isAfterBlank = line.count > head.count
                continue
            }
            if isAfterBlank { line.append(0x20) }
            isAfterBlank = false
            if index <= place.lowerBound { found = line.count..<line.count }
            line.append(units[index])
            if index < place.upperBound { found = found.lowerBound..<line.count }
        }
        if end < units.count { line += Self.ellipsis }
        text = String(decoding: line, as: UTF16.self)
        self.place = found
    }

    private static func isBlank(_ unit: UInt16) -> Bool {
        guard let scalar = Unicode.Scalar(unit) else { return false }
        return scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
}
