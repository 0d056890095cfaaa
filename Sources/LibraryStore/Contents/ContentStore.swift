import Crypto
package import EchoText
package import Foundation
import Glibc
import Synchronization

/// The encrypted files of a library, in one folder.
///
/// A file's row is committed after ``ContentWriter/finish()`` and removed before ``delete(_:)``, so that a kill leaves
/// at most a file without a row, which ``sweep(keeping:parts:deleted:unassigned:olderThan:removes:)`` finds. Its calls block, so it has its own
/// thread; writers and readers have theirs.
package actor ContentStore {
    private let executor = BlockingExecutor(label: "content store")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let folder: ContentFolder
    private let identities: [AgeIdentity]
    private nonisolated let end = Latch()

    /// Opens the folder, and creates it if missing; this accesses the disk.
    ///
    /// - Parameters:
    ///   - path: The folder's path; its parent exists.
    ///   - identities: At least one, the newest first, which encrypts; all of them decrypt.
    ///   - faults: Injected errors, in tests.
    /// - Throws: ``VaultError/unsafeFolder`` for a link or a folder of another user; ``VaultError/readOnly(_:)``.
    package init(path: String, identities: [AgeIdentity], faults: FileFaults = .none) throws {
        precondition(!identities.isEmpty, "a library has an identity")
        self.identities = identities
        folder = try ContentFolder(path: path, faults: faults)
    }

    /// Makes all readers fail from now on; nothing is opened any more.
    package nonisolated func revokeReaders() { end.set() }

    private var newest: AgeRecipient { identities[0].recipient }

    /// Begins a content.
    ///
    /// - Parameter name: The content's name, as ``TarMember/init(name:length:)`` allows.
    /// - Returns: The writer.
    /// - Throws: ``VaultError``.
    package func newContent(name: String) throws -> ContentWriter {
        precondition(TarMember(name: name, length: 0) != nil, "the name of a content has to be a file's")
        let id = ContentID()
        return try ContentWriter(id: id, name: name, bucket: bucket(of: id, isMade: true), recipient: newest)
    }

    /// Encrypts and stores a complete content.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - name: The content's name, as ``TarMember/init(name:length:)`` allows.
    /// - Returns: The reference for its row.
    /// - Throws: ``VaultError``; nothing is stored then.
    package func seal(_ bytes: Data, name: String) throws -> ContentReference {
        guard let member = TarMember(name: name, length: bytes.count) else {
            preconditionFailure("the name of a content has to be a file's")
        }
        let file = try newFile(for: member)
        try bytes.withUnsafeBytes { try file.write($0) }
        return try file.finish()
    }

    /// Begins a content of known length, which is written on this store's own thread.
    func newFile(for member: TarMember, as id: ContentID = ContentID()) throws -> SealedFileWriter {
        try SealedFileWriter(id: id, member: member, bucket: bucket(of: id, isMade: true), recipient: newest)
    }

    /// Resumes an unfinished content.
    ///
    /// - Parameters:
    ///   - id: The id of the writer that began it.
    ///   - limit: The number of bytes after which the rest is dropped.
    /// - Returns: A writer with the same `id`, which has the flushed bytes.
    /// - Throws: ``VaultError/inUse`` while another writes it, ``VaultError/contentMissing``,
    ///   ``VaultError/contentDamaged``.
    package func resume(_ id: ContentID, keepingAtMost limit: Int = .max) throws -> ContentWriter {
        let bucket = try bucket(of: id)
        let file = try bucket.open(id.text + ContentName.part)
        guard file.lock() else { throw VaultError.inUse }
        let old = try PartFile(reading: file, identities: identities)
        return try ContentWriter(id: id, resuming: old, limit: limit, bucket: bucket, recipient: newest)
    }

    /// Opens a content.
    ///
    /// - Throws: ``VaultError/contentMissing``, ``VaultError/contentDamaged``, ``VaultError/unsafeFolder``,
    ///   ``VaultError/locked``.
    package func open(_ reference: ContentReference) throws -> ContentReader {
        guard !end.isSet else { throw VaultError.locked }
        let file = try contentFile(of: reference.id)
        return ContentReader(try SealedFile(file, reference: reference, identities: identities), until: end)
    }

    /// Removes a content whose row was deleted; a missing file is no error.
    package func delete(_ reference: ContentReference) throws { try delete(reference.id) }

    /// Removes a content whose row was deleted, also from the subfolder ``aside``; a missing file is no error.
    func delete(_ id: ContentID) throws {
        do {
            let bucket = try bucket(of: id)
            if try bucket.remove(id.text) { try bucket.sync() }
        } catch VaultError.contentMissing {
            // Its subfolder is not there either.
        }
        if let aside = try asideFolder(), try aside.remove(id.text) { try aside.sync() }
    }

    /// Moves a content that no row refers to, and nobody has deleted, to the subfolder ``aside``.
    ///
    /// - Returns: Whether it was there, and could be moved.
    /// - Throws: ``VaultError``.
    func setAside(_ id: ContentID) throws -> Bool {
        do {
            try setAside(id.text, of: bucket(of: id))
            return true
        } catch let error as VaultError where error.isOfOnePart {
            return false
        }
    }

    /// Whether a content is in the subfolder ``aside`` alone; a copy there beside the one in its place is not read.
    ///
    /// - Throws: ``VaultError``.
    func isAside(_ id: ContentID) throws -> Bool {
        try !isThere(id, in: id.bucket) && isThere(id, in: Self.aside)
    }

    private func isThere(_ id: ContentID, in subfolder: String) throws -> Bool {
        do {
            return try folder.folder(subfolder, isMade: false).changed(id.text) != nil
        } catch let error as VaultError where error.isOfOnePart {
            return false
        }
    }

    /// Whether the subfolder ``aside`` is missing, so that it can be made, or can be opened; a link is not followed.
    var isAsideUsable: Bool {
        do {
            return try asideFolder() != nil || !folder.has(Self.aside)
        } catch {
            return false
        }
    }

    /// Opens the subfolder ``aside``; `nil` when it is missing, a link or no folder.
    private func asideFolder() throws -> ContentFolder? {
        do {
            return try folder.folder(Self.aside, isMade: false)
        } catch VaultError.contentMissing, VaultError.unsafeFolder {
            return nil
        }
    }

    /// Puts a content that was moved to ``aside`` back in its place.
    ///
    /// - Returns: Whether it was there, and its place was free and usable.
    /// - Throws: ``VaultError``.
    func putBack(_ id: ContentID) throws -> Bool {
        guard try isAside(id) else { return false }
        do {
            guard let aside = try asideFolder() else { return false }
            let bucket = try bucket(of: id, isMade: true)
            guard !bucket.has(id.text) else { return false }
            try aside.move(id.text, to: bucket)
            try bucket.sync()
            try aside.sync()
            return true
        } catch VaultError.contentMissing, VaultError.unsafeFolder {
            return false
        }
    }

    /// Checks that a content exists and is the right one, and with `readData` that every byte is authentic.
    ///
    /// - Throws: As ``open(_:)``.
    package func verify(_ reference: ContentReference, readData: Bool) async throws {
        let reader = try open(reference)
        if readData { try await reader.verify() }
    }

    /// Encrypts a content's key for the newest identity without changing its bytes.
    ///
    /// The result is a new file, so that the row's file exists even after a kill; once the row names the new file, the
    /// caller deletes the old one.
    ///
    /// - Parameters:
    ///   - reference: The content.
    ///   - id: The id of the new file, which does not exist yet.
    /// - Returns: The reference to the new file.
    /// - Throws: As ``open(_:)``, and ``VaultError/readOnly(_:)``.
    package func rewrap(_ reference: ContentReference, as id: ContentID = ContentID()) throws -> ContentReference {
        let source = try contentFile(of: reference.id)
        _ = try SealedFile(source, reference: reference, identities: identities)
        let copy = try RewrappedFile(source, size: reference.sealedSize, identities: identities, recipient: newest)
        let size = try copy.write(as: id, into: bucket(of: id, isMade: true))
        let hash = Data(SHA256.hash(data: copy.header))
        return ContentReference(id: id, sealedSize: size, headerHash: hash, length: reference.length)
    }

    /// The file of a content, in its place or in the subfolder ``aside``.
    private func contentFile(of id: ContentID) throws -> ContentFile {
        do {
            return try bucket(of: id).open(id.text)
        } catch VaultError.contentMissing {
            guard let aside = try asideFolder() else { throw VaultError.contentMissing }
            return try aside.open(id.text)
        }
    }

    private func bucket(of id: ContentID, isMade: Bool = false) throws -> ContentFolder {
        try folder.folder(id.bucket, isMade: isMade)
    }
}

