import EchoText
package import Foundation

/// Seals bytes as they are made into an age v1 file.
///
/// It holds at most 1 MiB of them, twice while that is sealed. Calls block; they belong on an executor that may.
package final class AgeWriter {
    private static let batch = AgeChunkCipher.batch * AgeChunkCipher.plainSize

    private let cipher: AgeChunkCipher
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    /// The bytes that are not encrypted yet.
    ///
    /// It is never empty once anything has been written, because the last chunk must not be empty.
    private var pending: [UInt8] = []
    private var chunks = 0

    /// The header's bytes, without the nonce that follows.
    package let header: [UInt8]

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - recipients: At least one; each of them can decrypt the file.
    ///   - sink: Receives the file's bytes in order.
    /// - Throws: What `sink` throws, and ``AgeError/badIdentity`` for an invalid recipient.
    package init(for recipients: [AgeRecipient], sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        precondition(!recipients.isEmpty, "an age file needs a recipient")
        let fileKey = SecretBytes(randomBytes: AgeHeader.fileKeySize)
        let stanzas = try recipients.map { try $0.stanza(wrapping: fileKey) }
        header = try AgeHeader(stanzas: stanzas, fileKey: fileKey).bytes
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<AgeChunkCipher.nonceSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        cipher = try AgeChunkCipher(fileKey: fileKey, nonce: nonce)
        self.sink = sink
        try (header + nonce).withUnsafeBytes(sink)
    }

    /// Writes any number of bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while pending.count + rest.count > Self.batch {
            if pending.isEmpty {
                try seal(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.batch)), endsFile: false)
                rest = rest.dropFirst(Self.batch)
            } else {
                let taken = rest.prefix(Self.batch - pending.count)
                pending += taken
                rest = rest.dropFirst(taken.count)
                try sealPending(endsFile: false)
            }
        }
        pending += rest
    }

    package func write(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes(write)
    }

    /// Encrypts the rest; the file is complete then, and nothing more may be written.
    package func finish() throws {
        try sealPending(endsFile: true)
    }

    private func sealPending(endsFile: Bool) throws {
        try pending.withUnsafeBytes { try seal($0, endsFile: endsFile) }
        pending.removeAll(keepingCapacity: true)
    }

    private func seal(_ plain: UnsafeRawBufferPointer, endsFile: Bool) throws {
        let sealed = cipher.seal(plain, from: chunks, endsFile: endsFile)
        chunks += max(1, (plain.count + AgeChunkCipher.plainSize - 1) / AgeChunkCipher.plainSize)
        try sealed.withUnsafeBytes(sink)
    }
}
