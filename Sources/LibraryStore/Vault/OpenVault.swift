import EchoText
import Foundation

/// A library with its keys: the database, the encrypted files, and the stores on them.
///
/// Several processes may have it open. The first one after a crash removes files without a row.
final class OpenVault: Sendable {
    let database: LibraryDatabase
    let contents: ContentStore
    /// Whether the library is an older copy than this machine used last.
    let isOlderThanSeen: Bool
    private let keys: VaultKeys
    private let mark: GenerationMark
    private let presence: ContentPresence

    init(_ keys: VaultKeys, in places: VaultPaths) async throws {
        self.keys = keys
        database = try Self.database(keys, in: places.folder)
        do {
            contents = try ContentStore(
                path: places.contents,
                identities: try keys.ageIdentities.map { try AgeIdentity(scalar: $0) }
            )
            presence = try ContentPresence(in: places.folder)
            mark = try GenerationMark(keys, deviceFolder: places.device)
            let generation = try await database.generation()
            isOlderThanSeen = try keys.isOlderThanSeen || mark.isNewer(than: generation)
            if presence.isAfterCrash {
                let kept = Set(try await database.referencedContents().map(\.id))
                // No other process has it open, so a file without a row will never get one.
                _ = try await contents.sweep(keeping: kept, parts: [], olderThan: .distantFuture)
                // The temporary copy of a backup is encrypted too, so one that remains reveals nothing.
                try? FileManager.default.removeItem(atPath: places.copies)
            }
            try presence.share()
            do {
                try await database.forgetDrafts()
            } catch VaultError.readOnly {
                // Nothing refers to these files; they are removed another time.
            }
        } catch {
            // The first failure is the one to report.
            try? database.close()
            throw error
        }
    }

    var library: Library {
        let settings = StoredSettings(database: database)
        return Library(
            audio: StoredLibrary(database: database, contents: contents),
            documents: StoredDocuments(database: database, contents: contents),
            jobs: StoredJobs(database: database, contents: contents),
            batch: StoredBatch(database: database),
            speech: StoredSpeech(database: database, contents: contents) {
                try await settings.value(of: SettingsCatalogue.cache) * 1_000_000
            },
            history: StoredHistory(database: database),
            profiles: StoredProfiles(database: database),
            playback: StoredPlayback(database: database),
            draft: StoredDraft(database: database),
            settings: settings,
            voices: StoredVoices(database: database),
            recordings: StoredRecordings(database: database, contents: contents),
            transcripts: StoredTranscripts(database: database),
            transcriptions: StoredTranscriptions(database: database),
            outbound: StoredOutbound(database: database),
            services: StoredServices(database: database),
            speeches: StoredSpeeches(database: database),
            practice: StoredPractice(database: database, contents: contents),
            watch: StoredWatch(database: database),
            measure: StoredMeasure(database: database)
        )
    }

    /// Closes it, and remembers on this machine how new it is.
    func close() async throws {
        defer { presence.leave() }
        contents.revokeReaders()
        if database.hasWritten || isOlderThanSeen {
            try mark.store(
                database.hasWritten ? try await database.advanceGeneration() : try await database.generation()
            )
        }
        try database.close()
    }

    /// An interrupted rotation may have left the database with an older key.
    private static func database(_ keys: VaultKeys, in folder: LibraryFolder) throws -> LibraryDatabase {
        for key in keys.databaseKeys.dropLast() {
            do {
                return try LibraryDatabase(in: folder, key: key)
            } catch VaultError.wrongKey {
                continue
            }
        }
        return try LibraryDatabase(in: folder, key: keys.databaseKeys[keys.databaseKeys.count - 1])
    }
}
