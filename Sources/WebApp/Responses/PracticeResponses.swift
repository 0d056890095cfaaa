import API
import EchoText
import Hummingbird

/// The unfinished sessions first, then the others, each ordered by last use, latest first.
struct PracticesResponse: ResponseEncodable {
    let sessions: [PracticeResponse]
    /// How many more cannot be read.
    let unreadable: Int
}

/// The actions after events, and the state of the session.
struct PracticeOutcomeResponse: ResponseEncodable {
    /// Fields that an action does not have are omitted.
    struct Action: Encodable {
        private(set) var kind: String
        private(set) var token: Int?
        private(set) var segment: Int?
        private(set) var rate: Double?
        private(set) var seconds: Double?
        private(set) var longest: Double?
        private(set) var keepsTake: Bool?
        private(set) var signal: PracticeAction.Signal?

        init(_ action: PracticeAction) {
            switch action {
            case .prepare(let segment, let rate): (kind, self.segment, self.rate) = ("prepare", segment, rate)
            case .play(let token, let segment, let rate):
                (kind, self.token, self.segment, self.rate) = ("play", token, segment, rate)
            case .suspendPlayback(let token): (kind, self.token) = ("suspendPlayback", token)
            case .resumePlayback(let token): (kind, self.token) = ("resumePlayback", token)
            case .stopPlayback(let token): (kind, self.token) = ("stopPlayback", token)
            case .startEcho(let token, let segment, let seconds, let longest):
                (kind, self.token, self.segment) = ("startEcho", token, segment)
                (self.seconds, self.longest) = (seconds, longest)
            case .suspendEcho(let token): (kind, self.token) = ("suspendEcho", token)
            case .resumeEcho(let token, let remaining): (kind, self.token, seconds) = ("resumeEcho", token, remaining)
            case .stopEcho(let token, let keeps): (kind, self.token, keepsTake) = ("stopEcho", token, keeps)
            case .signal(let signal): (kind, self.signal) = ("signal", signal)
            case .summarize: kind = "summarize"
            }
        }
    }

    let session: PracticeResponse
    let actions: [Action]
}

/// Some segments of a session's text.
struct PracticeSegmentsResponse: ResponseEncodable {
    struct Segment: Encodable {
        let number: Int
        let text: String
        let paragraph: Int
        let isHeading: Bool
        let isHard: Bool
    }

    let segments: [Segment]
    let known: Int
    let isComplete: Bool
}

/// The times of a segment's words in seconds, with their positions in UTF-16 units of its text.
struct SegmentTimingResponse: ResponseEncodable {
    let seconds: Double
    let words: [WordResponse]
    let unspoken: [String]

    init(_ sound: SegmentSound) {
        seconds = sound.seconds
        words = sound.words.map { WordResponse($0, sampleRate: sound.sampleRate) }
        unspoken = sound.unspoken
    }
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
