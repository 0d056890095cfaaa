package import EchoText
import Foundation
import GRDB

/// The voice profiles, in the encrypted database; the default one comes with its tables.
package struct StoredProfiles: VoiceProfiles {
    let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func profiles() async throws -> [VoiceProfile] {
        let kept = try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM profile ORDER BY id <> 'default', foldedName, id")
                .compactMap(VoiceProfile.init(row:))
        }
        return kept.first?.id == .standard ? kept : [.standard] + kept
    }

    package func unreadable() async throws -> Int {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM profile").count { VoiceProfile(row: $0) == nil }
        }
    }

    package func save(_ profile: VoiceProfile) async throws {
        try await database.write { database in try Self.save(profile, in: database) }
    }

    package func change(
        _ id: VoiceProfile.ID,
        _ change: @escaping @Sendable (inout VoiceProfile) throws -> Void
    ) async throws -> VoiceProfile {
        try await database.write { database in
            let kept = try Self.profile(id, in: database) ?? (id == .standard ? VoiceProfile.standard : nil)
            guard var profile = kept else { throw LibraryError.profileNotFound }
            try change(&profile)
            try Self.save(profile, in: database)
            return profile
        }
    }

    private static func save(_ profile: VoiceProfile, in database: Database) throws {
        _ = try profile.prosody
        let isTaken = try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT * FROM profile WHERE foldedName = ? AND id <> ?)",
            arguments: [profile.name.sortKey, profile.id.rawValue]
        )
        if isTaken == true { throw LibraryError.profileNameTaken }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO profile
                    (id, name, foldedName, voice, speaker, speed, pitch, liveliness, rhythm, isUntouched)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
                """,
            arguments: [
                profile.id.rawValue, profile.name.text, profile.name.sortKey, profile.voice.rawValue,
                profile.speaker, profile.speed, profile.pitch, profile.liveliness, profile.rhythm,
            ]
        )
    }

    package func suggest(_ voice: Voice.ID) async throws {
        let isNews = try await database.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT * FROM profile WHERE id = 'default' AND isUntouched AND voice <> ?)",
                arguments: [voice.rawValue]
            )
        }
        // There is almost never anything to write.
        guard isNews == true else { return }
        try await database.write { database in
            try database.execute(
                sql: "UPDATE profile SET voice = ?, speaker = 0 WHERE id = 'default' AND isUntouched",
                arguments: [voice.rawValue]
            )
        }
    }

    package func delete(_ id: VoiceProfile.ID) async throws {
        guard id != .standard else { throw LibraryError.defaultProfileStays }
        try await database.write { database in
            try database.execute(sql: "DELETE FROM profile WHERE id = ?", arguments: [id.rawValue])
            guard database.changesCount == 1 else { throw LibraryError.profileNotFound }
            try database.execute(
                sql: "DELETE FROM state WHERE name = 'profile' AND value = ?",
                arguments: [Data(id.rawValue.utf8)]
            )
        }
    }

    package func choose(_ id: VoiceProfile.ID) async throws {
        try await database.write { database in
            guard try Self.profile(id, in: database) != nil else { throw LibraryError.profileNotFound }
            try database.execute(
                sql: "INSERT OR REPLACE INTO state (name, value) VALUES ('profile', ?)",
                arguments: [Data(id.rawValue.utf8)]
            )
        }
    }

    package func chosen() async throws -> ChosenProfile {
        try await database.read { database in
            let chosen = try Data.fetchOne(database, sql: "SELECT value FROM state WHERE name = 'profile'")
                .map { VoiceProfile.ID(rawValue: String(decoding: $0, as: UTF8.self)) }
            if let profile = try Self.profile(chosen ?? .standard, in: database) {
                return ChosenProfile(profile: profile, isStandIn: false)
            }
            return ChosenProfile(profile: try Self.profile(.standard, in: database) ?? .standard, isStandIn: true)
        }
    }

    private static func profile(_ id: VoiceProfile.ID, in database: Database) throws -> VoiceProfile? {
        try Row.fetchOne(database, sql: "SELECT * FROM profile WHERE id = ?", arguments: [id.rawValue])
            .flatMap(VoiceProfile.init(row:))
    }
}

extension VoiceProfile {
    /// Fails for an invalid row.
    fileprivate init?(row: Row) {
        // Which rule of names it breaks does not matter here.
        guard let name = try? ItemName(stored: row["name"] as String) else { return nil }
        self.init(
            id: ID(rawValue: row["id"]),
            name: name,
            voice: Voice.ID(rawValue: row["voice"]),
            speaker: row["speaker"],
            speed: row["speed"],
            pitch: row["pitch"],
            liveliness: row["liveliness"],
            rhythm: row["rhythm"]
        )
    }
}
