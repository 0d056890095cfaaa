package import EchoText
package import Foundation

/// A practice session.
package struct PracticeResponse: Encodable, Sendable {
    package struct Source: Encodable, Sendable {
        package let kind: String
        @Nullable package var id: String?
        @Nullable package var selection: DocumentSelection?

        package init(_ source: PracticeSource) {
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

    package enum Phase: String, Encodable, Sendable {
        case idle
        case playing
        case echo
        case paused
        case finished
    }

    package struct Settings: Encodable, Sendable {
        /// 0.5 is the voice's own pace.
        package let rate: Double
        package let granularity: PracticeSettings.Granularity
        /// A pause as long as the segment, until the speaker falls silent, or none.
        package let echo: PracticeSettings.Echo
        /// How long the pause is, in lengths of the segment.
        package let factor: Double
        /// From 1 to 10.
        package let repeats: Int
        /// Segments that are practiced again and again.
        @Nullable package var loop: PracticeLoop?
        package let order: PracticeSettings.Order
        package let hidesText: Bool
        /// Each repetition and pass is 0.05 faster.
        package let faster: Bool
        package let records: Bool
        package let keepsTakes: Bool
        package let earcon: Bool
        package let vibration: Bool
        package let pulse: Bool

        package init(_ settings: PracticeSettings) {
            (rate, granularity, echo) = (settings.rate, settings.granularity, settings.echo)
            (factor, repeats, order) = (settings.factor, settings.repeats, settings.order)
            loop = settings.loop
            (hidesText, faster) = (settings.hidesText, settings.faster)
            (records, keepsTakes) = (settings.records, settings.keepsTakes)
            (earcon, vibration, pulse) = (settings.earcon, settings.vibration, settings.pulse)
        }
    }

    package struct Segments: Encodable, Sendable {
        package let known: Int
        /// Whether there are no more.
        package let isComplete: Bool
    }

    package struct Summary: Encodable, Sendable {
        /// Segments that were heard to their end.
        package let segments: Int
        package let takes: Int
        /// The mean of the takes' scores.
        @Nullable package var score: Double?
        /// The mean of the takes' words per minute.
        @Nullable package var pace: Double?
        /// Its segment, by the last take.
        @Nullable package var best: PracticeSummary.Segment?
        @Nullable package var worst: PracticeSummary.Segment?
        /// Time that was spent hearing and repeating.
        package let seconds: Double

        package init(_ summary: PracticeSummary) {
            (segments, takes, seconds) = (summary.segments, summary.takes, summary.seconds)
            (score, pace) = (summary.score, summary.pace)
            (best, worst) = (summary.best, summary.worst)
        }
    }

    package let id: PracticeRecord.ID
    package let title: String
    /// A BCP 47 tag.
    package let language: String
    package let voice: Voice.ID
    /// A speaker of the voice, from 0.
    package let speaker: Int
    package let source: Source
    package let settings: Settings
    package let phase: Phase
    /// The paused activity.
    @Nullable package var pausedIn: PracticeSession.Activity?
    /// Why it paused by itself.
    @Nullable package var interruption: PracticeSession.Interruption?
    /// All from 1.
    package let position: PracticeSession.Position
    package let segments: Segments
    /// The recognizer of the takes; null where none on this machine knows the language.
    ///
    /// Left out of a command's answer.
    package private(set) var recognizer: Nullable<Recognizer.ID>?
    /// In a command's answer: whether the phase is the last one.
    package private(set) var isFinished: Bool?
    package let created: Date
    package let updated: Date
    @Nullable package var summary: Summary?

    package init(_ practice: PracticeRecord, recognizer: Recognizer?) {
        self.init(practice)
        self.recognizer = Nullable(wrappedValue: recognizer?.id)
    }

    /// The answer of a command about `practice`.
    package static func answer(about practice: PracticeRecord) -> PracticeResponse {
        var answer = PracticeResponse(practice)
        answer.isFinished = practice.isFinished
        return answer
    }

    private init(_ practice: PracticeRecord) {
        let session = practice.session
        (id, title, language) = (practice.id, practice.title.text, practice.language)
        (voice, speaker) = (practice.voice, practice.speaker)
        source = Source(practice.source)
        settings = Settings(session.settings)
        switch session.phase {
        case .idle: phase = .idle
        case .playing: phase = .playing
        case .echo: phase = .echo
        case .paused(let activity): (phase, pausedIn) = (.paused, activity)
        case .finished: phase = .finished
        }
        interruption = session.interruption
        position = session.position
        segments = Segments(known: session.known, isComplete: session.isComplete)
        (created, updated) = (practice.created, practice.updated)
        summary = practice.summary.map { Summary($0) }
    }
}
