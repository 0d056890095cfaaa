/// Where what is being written, and has not been spoken yet, outlives the page it is written on.
package protocol DraftStore: Sendable {
    /// The text that is being written; empty when there is none.
    ///
    /// - Throws: ``VaultError``.
    func draft() async throws -> String

    /// Keeps a text in the place of the one before; an empty one is forgotten.
    ///
    /// - Throws: ``VaultError``.
    func save(draft text: String) async throws
}
