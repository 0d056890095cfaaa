import Crypto
import EchoText
import Foundation

/// Seals bytes whose number is known as one age file, which appears under its name when it is whole and on the disk.
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
        try bucket.remove(name)  // of a process that was killed while it sealed the same part
        let file = try bucket.create(name)
        self.file = file
        do {
            age = try AgeWriter(for: [recipient]) { try file.write($0) }
            try age.write(member.head)
        } catch {
            _ = try? bucket.remove(name)  // what went wrong first is what counts; the sweep removes it
            throw error
        }
    }

    deinit { cancel() }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        precondition(written + bytes.count <= member.length, "more than the \(member.length) bytes that were announced")
        try age.write(bytes)
        written += bytes.count
    }

    /// - Throws: ``VaultError``; nothing is kept then.
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

    /// Removes what was written; does nothing after ``finish()``.
    func cancel() {
        guard isOpen else { return }
        isOpen = false
        _ = try? bucket.remove(partialName)  // the sweep removes what cannot be removed now
    }
}

/// The endings after the 32 digits in the names of incomplete files.
enum ContentName {
    /// Grows while something is made; see ``PartFile``.
    static let part = ".part"
    /// Becomes a whole file, or a part, when it is renamed.
    static let sealing = ".new"
}

/// Sizes that say little about what is inside: Padmé.
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
