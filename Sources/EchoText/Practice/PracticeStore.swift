package import Foundation

/// The practice sessions of a library with their takes, and the segments that were hard.
///
/// An implementation must hold to what `verifyContract(of:reopened:)` in `EchoTextTesting` checks:
/// - what a call has returned from is found again, also by another process after a crash;
/// - a take's sound is sealed before the take is listed, and nothing of a deleted one is left;
/// - a session that is deleted takes its takes with it.
///
/// Everything throws ``VaultError/locked`` while the vault is locked.
package protocol PracticeStore: Sendable {
    /// Keeps a new session.
    ///
    /// - Parameters:
    ///   - practice: The session.
    ///   - text: What it is about; `nil` where the source's own text is read again.
    /// - Throws: ``VaultError``; nothing is kept then.
    func add(_ practice: KeptPractice, text: String?) async throws

    /// All sessions: the unfinished ones, then the others; of both, those first that were used last.
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

    /// Keeps a take with its sound, a whole WAV file.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``; nothing is kept then.
    func add(_ take: PracticeTake, sound: Data) async throws

    /// The takes of a session, oldest first.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func takes(of id: KeptPractice.ID) async throws -> [PracticeTake]

    /// - Throws: ``PracticeError/takeNotFound``.
    func take(_ id: PracticeTake.ID) async throws -> PracticeTake

    /// The sound of a take, as a WAV file.
    ///
    /// - Throws: ``PracticeError/takeNotFound`` also where the sound is not kept; ``VaultError``.
    func sound(of id: PracticeTake.ID) async throws -> any StoredSound

    /// How a take went; `nil` when it has not been scored.
    ///
    /// - Throws: ``PracticeError/takeNotFound``.
    func score(of id: PracticeTake.ID) async throws -> TakeScore?

    /// Keeps how a take went.
    ///
    /// - Parameters:
    ///   - score: In the place of an earlier one.
    ///   - id: The take.
    ///   - keepsSound: Whether the take's sound stays; if not, it is gone when this returns.
    /// - Throws: ``PracticeError/takeNotFound``.
    func keep(_ score: TakeScore, of id: PracticeTake.ID, keepsSound: Bool) async throws

    /// - Throws: ``PracticeError/takeNotFound``.
    func delete(_ id: PracticeTake.ID) async throws

    /// The segments that are to be practised again, those that are due first.
    func hardSegments() async throws -> [HardSegment]

    /// Keeps a hard segment, in the place of the one with its text and language.
    func keep(_ segment: HardSegment) async throws

    /// Removes a hard segment; one that is not there does not matter.
    func removeHardSegment(_ digest: String) async throws
}

extension HardSegment {
    /// What the segment is known by in any session.
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
