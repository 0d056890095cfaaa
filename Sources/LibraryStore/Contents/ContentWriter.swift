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
    /// - Returns: The reference for its row; without a row, ``ContentStore/sweep(keeping:parts:olderThan:)`` removes
    ///   the file.
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
