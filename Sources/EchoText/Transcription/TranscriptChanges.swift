/// What a person has changed in a version of a transcript, compared with the one that it changes.
package struct TranscriptChanges: Sendable, Hashable, Codable {
    /// How many words are new or gone, whichever are more.
    package let words: Int
    /// The speakers that the other version does not have, in order.
    package let speakers: [String]

    package init(words: Int, speakers: [String]) {
        (self.words, self.speakers) = (words, speakers)
    }

    /// Compares segments with those before, wherever a word stands.
    ///
    /// - Complexity: O(*n*) in the number of words.
    package init(from before: [TranscriptSegment], to after: [TranscriptSegment]) {
        var left: [Substring: Int] = [:]
        for word in Self.words(of: before) { left[word, default: 0] += 1 }
        var new = 0
        for word in Self.words(of: after) {
            if let count = left[word], count > 0 {
                left[word] = count - 1
            } else {
                new += 1
            }
        }
        let known = Set(before.compactMap(\.speaker))
        self.init(
            words: max(new, left.values.reduce(0, +)),
            speakers: Set(after.compactMap(\.speaker)).subtracting(known).sorted()
        )
    }

    private static func words(of segments: [TranscriptSegment]) -> [Substring] {
        segments.flatMap { $0.text.split(whereSeparator: \.isWhitespace) }
    }
}
