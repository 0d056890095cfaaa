import API
import EchoText
import Foundation
import Hummingbird

/// A practice session as the page shows it.
struct PracticeResponse: ResponseEncodable {
    struct Source: Encodable {
        let kind: String
        @Nullable var id: String?
        @Nullable var selection: DocumentSelection?

        init(_ source: PracticeSource) {
            switch source {
            case .text: kind = "text"
            case .speech(let speech): (kind, id) = ("speech", speech.rawValue)
            case .document(let document, let chosen):
                (kind, id, selection) = ("document", document.rawValue, chosen)
            case .recording(let item): (kind, id) = ("recording", item.rawValue)
            case .history(let entry): (kind, id) = ("history", "\(entry)")
            case .hard: kind = "hard"
            case .session(let session): (kind, id) = ("session", session.rawValue)
            }
        }
    }

    struct Settings: Encodable {
        let rate: Double
        let granularity: PracticeSettings.Granularity
        let echo: PracticeSettings.Echo
        let factor: Double
        let repeats: Int
        @Nullable var loop: PracticeLoop?
        let order: PracticeSettings.Order
        let hidesText: Bool
        let faster: Bool
        let records: Bool
        let keepsTakes: Bool
        let earcon: Bool
        let vibration: Bool
        let pulse: Bool

        init(_ settings: PracticeSettings) {
            (rate, granularity, echo) = (settings.rate, settings.granularity, settings.echo)
            (factor, repeats, order) = (settings.factor, settings.repeats, settings.order)
            loop = settings.loop
            (hidesText, faster) = (settings.hidesText, settings.faster)
            (records, keepsTakes) = (settings.records, settings.keepsTakes)
            (earcon, vibration, pulse) = (settings.earcon, settings.vibration, settings.pulse)
        }
    }

    struct Segments: Encodable {
        let known: Int
        let isComplete: Bool
    }

    struct Summary: Encodable {
        let segments: Int
        let takes: Int
        @Nullable var score: Double?
        @Nullable var pace: Double?
        @Nullable var best: PracticeSummary.Segment?
        @Nullable var worst: PracticeSummary.Segment?
        let seconds: Double

        init(_ summary: PracticeSummary) {
            (segments, takes, seconds) = (summary.segments, summary.takes, summary.seconds)
            (score, pace) = (summary.score, summary.pace)
            (best, worst) = (summary.best, summary.worst)
        }
    }

    let id: String
    let title: String
    let language: String
    let voice: String
    let speaker: Int
    let source: Source
    let settings: Settings
    let phase: String
    /// The paused activity.
    @Nullable var pausedIn: PracticeSession.Activity?
    /// Why it paused by itself.
    @Nullable var interruption: PracticeSession.Interruption?
    let position: PracticeSession.Position
    let segments: Segments
    /// The recogniser of the takes.
    @Nullable var recognizer: String?
    let created: Date
    let updated: Date
    @Nullable var summary: Summary?

    init(_ practice: KeptPractice, recognizer: Recognizer?) {
        let session = practice.session
        id = practice.id.rawValue
        title = practice.title.text
        language = practice.language
        (voice, speaker) = (practice.voice.rawValue, practice.speaker)
        source = Source(practice.source)
        settings = Settings(session.settings)
        switch session.phase {
        case .idle: phase = "idle"
        case .playing: phase = "playing"
        case .echo: phase = "echo"
        case .paused(let activity): (phase, pausedIn) = ("paused", activity)
        case .finished: phase = "finished"
        }
        interruption = session.interruption
        position = session.position
        segments = Segments(known: session.known, isComplete: session.isComplete)
        self.recognizer = recognizer?.id.rawValue
        (created, updated) = (practice.created, practice.updated)
        summary = practice.summary.map { Summary($0) }
    }
}

/// The unfinished sessions first, then the others, each ordered by last use, latest first.
struct PracticesResponse: ResponseEncodable {
    let sessions: [PracticeResponse]
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
    struct Word: Encodable {
        let from: Int
        let to: Int
        let start: Double
        let end: Double
    }

    let seconds: Double
    let words: [Word]

    init(_ sound: SegmentSound) {
        seconds = sound.seconds
        let rate = Double(sound.sampleRate)
        words = sound.words.map { word in
            Word(
                from: word.source.lowerBound,
                to: word.source.upperBound,
                start: Double(word.samples.lowerBound) / rate,
                end: Double(word.samples.upperBound) / rate
            )
        }
    }
}
