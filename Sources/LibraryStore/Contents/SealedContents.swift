package import EchoText
package import Foundation

/// Sealed files beside the database.
package protocol SealedContents: Sendable {
    /// Seals a new file; it is durable when this returns.
    ///
    /// - Parameters:
    ///   - name: What the file inside is called.
    ///   - length: How many bytes there will be.
    ///   - next: The bytes, piece by piece; `nil` after the last.
    /// - Returns: What the row has to keep.
    /// - Throws: ``VaultError``, and what `next` throws; nothing is left behind then.
    func write(
        name: SealedName,
        length: Int,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference

    /// - Throws: ``VaultError/contentMissing``, ``VaultError/contentDamaged``.
    func sound(of reference: ContentReference) async throws -> any StoredSound

    /// Deletes files; those that are gone already do not matter.
    func delete(_ references: [ContentReference]) async throws
}

extension ContentStore: SealedContents {
    package func write(
        name: SealedName,
        length: Int,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        let file = try newFile(for: TarMember(name, length: length))
        while let piece = try await next() { try piece.withUnsafeBytes { try file.write($0) } }
        return try file.finish()
    }

    package func sound(of reference: ContentReference) async throws -> any StoredSound { try open(reference) }

    package func delete(_ references: [ContentReference]) throws {
        for reference in references { try delete(reference) }
    }
}

extension ContentReader: StoredSound {}
