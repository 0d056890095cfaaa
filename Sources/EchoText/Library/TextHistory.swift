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

/// The last texts that were spoken.
package protocol TextHistory: Sendable {
    /// Newest first, at most ``TextHistoryLimits/entries``.
    func entries() async throws -> [HistoryEntry]

    /// Puts `text` first; one that is there already moves. The oldest beyond the limit go.
    func add(_ text: String, at time: Date) async throws

    /// - Throws: ``LibraryError/textNotFound``.
    func delete(_ id: HistoryEntry.ID) async throws

    func clear() async throws
}

package enum TextHistoryLimits {
    /// - SeeAlso: requirement FR7.
    package static let entries = 25
}