// MARK: - Sweeping

/// The report of ``ContentStore/sweep(keeping:parts:deleted:unassigned:olderThan:removes:)``.
package struct SweepReport: Sendable, Hashable {
    /// Files without a reference, and leftovers of ended processes.
    package var removed = 0
    /// The contents to keep that are missing: their rows are damaged.
    package var missing: Set<ContentID> = []
    /// The unfinished contents to keep that are missing.
    package var missingParts: Set<ContentID> = []
    /// Whole files without a reference that nobody has deleted, which are not removed.
    package var unassigned = 0
    /// Unknown files, and subfolders that cannot be used, such as links; they are not touched.
    package var foreign = 0
}

extension ContentStore {
    /// The subfolder of files that no row referred to when they were moved there.
    static let aside = "aside"

    /// The treatment of whole files that no row refers to and nobody has deleted, such as those of a newer database that
    /// a backup has replaced.
    package enum Unassigned: Sendable {
        case removed
        case left
        /// Moved to the subfolder `aside`.
        case setAside
    }

    /// Removes files that no row refers to, and reports references without a file.
    ///
    /// - Parameters:
    ///   - kept: The contents that rows refer to.
    ///   - parts: The unfinished files that jobs will resume.
    ///   - deleted: The contents whose rows were deleted.
    ///   - unassigned: What happens to whole files that are not among `deleted`.
    ///   - limit: Files changed later are not removed, because their rows may be about to be committed.
    ///   - removes: Whether to remove files, or only to count them.
    /// - Returns: The result of the sweep.
    /// - Throws: ``VaultError``; files removed by then stay removed.
    package func sweep(
        keeping kept: Set<ContentID>,
        parts: Set<ContentID>,
        deleted: Set<ContentID> = [],
        unassigned: Unassigned = .removed,
        olderThan limit: Date,
        removes: Bool = true
    ) throws -> SweepReport {
        var report = SweepReport(missing: kept, missingParts: parts)
        for name in try folder.names() where name != Self.aside {
            guard name.utf8.count == 2, name.utf8.allSatisfy(ContentID.isDigit) else {
                report.foreign += 1
                continue
            }
            let bucket: ContentFolder
            let entries: [String]
            do {
                bucket = try folder.folder(name, isMade: false)
                entries = try bucket.names()
            } catch let error as VaultError where error.isOfOnePart {
                report.foreign += 1
                continue
            }
            let removed = report.removed
            for entry in entries {
                let isLeft = try isLeftover(entry, in: bucket, named: name, kept: kept, parts: parts, limit, &report)
                guard isLeft else { continue }
                if unassigned != .removed, let id = ContentID(entry[...]), !deleted.contains(id) {
                    report.unassigned += 1
                    if unassigned == .setAside { try setAside(entry, of: bucket) }
                } else if try !removes || bucket.remove(entry) {
                    report.removed += 1
                }
            }
            if removes, report.removed > removed { try bucket.sync() }
        }
        return report
    }

