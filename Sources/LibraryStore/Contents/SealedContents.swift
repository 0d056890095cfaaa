package import EchoText
package import Foundation

/// Encrypted files next to the database.
package protocol SealedContents: Sendable {
    /// Writes a new encrypted file; it is durable when this returns.
    ///
    /// - Parameters:
    ///   - name: The name of the file inside.
    ///   - length: The number of bytes.
    ///   - next: Returns the bytes, piece by piece; `nil` after the last.
    /// - Returns: The reference for its row.
    /// - Throws: ``VaultError``, and what `next` throws; nothing is left behind then.
    func write(
        name: SealedName,
        length: Int,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference

    /// - Throws: ``VaultError/contentMissing``, ``VaultError/contentDamaged``.
    func sound(of reference: ContentReference) async throws -> any StoredSound

    /// Deletes files; missing ones are ignored.
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
