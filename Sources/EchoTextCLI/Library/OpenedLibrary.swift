import EchoText

/// The library as one command uses it.
enum OpenedLibrary {
    /// Opens the library, lends it to `work`, and closes it.
    ///
    /// - Throws: ``VaultError`` when it does not open, and what `work` throws.
    static func use<Output: Sendable>(_ work: @escaping @Sendable (Library) async throws -> Output) async throws
        -> Output
    {
        throw VaultError.locked
    }
}
