package import Foundation

/// A practice session as the library keeps it: what is practised, how far it has come, and how it went.
package struct KeptPractice: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<KeptPractice>

    package let id: ID
    package let created: Date
    package var updated: Date
    package let title: ItemName
    /// BCP 47; `und` when it is not known.
    package let language: String
    /// Where the text is from; a text that was given by itself is left out of it, since the session has that.
    package let source: PracticeSource
    /// Who reads, and which of the voice's people.
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

/// What of a session was practised, and for how long.
package struct PracticeTally: Sendable, Hashable, Codable {
    /// The numbers of segments that were heard to their end.
    package private(set) var segments: Set<Int> = []
    /// Time that was spent hearing and repeating, in seconds.
    package private(set) var seconds = 0.0

    package init() {}

    /// Counts a segment that was heard to its end.
    package mutating func heard(_ segment: Int) { segments.insert(segment) }

    /// Counts time.
    ///
    /// - Parameter seconds: What is not finite or negative counts nothing.
    package mutating func spent(_ seconds: Double) {
        if seconds.isFinite, seconds > 0 { self.seconds += seconds }
    }

    /// The summary of a session whose takes are these.
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

/// What was recorded while a segment was repeated; its sound and the whole of its score are read apart.
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
    /// Whether it has been heard, be it without a score.
    package var isScored: Bool
    /// As ``TakeScore/score``.
    package var score: Double?
    /// Words per minute.
    package var pace: Double?
    /// Whether its sound is kept.
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
