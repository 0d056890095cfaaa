import EchoText
import Foundation

/// All practice sessions with their takes, and the hard segments, for an archive.
struct ArchivedPractices: Encodable {
    private struct Take: Encodable {
        let id: String
        let created: Date
        let segment: Int
        let repetition: Int
        let rate: Double?
        let text: String
        let seconds: Double
        let score: TakeScore?
        /// The path of its sound, relative to the folder.
        let sound: String?
        /// The error's code, if the sound is damaged.
        let failure: String?
    }

    private struct Session: Encodable {
        let id: PracticeRecord.ID
        let created: Date
        let updated: Date
        let title: ItemName
        let language: String
        let source: PracticeSource
        let voice: Voice.ID
        let speaker: Int
        let state: PracticeSession
        let summary: PracticeSummary?
        let text: String?
        let takes: [Take]
        /// The error's code, if its text or its takes are damaged.
        let failure: String?
    }

    private let sessions: [Session]
    private let hardSegments: [HardSegment]?
    /// The error's code, if a session or the hard segments are damaged.
    private let failure: String?

    /// Whether nothing of it is damaged.
    var isWhole: Bool {
        failure == nil && sessions.allSatisfy { $0.failure == nil && $0.takes.allSatisfy { $0.failure == nil } }
    }

    /// - Parameters:
    ///   - library: The library.
    ///   - write: Writes a take's sound, and returns its path.
    /// - Throws: ``VaultError``, and what `write` throws.
    init(
        of library: Library,
        writing write: (PracticeTake.ID, any StoredSound) async throws -> String
    ) async throws {
        let store = library.practice
        var sessions: [Session] = []
        for practice in try await store.practices() {
            do {
                sessions.append(try await Self.session(practice, in: store, writing: write))
            } catch PracticeError.sessionNotFound {
                continue  // It was deleted meanwhile, so nothing is missing.
            }
        }
        self.sessions = sessions
        var failure: String?
        if try await store.unreadable() > 0 { failure = VaultError.databaseDamaged.code }
        hardSegments = try await Self.attempt(&failure) { try await store.hardSegments() }
        self.failure = failure
    }

    /// Returns what `read` returns; where that is damaged, only the error is recorded, so that all else is written.
    private static func attempt<Value>(
        _ failure: inout String?,
        _ read: () async throws -> Value
    ) async throws -> Value? {
        do {
            return try await read()
        } catch let error as VaultError where error.isOfOnePart {
            failure = error.code
            return nil
        }
    }

    private static func session(
        _ practice: PracticeRecord,
        in store: any PracticeStore,
        writing write: (PracticeTake.ID, any StoredSound) async throws -> String
    ) async throws -> Session {
        var failure: String?
        let text: String? = try await attempt(&failure) { try await store.text(of: practice.id) } ?? nil
        var takes: [Take] = []
        for take in try await attempt(&failure, { try await store.takes(of: practice.id) }) ?? [] {
            do {
                takes.append(try await Self.take(take, in: store, writing: write))
            } catch PracticeError.takeNotFound {
                continue  // It was deleted meanwhile.
            }
        }
        return Session(
            id: practice.id,
            created: practice.created,
            updated: practice.updated,
            title: practice.title,
            language: practice.language,
            source: practice.source,
            voice: practice.voice,
            speaker: practice.speaker,
            state: practice.session,
            summary: practice.summary,
            text: text,
            takes: takes,
            failure: failure
        )
    }

    private static func take(
        _ take: PracticeTake,
        in store: any PracticeStore,
        writing write: (PracticeTake.ID, any StoredSound) async throws -> String
    ) async throws -> Take {
        var failure: String?
        let score: TakeScore? = try await attempt(&failure) { try await store.score(of: take.id) } ?? nil
        var sound: String?
        if take.hasSound {
            sound = try await attempt(&failure) { try await write(take.id, try await store.sound(of: take.id)) }
        }
        return Take(
            id: take.id.rawValue,
            created: take.created,
            segment: take.segment,
            repetition: take.repetition,
            rate: take.rate,
            text: take.text,
            seconds: take.seconds,
            score: score,
            sound: sound,
            failure: failure
        )
    }
}
