package import Foundation

/// A text that was spoken lately.
package struct HistoryEntry: Sendable, Hashable, Codable, Identifiable {
    package let id: Int
    package let text: String
    /// When it was last spoken.
    package let spoken: Date

    package init(id: Int, text: String, spoken: Date) {
        self.id = id
        self.text = text
        self.spoken = spoken
    }
}

/// The texts spoken last, as far as they can be read.
package struct SpokenTexts: Sendable, Hashable {
    /// Newest first.
    package let entries: [HistoryEntry]
    /// The damaged entries, which can be deleted.
    package let unreadable: [HistoryEntry.ID]

    package init(entries: [HistoryEntry], unreadable: [HistoryEntry.ID] = []) {
        self.entries = entries
        self.unreadable = unreadable
    }
}

/// The last texts that were spoken.
package protocol TextHistory: Sendable {
    /// At most ``TextHistoryLimits/entries``.
    func texts() async throws -> SpokenTexts

    /// Adds `text` at the front, or moves it there; the oldest entries beyond the limit are deleted.
    func add(_ text: String, at time: Date) async throws

    /// - Throws: ``LibraryError/textNotFound``.
    func delete(_ id: HistoryEntry.ID) async throws

    func clear() async throws
}

extension TextHistory {
    /// - Throws: ``LibraryError/textNotFound``, ``LibraryError/textUnreadable``.
    package func entry(_ id: HistoryEntry.ID) async throws -> HistoryEntry {
        let texts = try await texts()
        guard let entry = texts.entries.first(where: { $0.id == id }) else {
            throw texts.unreadable.contains(id) ? LibraryError.textUnreadable : .textNotFound
        }
        return entry
    }
}

package enum TextHistoryLimits {
    package static let entries = 25
}
