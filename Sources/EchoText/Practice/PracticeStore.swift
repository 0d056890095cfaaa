package import Foundation

/// The practice sessions of a library with their takes, and the hard segments.
///
/// An implementation must hold to what `verifyContract(of:reopened:)` in `EchoTextTesting` checks:
/// - a change is durable once its call has returned, also for another process after a crash;
/// - a take's sound is encrypted and stored before the take is listed, and nothing is left of a deleted take;
/// - deleting a session deletes its takes.
///
/// Everything throws ``VaultError/locked`` while the vault is locked.
package protocol PracticeStore: Sendable {
    /// Stores a new session.
    ///
    /// - Parameters:
    ///   - practice: The session.
    ///   - text: Its text; `nil` where the text is read from the source again.
    /// - Throws: ``VaultError``; nothing is stored then.
    func add(_ practice: KeptPractice, text: String?) async throws

    /// All sessions: the unfinished ones first, then the others, each ordered by last use, latest first.
    func practices() async throws -> [KeptPractice]

    /// - Throws: ``PracticeError/sessionNotFound``.
    func practice(_ id: KeptPractice.ID) async throws -> KeptPractice

    /// The text that ``add(_:text:)`` was given.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func text(of id: KeptPractice.ID) async throws -> String?

    /// Keeps how far a session has come, and when it was used; the rest of it never changes.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func update(_ practice: KeptPractice) async throws

    /// Deletes a session with its takes.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func delete(_ id: KeptPractice.ID) async throws

    /// Stores a take with its sound, a complete WAV file.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``; nothing is stored then.
    func add(_ take: PracticeTake, sound: Data) async throws

    /// The takes of a session, oldest first.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func takes(of id: KeptPractice.ID) async throws -> [PracticeTake]

    /// - Throws: ``PracticeError/takeNotFound``.
    func take(_ id: PracticeTake.ID) async throws -> PracticeTake

    /// The sound of a take, as a WAV file.
    ///
    /// - Throws: ``PracticeError/takeNotFound`` also where the sound was not stored; ``VaultError``.
    func sound(of id: PracticeTake.ID) async throws -> any StoredSound

    /// How a take went; `nil` when it has not been scored.
    ///
    /// - Throws: ``PracticeError/takeNotFound``.
    func score(of id: PracticeTake.ID) async throws -> TakeScore?

    /// Stores the score of a take.
    ///
    /// - Parameters:
    ///   - score: The score, which replaces an earlier one.
    ///   - id: The take.
    ///   - keepsSound: Whether the take's sound stays; if not, it is deleted when this returns.
    /// - Throws: ``PracticeError/takeNotFound``.
    func keep(_ score: TakeScore, of id: PracticeTake.ID, keepsSound: Bool) async throws

    /// - Throws: ``PracticeError/takeNotFound``.
    func delete(_ id: PracticeTake.ID) async throws

    /// The segments that are to be practised again, those that are due first.
    func hardSegments() async throws -> [HardSegment]

    /// Stores a hard segment, replacing the one with the same text and language.
    func keep(_ segment: HardSegment) async throws

    /// Removes a hard segment if it exists.
    func removeHardSegment(_ digest: String) async throws
}

extension HardSegment {
    /// The segment's identity across sessions.
    package var digest: String { Self.digest(of: text, language: language) }
}

extension PracticeStore {
    /// What was recorded in a take, as one clip.
    ///
    /// - Throws: As ``sound(of:)``.
    package func recording(of id: PracticeTake.ID) async throws -> AudioClip {
        let reader = try await RecordingReader(of: sound(of: id))
        var samples: [Float] = []
        samples.reserveCapacity(reader.count)
        while samples.count < reader.count { samples += try await reader.clip(from: samples.count).samples }
        return AudioClip(samples: samples, sampleRate: reader.sampleRate)
    }
}
