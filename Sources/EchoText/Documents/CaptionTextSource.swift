/// Gives a text's words: those of a subtitle file without its numbers, times and markup, and any other text as it is.
package actor CaptionTextSource: TextSource {
    private let source: any TextSource
    /// What has arrived while it does not show whether it is a subtitle file; `nil` once it does.
    private var head: String? = ""
    /// `nil` for a text that is no subtitle file.
    private var reader: CaptionReader?
    /// Words that have not been handed on.
    private var words = ""
    private var isAtEnd = false
    /// Why the source cannot be read on.
    private var failure: (any Error)?

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
        while words.isEmpty, !isAtEnd {
            if let failure { throw failure }
            try await read()
        }
        defer { words = "" }
        return words.isEmpty ? nil : words
    }

    /// Reads on until there are words, since a subtitle file has much that is not said.
    package func isReady(within seconds: Double) async throws -> Bool {
        while words.isEmpty, !isAtEnd, failure == nil {
            guard try await source.isReady(within: seconds) else { return false }
            do {
                try await read()
            } catch let error where !(error is CancellationError) {
                failure = error
            }
        }
        return true
    }

    private func read() async throws {
        let piece = try await source.next()
        if let begun = head {
            let text = begun + (piece ?? "")
            guard piece == nil || !CaptionWriter.Format.isOpen(for: text) else {
                head = text
                return
            }
            head = nil
            reader = CaptionWriter.Format(ofTextBeginning: text).map { CaptionReader($0) }
            words = reader?.read(text) ?? text
        } else if let piece {
            words = reader?.read(piece) ?? piece
        }
        guard piece == nil else { return }
        isAtEnd = true
        words += reader?.finish() ?? ""
    }
}
