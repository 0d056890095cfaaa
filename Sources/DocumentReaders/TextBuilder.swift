import EchoText

/// A growing text with its length in UTF-16 units.
struct TextBuilder {
    private(set) var text = ""
    private(set) var length = 0

    /// - Returns: The range of the piece.
    @discardableResult
    mutating func append(_ piece: String) -> TextRange {
        let start = length
        text += piece
        length += piece.utf16.count
        return start..<length
    }
}
