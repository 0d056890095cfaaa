package import EchoText
package import Foundation

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
