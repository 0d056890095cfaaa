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
    func add(_ practice: PracticeRecord, text: String?) async throws

    /// All sessions that can be read: the unfinished ones first, then the others, each ordered by last use, latest
    /// first.
    func practices() async throws -> [PracticeRecord]

    /// How many sessions cannot be read.
    func unreadable() async throws -> Int

    /// - Throws: ``PracticeError/sessionNotFound``.
    func practice(_ id: PracticeRecord.ID) async throws -> PracticeRecord

    /// The text that ``add(_:text:)`` was given.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func text(of id: PracticeRecord.ID) async throws -> String?

    /// Keeps how far a session has come, and when it was used; the rest of it never changes.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func update(_ practice: PracticeRecord) async throws

    /// Deletes a session with its takes.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func delete(_ id: PracticeRecord.ID) async throws

    /// Stores a take with its sound, a complete WAV file.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``; nothing is stored then.
    func add(_ take: PracticeTake, sound: Data) async throws

    /// The takes of a session, oldest first.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``.
    func takes(of id: PracticeRecord.ID) async throws -> [PracticeTake]

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

    /// The segments that are to be practiced again, those that are due first.
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
    /// Returns the sound of a take as one clip.
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

/// A stored practice session: its text, progress and results.
package struct PracticeRecord: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<PracticeRecord>

    package let id: ID
    package let created: Date
    package var updated: Date
    package let title: ItemName
    /// BCP 47; `und` when it is not known.
    package let language: String
    /// The source of the text; a text given directly is not stored here, since the session has it.
    package let source: PracticeSource
    /// The voice, and its speaker.
    package let voice: Voice.ID
    package let speaker: Int
    package var session: PracticeSession
    package var tally: PracticeTally
    /// `nil` before anything was practiced.
    package var summary: PracticeSummary?

    package init(
        id: ID = ID(),
        created: Date,
        updated: Date? = nil,
        title: ItemName,
        language: String,
        source: PracticeSource,
        voice: Voice.ID,
        speaker: Int,
        session: PracticeSession,
        tally: PracticeTally = PracticeTally(),
        summary: PracticeSummary? = nil
    ) {
        self.id = id
        self.created = created
        self.updated = updated ?? created
        self.title = title
        self.language = language
        self.source = source
        self.voice = voice
        self.speaker = speaker
        self.session = session
        self.tally = tally
        self.summary = summary
    }

    package var isFinished: Bool { session.phase == .finished }
}

/// The segments that were practiced in a session, and the time spent.
package struct PracticeTally: Sendable, Hashable, Codable {
    /// The numbers of segments that were played to their end.
    package private(set) var segments: Set<Int> = []
    /// Time that was spent hearing and repeating, in seconds.
    package private(set) var seconds = 0.0

    package init() {}

    /// Counts a segment that was played to its end.
    package mutating func played(_ segment: Int) { segments.insert(segment) }

    /// Adds practice time.
    ///
    /// - Parameter seconds: Negative and non-finite values are ignored.
    package mutating func spent(_ seconds: Double) {
        if seconds.isFinite, seconds > 0 { self.seconds += seconds }
    }

    /// Summarizes a session with these takes.
    ///
    /// - Returns: `nil` when nothing was practiced.
    package func summary(of takes: [PracticeTake]) -> PracticeSummary? {
        guard !segments.isEmpty || !takes.isEmpty else { return nil }
        let scores = takes.compactMap(\.score)
        let paces = takes.compactMap(\.pace)
        var last: [Int: Double] = [:]
        for take in takes.sorted(by: { $0.created < $1.created }) {
            if let score = take.score { last[take.segment] = score }
        }
        let ranked = last.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map {
            PracticeSummary.Segment(number: $0.key, score: $0.value)
        }
        return PracticeSummary(
            segments: segments.count,
            takes: takes.count,
            score: scores.mean,
            pace: paces.mean,
            best: ranked.first,
            worst: ranked.last,
            seconds: seconds
        )
    }
}

extension [Double] {
    /// `nil` when it is empty.
    fileprivate var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

/// A recording of a person's repetition of a segment; its sound and its full score are read separately.
package struct PracticeTake: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<PracticeTake>

    package let id: ID
    package let practice: PracticeRecord.ID
    package let created: Date
    /// Which segment was repeated, and which time of it that was; both from 1.
    package let segment: Int
    package let repetition: Int
    /// The rate at which the person heard the segment before it; `nil` when that is not known.
    package let rate: Double?
    /// The segment's text, which may be cut in another way later.
    package let text: String
    package let seconds: Double
    /// Whether it was analyzed, even if without a score.
    package var isScored: Bool
    /// As ``TakeScore/score``.
    package var score: Double?
    /// Words per minute.
    package var pace: Double?
    /// Whether takes were kept when it came, so that its sound stays though that is switched off before it is scored.
    package let isKept: Bool
    /// Whether its sound is stored.
    package var hasSound: Bool

