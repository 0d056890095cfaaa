package import EchoText
package import Foundation

/// Sealed files beside the database.
package protocol SealedContents: Sendable {
    /// Seals a new file; it is durable when this returns.
    ///
    /// - Parameters:
    ///   - name: What the file inside is called for one who opens it without EchoText.
    ///   - length: How many bytes there will be.
    ///   - next: The bytes, piece by piece; `nil` after the last.
    /// - Returns: What the row has to keep.
    /// - Throws: ``VaultError``, and what `next` throws; nothing is left behind then.
    func write(
        name: String,
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
        name: String,
        length: Int,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        // A person's name may have a slash in it; the name of a file may not.
        let name = name.replacing("/", with: "∕")
        guard let member = TarMember(name: name, length: length) else {
            preconditionFailure("the name of a content has to be a file's")
        }
        let file = try newFile(for: member)
        while let piece = try await next() { try piece.withUnsafeBytes { try file.write($0) } }
        return try file.finish()
    }

    package func sound(of reference: ContentReference) async throws -> any StoredSound { try open(reference) }

    package func delete(_ references: [ContentReference]) throws {
        for reference in references { try delete(reference) }
    }
}

extension ContentReader: StoredSound {}
