import Crypto
import EchoText
package import Foundation

/// Writes a content while it is made.
///
/// The file on disk is encrypted at all times. If it is not finished, because the program was killed or ``suspend()``
/// was called, ``ContentStore/resume(_:keepingAtMost:)`` resumes after the flushed bytes. Its calls block, so it has
/// its own thread.
package actor ContentWriter {
    private let executor = BlockingExecutor(label: "content writer")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated let id: ContentID
    private let bucket: ContentFolder
    private let recipient: AgeRecipient
    /// nil once it is finished, suspended or cancelled.
    private var part: PartFile?

    init(id: ContentID, name: String, bucket: ContentFolder, recipient: AgeRecipient) throws {
        (self.id, self.bucket, self.recipient) = (id, bucket, recipient)
        let file = try bucket.create(id.text + ContentName.part)
        part = try PartFile(in: file, name: name, recipient: recipient)
        try bucket.sync()
    }

    /// Copies at most `limit` bytes of `old` into a part with a new key that replaces it.
    init(id: ContentID, resuming old: PartFile, limit: Int, bucket: ContentFolder, recipient: AgeRecipient) throws {
        (self.id, self.bucket, self.recipient) = (id, bucket, recipient)
        try bucket.remove(id.text + ContentName.sealing)
        let file = try bucket.create(id.text + ContentName.sealing)
        let part = try PartFile(in: file, name: old.name, recipient: recipient)
        var left = limit
        try old.forEachRecord { record in
            let kept = record.prefix(left)
            left -= kept.count
            try kept.withUnsafeBytes { try part.write($0) }
        }
        try part.flush()
        try bucket.rename(id.text + ContentName.sealing, to: id.text + ContentName.part)
        try bucket.sync()
        self.part = part
    }

    /// Bytes taken so far, those of an earlier process included.
    package var length: Int { part?.length ?? 0 }

    /// Writes any number of bytes; they are durable after ``flush()``.
    package func write(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { try opened().write($0) }
    }

    /// Has all that was written survive a kill and a power cut.
    package func flush() throws {
        try opened().flush()
    }

    /// Completes the content.
    ///
    /// - Returns: The reference for its row; without a row, nothing refers to the file.
    /// - Throws: ``VaultError``; the part still exists then.
    package func finish() throws -> ContentReference {
        let part = try opened()
        try part.flush()
        guard let member = TarMember(name: part.name, length: part.length) else { throw VaultError.contentDamaged }
        let sealed = try SealedFileWriter(id: id, member: member, bucket: bucket, recipient: recipient)
        try part.forEachRecord { record in try record.withUnsafeBytes { try sealed.write($0) } }
        let reference = try sealed.finish()
        self.part = nil
        _ = try? bucket.remove(id.text + ContentName.part)  // the content is whole; the sweep removes its part too
        return reference
    }

    /// Ends the writer and keeps the part for ``ContentStore/resume(_:keepingAtMost:)``.
    package func suspend() throws {
        try opened().flush()
        part = nil
    }

    /// Removes the part; does nothing after ``finish()``.
    package func cancel() throws {
        guard part != nil else { return }
        part = nil
        try bucket.remove(id.text + ContentName.part)
    }

    private func opened() throws -> PartFile {
        guard let part else { throw VaultError.contentMissing }
        return part
    }
}

/// Encrypts bytes of known length as one age file, which gets its name once it is complete and durable.
final class SealedFileWriter {
    private let id: ContentID
    private let member: TarMember
    private let bucket: ContentFolder
    private let file: ContentFile
    private let age: AgeWriter
    private var written = 0
    private var isOpen = true

    private var partialName: String { id.text + ContentName.sealing }

    init(id: ContentID, member: TarMember, bucket: ContentFolder, recipient: AgeRecipient) throws {
        (self.id, self.member, self.bucket) = (id, member, bucket)
        let name = id.text + ContentName.sealing
        try bucket.remove(name)  // It may remain from a process that was killed while it wrote the same part.
        let file = try bucket.create(name)
        self.file = file
        do {
            age = try AgeWriter(for: [recipient]) { try file.write($0) }
            try age.write(member.head)
        } catch {
            _ = try? bucket.remove(name)  // The first error is the one to report; the sweep removes the file.
            throw error
        }
    }

