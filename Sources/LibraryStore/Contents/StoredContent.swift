import Crypto
import EchoText
package import Foundation
import Glibc

/// A sealed content that is open for reading, and is the one its row points at.
package actor StoredContent: StoredSound {
    private nonisolated let executor = BlockingExecutor(label: "sealed content")
    private nonisolated let file: File
    /// What the file inside is called.
    package nonisolated let name: String
    package nonisolated let length: Int

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Owns the descriptor.
    private final class File: Sendable {
        let descriptor: Int32
        let reader: AgeReader

        init(descriptor: Int32, identities: [AgeIdentity]) throws {
            self.descriptor = descriptor
            do {
                reader = try AgeReader(descriptor: descriptor, identities: identities)
            } catch {
                close(descriptor)
                throw error
            }
        }

        deinit { close(descriptor) }
    }

    /// Opens `reference` and checks it against its row; blocks.
    ///
    /// - Throws: ``VaultError/contentMissing``, ``VaultError/contentDamaged``, ``VaultError/unsafeFolder``, ``VaultError/locked``.
    init(_ reference: ContentReference, in folder: ContentFolder, identities: [AgeIdentity]) throws {
        let descriptor = try Self.open(reference, in: folder)
        do {
            file = try File(descriptor: descriptor, identities: identities)
            guard Data(SHA256.hash(data: file.reader.header)) == reference.headerHash,
                file.reader.length >= TarMember.offset,
                let member = TarMember(parsing: try file.reader.read(0..<TarMember.offset)),
                member.length == reference.length, member.total == file.reader.length
            else { throw VaultError.contentDamaged }
            name = member.name
            length = member.length
        } catch is AgeFailure {
            throw VaultError.contentDamaged
        }
    }

    package func read(_ range: Range<Int>) throws -> Data {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "\(range) is not within 0..<\(length)")
        do {
            return try file.reader.read(range.lowerBound + TarMember.offset..<range.upperBound + TarMember.offset)
        } catch is AgeFailure {
            throw VaultError.contentDamaged
        }
    }

    /// `O_NOATIME` of Linux, which Swift does not import: reading leaves no trace of when it was done.
    private static let unnoticed: Int32 = 0o1_000_000

    /// A descriptor of the file, which has the size it ought to have.
    private static func open(_ reference: ContentReference, in folder: ContentFolder) throws(VaultError) -> Int32 {
        let parent = try folder.folder(of: reference.id, isMade: false)
        let descriptor = openat(parent.descriptor, reference.id, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | unnoticed)
        guard descriptor >= 0 else { throw errno == ENOENT ? .contentMissing : VaultError(opening: errno) }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        guard isKnown, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == reference.size else {
            close(descriptor)
            throw isKnown ? .contentDamaged : VaultError(opening: errno)
        }
        return descriptor
    }
}
