package import EchoText
package import Foundation

/// A text that was spoken lately.
package struct HistoryEntryResponse: Encodable, Sendable {
    package let id: HistoryEntry.ID
    package let text: String
    package let words: Int
    package let spoken: Date

    package init(_ entry: HistoryEntry) {
        (id, text, words, spoken) = (entry.id, entry.text, entry.text.wordCount, entry.spoken)
    }
}

/// The texts that were spoken lately, newest first.
package struct HistoryResponse: Encodable, Sendable {
    /// Newest first.
    package let entries: [HistoryEntryResponse]
    /// The damaged ones, which can be deleted.
    package let unreadable: [HistoryEntry.ID]
    /// How many are kept.
    package var limit: Int = TextHistoryLimits.entries

    package init(_ texts: SpokenTexts) {
        (entries, unreadable) = (texts.entries.map(HistoryEntryResponse.init), texts.unreadable)
    }
}
