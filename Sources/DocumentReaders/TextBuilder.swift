import EchoText

/// Text as it grows, with its length in UTF-16 units at hand.
struct TextBuilder {
    private(set) var text = ""
    private(set) var length = 0

    /// - Returns: Where it stands.
    @discardableResult
    mutating func append(_ piece: String) -> TextRange {
        let start = length
        text += piece
        length += piece.utf16.count
        return start..<length
    }
}
