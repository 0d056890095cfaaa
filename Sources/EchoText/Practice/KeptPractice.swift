package import Foundation

/// A stored practice session: its text, progress and results.
package struct KeptPractice: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<KeptPractice>

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
    /// `nil` before anything was practised.
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

/// What was practised in a session, and for how long.
package struct PracticeTally: Sendable, Hashable, Codable {
    /// The numbers of segments that were played to their end.
    package private(set) var segments: Set<Int> = []
    /// Time that was spent hearing and repeating, in seconds.
    package private(set) var seconds = 0.0

    package init() {}

    /// Counts a segment that was played to its end.
    package mutating func heard(_ segment: Int) { segments.insert(segment) }

    /// Adds practice time.
    ///
    /// - Parameter seconds: Negative and non-finite values are ignored.
    package mutating func spent(_ seconds: Double) {
        if seconds.isFinite, seconds > 0 { self.seconds += seconds }
    }

    /// Summarizes a session with these takes.
    ///
    /// - Returns: `nil` when nothing was practised.
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
    package let practice: KeptPractice.ID
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
    /// Whether its sound is stored.
    package var hasSound: Bool

    package init(
        id: ID = ID(),
        practice: KeptPractice.ID,
        created: Date,
        segment: Int,
        repetition: Int,
        rate: Double? = nil,
        text: String,
        seconds: Double,
        isScored: Bool = false,
        score: Double? = nil,
        pace: Double? = nil,
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
        self.hasSound = hasSound
    }
}
