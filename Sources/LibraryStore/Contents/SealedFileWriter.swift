import Crypto
import EchoText
import Foundation

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
