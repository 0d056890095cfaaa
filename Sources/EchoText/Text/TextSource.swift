/// A text that is read piece by piece, so that its length costs no memory.
package protocol TextSource: Sendable {
    /// The next piece, never empty, cut between characters; `nil` at the end.
    ///
    /// - Throws: ``TextSourceError``, or `CancellationError` when the calling task is cancelled.
    func next() async throws -> String?

    /// How long the whole text is, in UTF-16 units, or `nil` when that shows only at the end (a pipe).
    var length: Int? { get async }
}

/// A text that is in memory already.
package actor StringSource: TextSource {
    private var text: String?
    package let length: Int?

    package init(_ text: String) {
        self.text = text.isEmpty ? nil : text
        length = text.utf16.count
    }

    package func next() -> String? {
        defer { text = nil }
        return text
    }
}
