import Crypto
package import EchoText
package import Foundation
import Glibc

/// The sealed contents of a library: one age file each, under a name that says nothing.
///
/// Its work runs on a queue of its own, never on the shared pool.
package actor ContentStore: SealedContents {
    /// How much is read at a time when a whole content is.
    private static let stretch = 32 * AgeChunk.plain

    private nonisolated let executor = BlockingExecutor(label: "sealed contents")
    private let folder: ContentFolder
    private let identities: [AgeIdentity]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - path: The folder of the contents; made when the first is written.
    ///   - identities: Any of which may open a content; the first seals new ones. At least one.
    package init(path: String, identities: [AgeIdentity]) {
        precondition(!identities.isEmpty, "contents are sealed for someone")
        folder = ContentFolder(path: path)
        self.identities = identities
    }

    package func write(
        name: String,
        length: Int,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        let member = TarMember(name: name, length: length)
        let file = try ContentFile(in: folder)
        let writer = try AgeWriter(for: identities[0]) { try file.write($0) }
        try member.head.withUnsafeBytes { try writer.write($0) }
        var written = 0
        while let piece = try await next() {
            written += piece.count
            precondition(written <= length, "\(length) bytes were announced, there are more")
            try piece.withUnsafeBytes { try writer.write($0) }
        }
        precondition(written == length, "\(length) bytes were announced, there are \(written)")
        try Self.writeZeros(member.tail, to: writer)
        try writer.finish()
        try file.commit()
        return ContentReference(
            id: file.id,
            size: file.size,
            headerHash: Data(SHA256.hash(data: writer.head.prefix(writer.headerLength))),
            length: length
        )
    }

    package func open(_ reference: ContentReference) throws -> any StoredSound {
        try StoredContent(reference, in: folder, identities: identities)
    }

    package func delete(_ references: [ContentReference]) throws {
        for reference in references {
            do throws(VaultError) {
                let parent = try folder.folder(of: reference.id, isMade: false)
                guard unlinkat(parent.descriptor, reference.id, 0) == 0 || errno == ENOENT else {
                    throw VaultError(opening: errno)
                }
            } catch .contentMissing {
                continue
            }
        }
    }

    /// Checks a content against its row, and with `readsData` every byte of it.
    ///
    /// - Throws: ``VaultError/contentMissing``, ``VaultError/contentDamaged``; `CancellationError`.
    package func verify(_ reference: ContentReference, readsData: Bool) async throws {
        let content = try StoredContent(reference, in: folder, identities: identities)
        guard readsData else { return }
        for start in stride(from: 0, to: content.length, by: Self.stretch) {
            try Task.checkCancellation()
            _ = try await content.read(start..<min(start + Self.stretch, content.length))
        }
    }

    /// Removes what no row points at.
    ///
    /// Call only while nobody else has the library open: a content that is being written has no row yet.
    ///
    /// - Parameter ids: Of all contents that rows point at.
    /// - Returns: How many files were removed.
    /// - Throws: ``VaultError``.
    package func sweep(keeping ids: Set<String>) throws -> Int {
        var removed = 0
        for file in try folder.files() where !ids.contains(file.name) {
            let path = "\(folder.path)/\(file.folder)/\(file.name)"
            var status = stat()
            // A folder in there is not ours to remove.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            guard unlink(path) == 0 || errno == ENOENT else { throw VaultError(opening: errno) }
            removed += 1
        }
        return removed
    }

    private static func writeZeros(_ count: Int, to writer: AgeWriter) throws {
        let zeros = [UInt8](repeating: 0, count: min(count, AgeChunk.plain))
        var rest = count
        while rest > 0 {
            try zeros.withUnsafeBytes { try writer.write(UnsafeRawBufferPointer(rebasing: $0.prefix(rest))) }
            rest -= min(rest, zeros.count)
        }
    }
}
