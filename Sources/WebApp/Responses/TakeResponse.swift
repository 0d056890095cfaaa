import API
import EchoText
import Foundation
import Hummingbird

/// A take of a segment.
struct TakeResponse: ResponseEncodable {
    let id: String
    let session: String
    let created: Date
    let segment: Int
    let repetition: Int
    /// The rate at which the segment was heard before it.
    @Nullable var rate: Double?
    let text: String
    let seconds: Double
    /// Whether it was analyzed, even if without a score.
    let isScored: Bool
    @Nullable var score: Double?
    /// Words per minute.
    @Nullable var pace: Double?
    /// Whether its sound is stored.
    let hasSound: Bool

    init(_ take: PracticeTake) {
        (id, session) = (take.id.rawValue, take.practice.rawValue)
        created = take.created
        (segment, repetition, text) = (take.segment, take.repetition, take.text)
        (seconds, isScored, hasSound) = (take.seconds, take.isScored, take.hasSound)
        (rate, score, pace) = (take.rate, take.score, take.pace)
    }
}

/// The takes of a session, oldest first.
struct TakesResponse: ResponseEncodable {
    let takes: [TakeResponse]
}

/// How a take went: times in seconds, places in UTF-16 units of the segment's text.
struct TakeScoreResponse: ResponseEncodable {
    struct Word: Encodable {
        let kind: TakeScore.Word.Kind
        let from: Int
        let to: Int
        @Nullable var heard: String?
        @Nullable var start: Double?
        @Nullable var end: Double?
        @Nullable var modelStart: Double?
        @Nullable var modelEnd: Double?

        init(_ word: TakeScore.Word) {
            kind = word.kind
            (from, to) = (word.source.lowerBound, word.source.upperBound)
            heard = word.heard
            (start, end) = (word.take?.lowerBound, word.take?.upperBound)
            (modelStart, modelEnd) = (word.model?.lowerBound, word.model?.upperBound)
        }
    }

    struct Extra: Encodable {
        let heard: String
        let after: Int
        @Nullable var start: Double?
        @Nullable var end: Double?

        init(_ extra: TakeScore.Extra) {
            (heard, after) = (extra.heard, extra.after)
            (start, end) = (extra.time?.lowerBound, extra.time?.upperBound)
        }
    }

    struct Pace: Encodable {
        @Nullable var take: Double?
        @Nullable var model: Double?
    }

    struct Stretch: Encodable {
        let start: Double
        let end: Double

        init(_ time: TakeScore.Time) { (start, end) = (time.lowerBound, time.upperBound) }
    }

    struct Pauses: Encodable {
        let take: [Stretch]
        let model: [Stretch]
    }

    /// Values at a constant interval in seconds.
    struct Curve<Value: Encodable & Sendable>: Encodable, Sendable {
        let step: Double
        let take: [Value]
        let model: [Value]
    }

    @Nullable var score: Double?
    @Nullable var reason: TakeScore.Reason?
    let words: [Word]
    let extra: [Extra]
    let pace: Pace
    let pauses: Pauses
    let pitch: Curve<Double?>
    let loudness: Curve<Double>
    /// Whether the take's sound is still stored after scoring.
    let hasSound: Bool

    init(_ score: TakeScore, hasSound: Bool) {
        self.hasSound = hasSound
        (self.score, reason) = (score.score, score.reason)
        words = score.words.map(Word.init)
        extra = score.extra.map(Extra.init)
        pace = Pace(take: score.pace.take, model: score.pace.model)
        pauses = Pauses(take: score.pauses.take.map(Stretch.init), model: score.pauses.model.map(Stretch.init))
        let picture = score.picture
        pitch = Curve(step: picture.take.step, take: picture.take.pitch, model: picture.model.pitch)
        loudness = Curve(step: picture.take.step, take: picture.take.loudness, model: picture.model.loudness)
    }
}

/// The segments that are to be practised again.
struct HardSegmentsResponse: ResponseEncodable {
    struct Segment: Encodable {
        let text: String
        let language: String
        let since: Date
        let next: Date
        @Nullable var score: Double?

        init(_ segment: HardSegment) {
            (text, language) = (segment.text, segment.language)
            (since, next, score) = (segment.since, segment.next, segment.score)
        }
    }

    let due: [Segment]
    let later: Int
    let upcoming: [Segment]

    init(due: [HardSegment], upcoming: [HardSegment]) {
        (self.due, later) = (due.map(Segment.init), upcoming.count)
        self.upcoming = upcoming.map(Segment.init)
    }
}
