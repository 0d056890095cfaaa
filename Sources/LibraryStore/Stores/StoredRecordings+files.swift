package import EchoText
import Foundation
import GRDB

/// The recordings that sessions become, and the files that they are imported from.
extension StoredRecordings {
    /// Replaces the session's rows by those of the recording.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - sound: All of its sound.
    ///   - lost: The samples of it that are silence.
    ///   - file: The file that it comes from.
    ///   - segments: The sealed files of the session, whose rows are removed.
    /// - Returns: The recording.
    /// - Throws: What reading `file` throws, ``VaultError``; nothing has changed then.
    func keep(
        _ session: RecordingSession,
        sound: ContentReference,
        lost: [Range<Int>],
        from file: ImportedFile?,
        instead segments: [ContentReference]
    ) async throws -> AudioItem {
        var item = AudioItem(finished: session, size: sound.length, lost: lost, from: file)
        guard var file else { return try await keep(item, of: session, sound: sound, from: nil, instead: segments) }
        let present = try await file.isKept ? copies(of: file) : FileCopies()
        if let shared = present.record {
            do {
                return try await keep(
                    item,
                    of: session,
                    sound: sound,
                    from: shared,
                    replacing: present.damaged,
                    instead: segments
                )
            } catch LibraryError.fileNotKept {
                // The recording that had the bytes was deleted meanwhile.
            }
        }
        if file.isKept, !file.takesRoom {
            file = file.unkept
            item = AudioItem(finished: session, size: sound.length, lost: lost, from: file)
        }
        let own = try await ImportedFileRecord(
            file,
            called: session.order.sourceName,
            beside: sound,
            in: contents,
            notedIn: database
        )
        return try await keep(
            item,
            of: session,
            sound: sound,
            from: own,
            replacing: own.reference == nil ? [] : present.damaged,
            knowing: present.seen,
            instead: segments
        )
    }

    /// The copies of a file that the library has, because other recordings were imported from it.
    private struct FileCopies {
        /// Describes it as one whose bytes are there and whole.
        var record: ImportedFileRecord?
        /// The sealed files that should have its bytes, and are missing or damaged.
        var damaged: [ContentReference] = []
        /// All sealed files that may have its bytes.
        var seen: Set<ContentID> = []
    }

    private func copies(of file: ImportedFile) async throws -> FileCopies {
        let size = file.bytes.length
        let twins = try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(ContentReference.columns), itemFile.digest FROM itemFile
                    JOIN content ON content.id = itemFile.content WHERE itemFile.size = ?
                    """,
                arguments: [size]
            ).map { row in (reference: try ContentReference(row: row), digest: row["digest"] as Data) }
        }
        var copies = FileCopies()
        copies.seen = Set(twins.map { $0.reference.id })
        guard !twins.isEmpty else { return copies }
        let digest = try await ImportedFileRecord.digest(of: file.bytes)
        for twin in twins where twin.digest == digest {
            do {
                let kept = try await contents.sound(of: twin.reference)
                guard try await ImportedFileRecord.digest(of: kept) == digest else { throw VaultError.contentDamaged }
                copies.record = ImportedFileRecord(sharing: digest, size: size, isUnique: file.isUnique)
            } catch VaultError.contentMissing, VaultError.contentDamaged {
                copies.damaged.append(twin.reference)
            } catch let error as VaultError where error.isOfOnePart {
                // It cannot be read just now, and so not be relied on.
            }
        }
        return copies
    }

    /// Replaces the session's rows by those of the recording and its file, which the recordings with a damaged one share then.
    ///
    /// Where another import has stored the same bytes since those in `seen`, the recording shares them, or is refused if it
    /// is to be their only one.
    private func keep(
        _ item: AudioItem,
        of session: RecordingSession,
        sound: ContentReference,
        from file: ImportedFileRecord?,
        replacing damaged: [ContentReference] = [],
        knowing seen: Set<ContentID> = [],
        instead segments: [ContentReference]
    ) async throws -> AudioItem {
        let time = now()
        let isTwin: Bool
        do {
            isTwin = try await database.write { database in
                try file?.admit(item, in: database)
                for reference in damaged { try ImportedFileRecord.forget(reference, in: database) }
                let key = try item.insert(
                    text: "",
                    timings: TimingTableCodec.encode([], of: []),
                    content: sound,
                    into: database
                )
                try item.insert(session.marks, into: database, key: key)
                let shared = try file?.shared(since: seen, in: database)
                try (shared ?? file)?.insert(item: key, into: database)
                try Self.delete(session.id, with: segments, at: time, in: database)
                return shared != nil
            }
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            if let reference = file?.reference { try? await contents.delete([reference]) }
            throw error
        }
        // Nothing refers to them any more; one that stays behind is swept away later.
        let unused = damaged + (isTwin ? [file?.reference].compactMap(\.self) : [])
        if !unused.isEmpty { try? await contents.delete(unused) }
        return item
    }

    package func recordings(from file: any StoredBytes) async throws -> [AudioItem] {
        let size = file.length
        let hasSize = try await database.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT * FROM itemFile WHERE size = ?)",
                arguments: [size]
            ) ?? false
        }
        guard hasSize else { return [] }
        let digest = try await ImportedFileRecord.digest(of: file)
        return try await database.read { database in
            try ImportedFileRecord.items(size: size, digest: digest, in: database)
        }
    }
}
