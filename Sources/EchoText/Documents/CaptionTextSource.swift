/// Gives a text's words: those of a subtitle file without its numbers, times and markup, and any other text as it is.
package actor CaptionTextSource: TextSource {
    private let source: any TextSource
    /// `nil` for a text that is no subtitle file.
    private var reader: CaptionReader?
    private var isBegun = false
    private var isAtEnd = false

    package init(of source: any TextSource) {
        self.source = source
    }

    /// The text's length; `nil` for a subtitle file, whose words are counted only by reading them.
    package var length: Int? {
        get async {
            guard reader == nil else { return nil }
            return await source.length
        }
    }

    package func next() async throws -> String? {
        if !isBegun {
            let head = try await beginning()
            isBegun = true
            guard let format = CaptionWriter.Format(ofTextBeginning: head) else { return head.isEmpty ? nil : head }
            var reader = CaptionReader(format)
            let text = reader.read(head)
            self.reader = reader
            if !text.isEmpty { return text }
        }
        guard reader != nil else { return try await source.next() }
        while !isAtEnd {
            var text: String?
            if let piece = try await source.next() {
                text = reader?.read(piece)
            } else {
                isAtEnd = true
                text = reader?.finish()
            }
            if let text, !text.isEmpty { return text }
        }
        return nil
    }

    /// As much of the text as shows whether it is a subtitle file.
    private func beginning() async throws -> String {
        var head = ""
        while let piece = try await source.next() {
            head += piece
            if !CaptionWriter.Format.isOpen(for: head) { break }
        }
        return head
    }
}
