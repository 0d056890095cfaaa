import EchoText
import Foundation

/// All practice sessions with their takes, and the hard segments, for an archive.
struct KeptPractices: Encodable {
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
        let id: KeptPractice.ID
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
    }

    private let sessions: [Session]
    private let hardSegments: [HardSegment]

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
            var takes: [Take] = []
            for take in try await store.takes(of: practice.id) {
                var (sound, failure): (String?, String?)
                do {
                    if take.hasSound { sound = try await write(take.id, try await store.sound(of: take.id)) }
                } catch let error as VaultError where error == .contentDamaged || error == .contentMissing {
                    failure = error.code
                }
                takes.append(
                    Take(
                        id: take.id.rawValue,
                        created: take.created,
                        segment: take.segment,
                        repetition: take.repetition,
                        rate: take.rate,
                        text: take.text,
                        seconds: take.seconds,
                        score: try await store.score(of: take.id),
                        sound: sound,
                        failure: failure
                    )
                )
            }
            sessions.append(
                Session(
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
                    text: try await store.text(of: practice.id),
                    takes: takes
                )
            )
        }
        self.sessions = sessions
        hardSegments = try await store.hardSegments()
    }
}
