import Crypto
package import EchoText
package import Foundation

/// Reads any part of a content, and returns authentic bytes only. Its calls block, so it has its own thread.
package actor ContentReader {
    private let executor = BlockingExecutor(label: "content reader")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The original name.
    package nonisolated let name: String
    /// In bytes.
    package nonisolated let length: Int
    private let sealed: SealedFile
    private let end: Latch

    /// - Parameters:
    ///   - sealed: The file to read.
    ///   - end: The event after which reads fail.
    init(_ sealed: sending SealedFile, until end: Latch) {
        (name, length) = (sealed.member.name, sealed.member.length)
        self.sealed = sealed
        self.end = end
    }

    /// The bytes in `range`, clamped to the content.
    ///
    /// - Throws: ``VaultError/locked`` once the library was closed; ``VaultError/contentDamaged``,
    ///   ``VaultError/system(errno:)``.
    package func read(_ range: Range<Int>) throws -> Data {
        guard !end.isSet else { throw VaultError.locked }
        return try sealed.read(range.clamped(to: 0..<length))
    }

    /// Opens all of it, the filling too.
    ///
    /// - Throws: ``VaultError/contentDamaged``, ``VaultError/system(errno:)``.
    package func verify() throws {
        try sealed.verify()
    }
}

/// An encrypted file that was verified to be the one of its reference.
final class SealedFile {
    let member: TarMember
    private let reader: AgeRangeReader

    /// Checks size and header before a key is tried, then opens the last chunk and the first.
    ///
    /// - Throws: ``VaultError/contentDamaged``, ``VaultError/locked``, ``VaultError/system(errno:)``.
    init(_ file: ContentFile, reference: ContentReference, identities: [AgeIdentity]) throws {
        let size = Int(try file.status().st_size)
        guard size == reference.sealedSize else { throw VaultError.contentDamaged }
        do {
            reader = try AgeRangeReader(
                size: size,
                identities: identities,
                checkHeader: { header in
                    guard Data(SHA256.hash(data: header)) == reference.headerHash else {
                        throw VaultError.contentDamaged
                    }
                },
                source: { try file.read(at: $0, into: $1) }
            )
            guard reader.length >= TarMember.headSize else { throw VaultError.contentDamaged }
            member = try TarMember(head: reader.read(0..<TarMember.headSize))
        } catch is AgeError {
            throw VaultError.contentDamaged
        }
        guard member.length == reference.length, reader.length == PaddedSize.of(member.archiveSize) else {
            throw VaultError.contentDamaged
        }
    }

    func read(_ range: Range<Int>) throws -> Data {
        let shifted = (range.lowerBound + TarMember.headSize)..<(range.upperBound + TarMember.headSize)
        do {
            return Data(try reader.read(shifted))
        } catch is AgeError {
            throw VaultError.contentDamaged
        }
    }

    func verify() throws {
        do {
            try reader.verify()
        } catch is AgeError {
            throw VaultError.contentDamaged
        }
    }
}

/// The digest that identifies a sound, wherever it is stored.
package enum SoundDigest {
    private static let piece = 1 << 20  // bytes

    /// Computes the SHA-256 of the sound's bytes, in 64 lower-case hexadecimal digits.
    ///
    /// - Throws: What reading throws, and `CancellationError`.
    package static func sha256(of sound: any StoredSound) async throws -> String {
        var hash = SHA256()
        var position = 0
        while position < sound.length {
            try Task.checkCancellation()
            let range = position..<min(sound.length, position + piece)
            hash.update(data: try await sound.read(range))
            position = range.upperBound
        }
        return text(of: hash)
    }

    /// The digest of the bytes that `hash` has got, in the same digits.
    static func text(of hash: SHA256) -> String { HexBytes(Array(hash.finalize())).text }
}
