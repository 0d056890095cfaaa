import EchoText
import Foundation

/// The result of a run of `echotext speak`.
struct SpeakSummary: Sendable, Encodable {
    let output: String?
    let timings: String?
    let voice: String
    let engine: String
    let speaker: Int
    let speed: Double
    let pitch: Double
    let sampleRate: Int
    /// In seconds of sound.
    private(set) var duration = 0.0
    private(set) var sentences = 0
    private(set) var words = 0
    /// UTF-16 units of text that were spoken or skipped.
    private(set) var characters = 0
    /// The first words of passages that could not be spoken, at most ``maximumUnspoken``.
    private(set) var unspoken: [String] = []
    /// How far the times of captions were kept; `nil` when they were not to be.
    private(set) var times: CaptionDelays?
    /// Notices about how the text was read.
    var notices: [NoticeReport] = []
    /// The time the work took, in seconds.
    var elapsed = 0.0 {
        didSet { realTimeFactor = duration > 0 ? elapsed / duration : 0 }
    }
    private(set) var realTimeFactor = 0.0

    /// The recording in the library.
    var item: AudioItem.ID?

    init(options: Speak, order: NarrationOrder, sampleRate: Int) {
        output = options.output.output
        timings = options.output.timings
        voice = order.voice.id.rawValue
        engine = order.voice.engine.rawValue
        speaker = order.speaker
        speed = order.speed
        pitch = order.pitch
        self.sampleRate = sampleRate
        times = order.cues.map { _ in CaptionDelays() }
    }

    mutating func add(_ passage: Passage) {
        duration = Double(passage.end) / Double(sampleRate)
        // The silence before a caption is no sentence.
        if passage.endsSentence, times == nil || !passage.source.isEmpty { sentences += 1 }
        times?.add(passage)
        words += passage.words.count
        characters = passage.source.upperBound
        if passage.isLeftOut, unspoken.count < Self.maximumUnspoken { unspoken.append(passage.excerpt) }
    }

    private static let maximumUnspoken = 20

    /// Reports the passages that were left out.
    func reportUnspoken() {
        for excerpt in unspoken {
            EchoTextCommand.say("warning: “\(excerpt)” could not be spoken and was left out")
        }
    }

    /// Reports captions that begin later than their times.
    func reportTimes() {
        if let words = times?.words { EchoTextCommand.say("note: \(words)") }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
