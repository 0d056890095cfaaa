/// The store of the text that is being written and was not spoken yet; it outlives the page.
package protocol DraftStore: Sendable {
    /// The text that is being written; empty when there is none.
    ///
    /// - Throws: ``VaultError``.
    func draft() async throws -> String

    /// Replaces the draft; an empty text deletes it.
    ///
    /// - Throws: ``VaultError``.
    func save(draft text: String) async throws
}