    /// The files in the subfolder ``aside`` that no row refers to.
    ///
    /// - Parameters:
    ///   - kept: The contents that rows refer to.
    ///   - removes: Whether to remove the files, or only to count them.
    /// - Returns: How many there are, and their size in bytes; none where the subfolder is a link or no folder.
    /// - Throws: ``VaultError``; files removed by then stay removed.
    func unknownAside(keeping kept: Set<ContentID>, removes: Bool) throws -> (files: Int, bytes: Int) {
        guard let place = try asideFolder() else { return (0, 0) }
        var found = (files: 0, bytes: 0)
        for name in try place.names() {
            // A repair moves no links there and nothing of another user, so they are not opened.
            guard let id = ContentID(name[...]), !kept.contains(id), let file = try? place.open(name) else { continue }
            let size = Int(try file.status().st_size)
            if removes { try place.remove(name) }
            found = (found.files + 1, found.bytes + size)
        }
        if removes, found.files > 0 { try place.sync() }
        return found
    }

    private func setAside(_ entry: String, of bucket: ContentFolder) throws {
        let aside = try folder.folder(Self.aside, isMade: true)
        try bucket.move(entry, to: aside)
        try aside.sync()
        try bucket.sync()
    }

    /// Whether nothing refers to a file any more; files of others are counted in the report.
    private func isLeftover(
        _ entry: String,
        in bucket: ContentFolder,
        named name: String,
        kept: Set<ContentID>,
        parts: Set<ContentID>,
        _ limit: Date,
        _ report: inout SweepReport
    ) throws -> Bool {
        let ending = entry.dropFirst(32)
        guard let id = ContentID(entry.prefix(32)), id.bucket == name,
            ending.isEmpty || ending == ContentName.part || ending == ContentName.sealing
        else {
            report.foreign += 1
            return false
        }
        if ending.isEmpty, kept.contains(id) {
            report.missing.remove(id)
            return false
        }
        if ending == ContentName.part, parts.contains(id) {
            report.missingParts.remove(id)
            return false
        }
        guard let changed = bucket.changed(entry), changed.seconds < limit.timeIntervalSince1970 else { return false }
        return try isAbandoned(entry, in: bucket)
    }