    package init(
        id: ID = ID(),
        practice: PracticeRecord.ID,
        created: Date,
        segment: Int,
        repetition: Int,
        rate: Double? = nil,
        text: String,
        seconds: Double,
        isScored: Bool = false,
        score: Double? = nil,
        pace: Double? = nil,
        isKept: Bool = false,
        hasSound: Bool = true
    ) {
        self.id = id
        self.practice = practice
        self.created = created
        self.segment = segment
        self.repetition = repetition
        self.rate = rate
        self.text = text
        self.seconds = seconds
        self.isScored = isScored
        self.score = score
        self.pace = pace
        self.isKept = isKept
        self.hasSound = hasSound
    }
}

/// How a session went.
package struct PracticeSummary: Sendable, Hashable, Codable {
    /// A segment with the score of its last take.
    package struct Segment: Sendable, Hashable, Codable {
        package let number: Int
        package let score: Double

        package init(number: Int, score: Double) {
            (self.number, self.score) = (number, score)
        }
    }

    /// The number of segments that were played or repeated to their end.
    package var segments: Int
    package var takes: Int
    /// The mean of the scores there are; `nil` when there is none.
    package var score: Double?
    /// The mean of the takes' words per minute; `nil` when none is known.
    package var pace: Double?
    /// The segment with the best last take; `nil` when there is no score.
    package var best: Segment?
    package var worst: Segment?
    /// Time that was spent hearing and repeating, in seconds.
    package var seconds: Double

    package init(
        segments: Int,
        takes: Int,
        score: Double?,
        pace: Double?,
        best: Segment?,
        worst: Segment?,
        seconds: Double
    ) {
        self.segments = segments
        self.takes = takes
        self.score = score
        self.pace = pace
        self.best = best
        self.worst = worst
        self.seconds = seconds
    }
}

/// A segment that is practiced again after some days, because it went badly or a person marked it.
package struct HardSegment: Sendable, Hashable, Codable {
    /// After how many days it is offered again; each success leads to the next.
    ///
    /// - SeeAlso: Wozniak and Gorzelanczyk, “Optimization of repetition spacing in the practice of learning” (1994), on why the gaps grow.
    package static let days = [1, 3, 7, 14, 28]
    /// A lower score makes a segment hard, or sets it back to the first gap.
    package static let hard = 0.6
    /// A score as high leads to the next gap.
    package static let good = 0.8

    package let text: String
    /// BCP 47.
    package let language: String
    package let since: Date
    /// Which of ``days`` it waits for, from 0.
    package private(set) var stage = 0
    /// When it is offered again.
    package private(set) var next: Date
    /// The score of the last take; `nil` when a person marked it.
    package private(set) var score: Double?

    /// Makes a segment hard because of a poor take or a person's mark.
    ///
    /// - Parameters:
    ///   - text: The segment's text.
    ///   - language: BCP 47.
    ///   - score: The score of the take; `nil` for a person's mark.
    ///   - time: The current time.
    package init(text: String, language: String, score: Double?, at time: Date) {
        self.text = text
        self.language = language
        self.score = score
        since = time
        next = Self.date(after: Self.days[0], from: time)
    }

    /// Updates the schedule after another take.
    ///
    /// A good take counts only when the segment is due, so that five takes in a row do not count as five days.
    ///
    /// - Parameters:
    ///   - score: The take's score.
    ///   - time: The current time.
    /// - Returns: Whether it is still hard; it is not after a good take at the longest interval.
    package mutating func practiced(score: Double, at time: Date) -> Bool {
        self.score = score
        if score < Self.hard {
            stage = 0
        } else {
            guard isDue(at: time) else { return true }
            if score >= Self.good { stage += 1 }
            guard stage < Self.days.count else {
                stage = Self.days.count - 1
                return false
            }
        }
        next = Self.date(after: Self.days[stage], from: time)
        return true
    }

    /// Updates the schedule after practice that was not scored: when it is due, it waits the same gap again.
    ///
    /// - Parameter time: The current time.
    /// - Returns: Whether it was due.
    package mutating func practiced(at time: Date) -> Bool {
        guard isDue(at: time) else { return false }
        next = Self.date(after: Self.days[stage], from: time)
        return true
    }

    /// Whether its day has come, or is farther away than its gap ever was, as where the clock was ahead before.
    package func isDue(at time: Date) -> Bool {
        next <= time || next > Self.date(after: Self.days[stage] + 1, from: time)
    }

    /// The identity of a segment in any session: its language and its words without capitals and punctuation, as a number of 128 bits.
    ///
    /// - SeeAlso: the hash FNV-1a by Fowler, Noll and Vo.
    package static func digest(of text: String, language: String) -> String {
        let units = Array(text.utf16)
        let words = text.spokenWords.map { String(decoding: units[$0], as: UTF16.self).comparedWord }
        let key = ([LanguageTag.language(of: language)] + words.filter { !$0.isEmpty }).joined(separator: " ")
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in key.utf8 { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Some hours early, for a person who practices at eight one evening and at five the next.
    private static func date(after days: Int, from time: Date) -> Date {
        time.addingTimeInterval(Double(days) * 24 * 3_600 - 8 * 3_600)
    }
}
