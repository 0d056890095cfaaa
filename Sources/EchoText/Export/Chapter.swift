/// A part of an audiobook that a listener can jump to.
package struct Chapter: Sendable, Hashable {
    /// The most bytes of a title in UTF-8: the chapter table that most players read has one byte for the length.
    package static let longestTitle = 240

    package let title: String
    /// In samples from the audiobook's start.
    package let start: Int

    /// - Parameters:
    ///   - title: Truncated to ``longestTitle`` bytes.
    ///   - start: In samples.
    package init(title: String, start: Int) {
        var title = title
        if title.utf8.count > Self.longestTitle {
            while title.utf8.count > Self.longestTitle - "…".utf8.count { title.removeLast() }
            title += "…"
        }
        self.title = title
        self.start = start
    }

    /// Makes the chapters of one recording: one per heading, or a single one with the recording's name.
    ///
    /// - Parameters:
    ///   - name: The recording's name, for the text before the first heading.
    ///   - text: The spoken text.
    ///   - timings: The timings of the sentences.
    /// - Returns: At least one chapter; the first begins at 0.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package static func chapters(of name: String, text: String, timings: [TimedSentence]) async throws -> [Chapter] {
        var chapters: [Chapter] = []
        var rest = timings[...]
        var paragraphs = ParagraphReader(of: StringSource(text))
        while let paragraph = try await paragraphs.next() {
            guard paragraph.kind == .heading else { continue }
            let title = paragraph.text.drop { $0 == "#" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            rest = rest.drop { $0.source.upperBound <= paragraph.start }
            guard let sentence = rest.first, !title.isEmpty else { continue }
            let isFirst = sentence.source == timings.first?.source
            let start = isFirst ? 0 : sentence.samples.lowerBound
            guard start > chapters.last?.start ?? -1 else { continue }
            if chapters.isEmpty, !isFirst { chapters.append(Chapter(title: name, start: 0)) }
            chapters.append(Chapter(title: title, start: start))
        }
        return chapters.isEmpty ? [Chapter(title: name, start: 0)] : chapters
    }
}
