import API
import EchoText
import Hummingbird

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
