package import EchoText
package import Foundation

/// A take of a segment.
package struct TakeResponse: Encodable, Sendable {
    /// A word of the segment.
    package struct Word: Encodable, Sendable {
        package let text: String
        package let kind: TakeScore.Word.Kind
        @Nullable package var heard: String?
    }

    package let id: PracticeTake.ID
    package let session: PracticeRecord.ID
    package let created: Date
    package let segment: Int
    package let repetition: Int
    /// The rate at which the segment was heard before it.
    @Nullable package var rate: Double?
    /// The segment's.
    package let text: String
    package let seconds: Double
    /// Whether it was analyzed, even if without a score.
    package let isScored: Bool
    /// From 0 to 1.
    @Nullable package var score: Double?
    /// Words per minute.
    @Nullable package var pace: Double?
    /// Whether its sound is stored.
    package let hasSound: Bool
    /// In a command's answer: how each word of the segment went, in order; none without a score.
    package private(set) var words: [Word]?
    /// In a command's answer: the words that the segment does not have.
    package private(set) var added: [String]?

    package init(_ take: PracticeTake) {
        (id, session, created) = (take.id, take.practice, take.created)
        (segment, repetition, text) = (take.segment, take.repetition, take.text)
        (seconds, isScored, hasSound) = (take.seconds, take.isScored, take.hasSound)
        (rate, score, pace) = (take.rate, take.score, take.pace)
    }

    package init(_ take: PracticeTake, _ scored: TakeScore?) {
        self.init(take)
        words = (scored?.words ?? []).map { word in
            Word(text: String(take.text.part(word.source)), kind: word.kind, heard: word.heard)
        }
        added = (scored?.extra ?? []).map(\.heard)
    }
}

/// A segment that is to be practiced again.
package struct HardSegmentResponse: Encodable, Sendable {
    package let text: String
    package let language: String
    package let since: Date
    package let next: Date
    /// In a command's list: whether it is offered now.
    package let isDue: Bool?
    /// The score of the last take; null where a person marked it.
    @Nullable package var score: Double?

    package init(_ segment: HardSegment, isDue: Bool? = nil) {
        (text, language) = (segment.text, segment.language)
        (since, next, score) = (segment.since, segment.next, segment.score)
        self.isDue = isDue
    }
}