    /// Whether no process is writing it; a lock ends with the process that has it.
    private func isAbandoned(_ entry: String, in bucket: ContentFolder) throws -> Bool {
        do {
            return try bucket.open(entry).lock()
        } catch VaultError.contentMissing {
            return false
        } catch VaultError.unsafeFolder {
            return true  // A link in place of our file is removed, not its target.
        } catch let error as VaultError where error.isOfOnePart {
            return false
        }
    }
}

extension timespec {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1e9 }
}

/// Encrypted files next to the database.
package protocol SealedContents: Sendable {
    /// Writes a new encrypted file; it is durable when this returns.
    ///
    /// - Parameters:
    ///   - name: The name of the file inside.
    ///   - length: The number of bytes.
    ///   - id: The id of the file, which does not exist yet.
    ///   - next: Returns the bytes, piece by piece; `nil` after the last.
    /// - Returns: The reference for its row.
    /// - Throws: ``VaultError``, and what `next` throws; nothing is left behind then.
    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference

    /// - Throws: ``VaultError/contentMissing``, ``VaultError/contentDamaged``.
    func sound(of reference: ContentReference) async throws -> any StoredSound

    /// Deletes files; missing ones are ignored.
    func delete(_ references: [ContentReference]) async throws
}

extension SealedContents {
    /// Writes a new encrypted file with an id of its own, as ``write(name:length:as:from:)`` does.
    func write(
        name: SealedName,
        length: Int,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        try await write(name: name, length: length, as: ContentID(), from: next)
    }

    /// Writes a new encrypted file as ``write(name:length:as:from:)`` does, and notes in `database` before that it may be
    /// removed unless a row names it: where the program ends before there is a row, the next opening of the library does that.
    func write(
        name: SealedName,
        length: Int,
        notedIn database: LibraryDatabase,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        let id = ContentID()
        try await database.expectContents([id])
        return try await write(name: name, length: length, as: id, from: next)
    }

    /// Writes a new encrypted file with all of `bytes`, as ``write(name:length:as:from:)`` does.
    func write(_ bytes: Data, name: SealedName) async throws -> ContentReference {
        let rest = Mutex<Data?>(bytes)
        return try await write(name: name, length: bytes.count) { rest.withLock { $0.take() } }
    }
}

extension ContentStore: SealedContents {
    package func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        let file = try newFile(for: TarMember(name, length: length), as: id)
        while let piece = try await next() { try piece.withUnsafeBytes { try file.write($0) } }
        return try file.finish()
    }

    package func sound(of reference: ContentReference) async throws -> any StoredSound { try open(reference) }

    package func delete(_ references: [ContentReference]) throws {
        for reference in references { try delete(reference) }
    }
}

extension ContentReader: StoredSound {}
