/// Reads subtitles caption by caption, each with its spoken form and the time that it has.
///
/// A caption is one sentence, whatever is written in it. The silence before it is planned as sentences without text, none
/// of them longer than a pause may be.
struct CueReader {
    /// The shortest pause after the last sound of a caption, in seconds: room for the voice to die away.
    static let shortestPause = 0.15

    private let source: any TextSource
    private let cues: [SubtitleCue]
    private let segmenter: any TextSegmenter
    private var rules: TextRules

    /// The text; `nil` until it has been read.
    private var units: [UInt16]?
    private var nextCue = 0
    private var nextNumber = 0
    /// The time up to which silence has been planned, in seconds.
    private var plannedTime = 0.0
    private var ready: ArraySlice<PlannedSentence> = []

    /// - Parameters:
    ///   - source: The text.
    ///   - cues: Its captions, in order.
    ///   - segmenter: Finds words.
    ///   - rules: The rules of the voice's language; a text in another is read by those of its own.
    init(of source: any TextSource, cues: [SubtitleCue], segmenter: any TextSegmenter, rules: TextRules) {
        self.source = source
        self.cues = cues
        self.segmenter = segmenter
        self.rules = rules
    }

    /// Whether it is known that no sentence follows.
    var isFinished: Bool { ready.isEmpty && nextCue == cues.count }

    mutating func next() async throws -> PlannedSentence? {
        let units = try await text()
        while ready.isEmpty, nextCue < cues.count {
            try Task.checkCancellation()
            ready = sentences(ofCue: nextCue, in: units)[...]
            nextCue += 1
        }
        return ready.popFirst()
    }

    private mutating func text() async throws -> [UInt16] {
        if let units { return units }
        var text = ""
        while let piece = try await source.next() { text += piece }
        rules = rules.adapted(to: text)
        let all = Array(text.utf16)
        units = all
        return all
    }

    /// The silence before a caption and the caption; none for one in which there is nothing to say, and the caption alone
    /// and without a time where the dictionary leaves nothing to say of its words.
    private mutating func sentences(ofCue index: Int, in units: [UInt16]) -> [PlannedSentence] {
        let cue = cues[index]
        guard let spoken = sentence(cue.range.clamped(to: 0..<units.count), in: units) else { return [] }
        if spoken.phrases.isEmpty {
            nextNumber += 1
            return [spoken]
        }
        var sentences: [PlannedSentence] = []
        while plannedTime < cue.start {
            let end = min(cue.start, plannedTime + PauseTags.longestSeconds)
            let begin = spoken.source.lowerBound
            sentences.append(
                PlannedSentence(
                    number: nextNumber,
                    source: begin..<begin,
                    text: "",
                    phrases: [],
                    words: [],
                    pauseAfter: end - plannedTime,
                    isPauseExact: true,
                    time: .silence(until: end)
                )
            )
            plannedTime = end
        }
        var timed = spoken
        let next = index + 1 < cues.count ? cues[index + 1].start : .infinity
        timed.time = .speech(cue.start..<max(cue.start, next))
        nextNumber += 1
        return sentences + [timed]
    }

    private func sentence(_ range: TextRange, in units: [UInt16]) -> PlannedSentence? {
        let text = String(decoding: units[range], as: UTF16.self)
        guard text.unicodeScalars.contains(where: \.isSpeakable) else { return nil }  // a rule of stars or dashes
        var isSilenced = false
        // Its own time is when it is said, not a pause in its text.
        let phrases = PauseTags.split(text, at: range.lowerBound).flatMap { segment -> [SpokenText] in
            guard case .text(let part) = segment else { return [] }
            let written = String(decoding: units[part], as: UTF16.self)
            let spoken = rules.preparation.prepare(written, at: part.lowerBound)
            if spoken.silences(written) { isSilenced = true }
            return spoken.isSpeakable ? spoken.phrases(longest: NarrationPlan.longestPhrase) : []
        }
        guard !phrases.isEmpty || isSilenced else { return nil }
        let words = segmenter.plainWords(in: text, language: rules.language)
        return PlannedSentence(
            number: nextNumber,
            source: range,
            text: text,
            phrases: phrases,
            words: words.map { range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound },
            pauseAfter: phrases.isEmpty ? 0 : Self.shortestPause
        )
    }
}

/// How far a narration has kept the times of the captions that it speaks.
package struct CaptionDelays: Sendable, Hashable, Codable {
    /// A caption that begins this much later than its time is not late, in seconds: it cannot be heard.
    package static let tolerance = 0.05

    /// Captions that have been spoken.
    package private(set) var captions = 0
    /// How many of them begin later than their times.
    package private(set) var late = 0
    /// The longest delay of one of them, in seconds.
    package private(set) var seconds = 0.0

    package init() {}

    /// Counts a passage, if a caption begins with it.
    package mutating func add(_ passage: Passage) {
        guard let delay = passage.delay else { return }
        add(Double(delay) / Double(passage.clip.sampleRate))
    }

    /// Counts a caption that begins `late` seconds after its time.
    mutating func add(_ late: Double) {
        captions += 1
        guard late > Self.tolerance else { return }
        self.late += 1
        seconds = max(seconds, late)
    }

    /// A sentence about the times that could not be kept; `nil` when all were.
    package var words: String? {
        guard late > 0 else { return nil }
        let latest = (seconds * 10).rounded() / 10
        return late == 1
            ? "1 of \(captions) captions begins \(latest) seconds later than its time"
            : "\(late) of \(captions) captions begin later than their times, by up to \(latest) seconds"
    }
}
