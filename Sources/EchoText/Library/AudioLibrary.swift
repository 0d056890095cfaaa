package import Foundation

/// The recordings that are kept: the port behind every list, player and export.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - a change is either whole or not there, also after a crash: a recording has all of its row, text, timings and sound, or
///   nothing of it is left;
/// - what a call has returned from is kept;
/// - calls may overlap.
///
/// Everything throws ``VaultError/locked`` while the vault is locked.
package protocol AudioLibrary: Sendable {
    /// - Returns: The page of `query`; of equals in its order, the newer comes first, then by id.
    func items(matching query: AudioQuery) async throws -> AudioPage

    /// The same recordings as ``items(matching:)``, each with the first place of the words in its text.
    func search(_ query: AudioQuery) async throws -> [AudioHit]

    func item(_ id: AudioItem.ID) async throws -> AudioItem?

    /// - Throws: ``LibraryError/itemNotFound``.
    func text(of id: AudioItem.ID) async throws -> String

    /// - Throws: ``LibraryError/itemNotFound``.
    func timings(of id: AudioItem.ID) async throws -> [TimedSentence]

    /// The sound, as a WAV file of 16-bit mono.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``VaultError/contentDamaged`` or ``VaultError/contentMissing`` before a byte of it is given.
    func sound(of id: AudioItem.ID) async throws -> any StoredSound

    /// - Throws: ``LibraryError/itemNotFound``.
    func rename(_ id: AudioItem.ID, to name: ItemName) async throws

    /// - Throws: ``LibraryError/itemNotFound``, nothing being changed then.
    func setFavorite(_ isFavorite: Bool, for ids: Set<AudioItem.ID>) async throws

    /// Deletes all of `ids`, or none of them.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func delete(_ ids: Set<AudioItem.ID>) async throws

    /// Voices that recordings were made with, by name, for filters.
    func voices() async throws -> [(id: Voice.ID, name: String)]
}

/// The bytes of a recording, read by ranges.
package protocol StoredSound: Sendable {
    /// In bytes.
    var length: Int { get }

    /// - Parameter range: Within `0..<length`.
    /// - Returns: As many bytes as `range`, all of them authentic.
    /// - Throws: ``VaultError``.
    func read(_ range: Range<Int>) async throws -> Data
}