    deinit { cancel() }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        precondition(written + bytes.count <= member.length, "more than the \(member.length) bytes that were announced")
        try age.write(bytes)
        written += bytes.count
    }

    /// - Throws: ``VaultError``; nothing is stored then.
    func finish() throws -> ContentReference {
        precondition(written == member.length, "\(written) bytes instead of the \(member.length) that were announced")
        var filling = PaddedSize.of(member.archiveSize) - TarMember.headSize - member.length
        let zeros = [UInt8](repeating: 0, count: min(filling, 1 << 16))
        while filling > 0 {
            let count = min(filling, zeros.count)
            try zeros.withUnsafeBytes { try age.write(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            filling -= count
        }
        try age.finish()
        try file.forgetTimes()
        try file.sync()
        let size = Int(try file.status().st_size)
        try bucket.rename(partialName, to: id.text)
        isOpen = false
        try bucket.sync()
        return ContentReference(
            id: id,
            sealedSize: size,
            headerHash: Data(SHA256.hash(data: age.header)),
            length: member.length
        )
    }

    /// Removes the written bytes; does nothing after ``finish()``.
    func cancel() {
        guard isOpen else { return }
        isOpen = false
        _ = try? bucket.remove(partialName)  // If it cannot be removed now, the sweep removes it.
    }
}

/// The endings after the 32 digits in the names of incomplete files.
enum ContentName {
    /// Grows while something is made; see ``PartFile``.
    static let part = ".part"
    /// Becomes a whole file, or a part, when it is renamed.
    static let sealing = ".new"
}

/// Padded sizes that reveal little about the content: Padmé.
///
/// - SeeAlso: Nikitin, Barman, Lueks, Underwood, Hubaux and Ford, *Reducing Metadata Leakage from Encrypted Files and
///   Communication with PURBs*, 2019, §4: at most 12 % are added, and O(log log *n*) bits of the size are revealed.
enum PaddedSize {
    /// In bytes.
    static let smallest = 4_096

    /// The size that `size` bytes are filled up to.
    static func of(_ size: Int) -> Int {
        guard size > smallest else { return smallest }
        let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - kept)) - 1
        return (size + mask) & ~mask
    }
}

/// An encrypted file under another header: the same file key for another recipient, and the same encrypted bytes.
struct RewrappedFile {
    private static let piece = 1 << 20

    /// The bytes of the new header.
    let header: [UInt8]
    private let source: ContentFile
    private let size: Int
    /// The end of the header in the source.
    private let start: Int

    init(_ source: ContentFile, size: Int, identities: [AgeIdentity], recipient: AgeRecipient) throws {
        var input = AgeHeaderInput(size: size) { try source.read(at: $0, into: $1) }
        do {
            let old = try AgeHeader { try input.nextLine() }
            let fileKey = try identities.fileKey(from: old)
            header = try AgeHeader(stanzas: [recipient.stanza(wrapping: fileKey)], fileKey: fileKey).bytes
            start = old.bytes.count
        } catch is AgeError {
            throw VaultError.contentDamaged
        }
        (self.source, self.size) = (source, size)
    }

    /// - Returns: The new file's size in bytes.
    func write(as id: ContentID, into bucket: ContentFolder) throws -> Int {
        let name = id.text + ContentName.sealing
        let file = try bucket.create(name)
        do {
            try header.withUnsafeBytes { try file.write($0) }
            for place in stride(from: start, to: size, by: Self.piece) {
                var buffer = [UInt8](repeating: 0, count: min(Self.piece, size - place))
                try buffer.withUnsafeMutableBytes { try source.read(at: place, into: $0) }
                try buffer.withUnsafeBytes { try file.write($0) }
            }
            try file.forgetTimes()
            try file.sync()
            try bucket.rename(name, to: id.text)
            try bucket.sync()
        } catch {
            _ = try? bucket.remove(name)  // The first error is the one to report; the sweep removes the file.
            throw error
        }
        return header.count + size - start
    }
}
