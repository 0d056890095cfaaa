import EchoText
import Foundation

/// The answer of a service: `json` or `verbose_json`, the words beside the segments or within them.
///
/// - SeeAlso: OpenAI's API reference, “The transcription object (Verbose JSON)”; whisper.cpp's `examples/server`.
struct TranscriptionAnswer: Decodable, Sendable {
    struct Word: Decodable, Sendable {
        let word: String
        let start: Double
        let end: Double
        let probability: Double?
    }

    struct Segment: Decodable, Sendable {
        let text: String
        let start: Double
        let end: Double
        let words: [Word]?
        let avgLogprob: Double?
        let noSpeechProb: Double?

        private enum CodingKeys: String, CodingKey {
            case text
            case start
            case end
            case words
            case avgLogprob = "avg_logprob"
            case noSpeechProb = "no_speech_prob"
        }

        /// Whether the model itself takes it for silence.
        ///
        /// - SeeAlso: openai-whisper's `transcribe.py`, `no_speech_threshold` and `logprob_threshold`.
        var isSilence: Bool { (noSpeechProb ?? 0) > 0.6 && (avgLogprob ?? 0) < -1 }

        /// From 0 to 1: the likelihood of a token, on average.
        var confidence: Double? { avgLogprob.map { min(1, max(0, exp($0))) } }
    }

    let text: String
    let language: String?
    let segments: [Segment]
    let words: [Word]

    private enum CodingKeys: String, CodingKey {
        case text
        case language
        case detectedLanguage = "detected_language"
        case segments
        case words
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        text = try fields.decode(String.self, forKey: .text)
        // The other fields may have any shape; the text is valid without them.
        language =
            (try? fields.decode(String.self, forKey: .detectedLanguage))
            ?? (try? fields.decode(String.self, forKey: .language))
        segments = (try? fields.decode([Segment].self, forKey: .segments)) ?? []
        words = (try? fields.decode([Word].self, forKey: .words)) ?? []
    }

    /// The recognized speech.
    ///
    /// - Parameter length: The sound's, in seconds; no time is beyond it.
    /// - Returns: The text, with what is known of its words.
    /// - Throws: `CancellationError`.
    func speech(length: Double) throws -> RecognizedSpeech {
        let spoken = segments.filter { !$0.isSilence }
        let isAllSpoken = spoken.count == segments.count
        let text = (isAllSpoken ? self.text : spoken.map(\.text).joined()).withoutControls
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let language = language.flatMap { SpokenLanguage(reported: $0).code }
        var finder = WordFinder(text, length: length)
        let inner = spoken.flatMap { segment in
            (segment.words ?? []).map { (word: $0, confidence: $0.probability ?? segment.confidence) }
        }
        if !inner.isEmpty {
            for (word, confidence) in inner { try finder.place(word, confidence: confidence) }
        } else if !words.isEmpty {
            let holders = try words.segments(among: spoken)
            for (word, segment) in zip(words, holders) where isAllSpoken || segment != nil {
                try finder.place(word, confidence: word.probability ?? segment?.confidence)
            }
        }
        if finder.hasTimes {
            return RecognizedSpeech(text: text, words: finder.words, language: language, timing: .words)
        }
        finder = WordFinder(text, length: length)
        for segment in spoken { try finder.spread(segment) }
        guard finder.hasTimes else { return RecognizedSpeech(text: text, language: language, timing: .none) }
        return RecognizedSpeech(text: text, words: finder.words, language: language, timing: .segments)
    }
}

/// How much a service may answer about a sound: more than anybody can say in it.
///
/// However short the sound is, a Whisper model that repeats itself continues to the end of its text, of 448 tokens at
/// most; ``RepetitionCheck`` finds that afterwards.
///
/// - SeeAlso: openai-whisper's `model.py`, `n_text_ctx`.
struct AnswerLimits: Sendable {
    private static let bytesAtLeast = 131_072
    private static let bytesASecond = 4_096
    private static let wordsAtLeast = 500
    private static let wordsASecond = 100
    private static let segmentsAtLeast = 200
    private static let segmentsASecond = 20

    /// The size of the answer's body.
    let bytes: Int
    private let words: Int
    private let segments: Int

    /// - Parameters:
    ///   - length: The sound's, in seconds; a part of a second counts as one.
    ///   - largest: The most bytes, whatever the length.
    init(length: Double, largest: Int) {
        let seconds = max(1, Int(length.rounded(.up)))
        bytes = min(largest, Self.bytesAtLeast + Self.bytesASecond * seconds)
        words = Self.wordsAtLeast + Self.wordsASecond * seconds
        segments = Self.segmentsAtLeast + Self.segmentsASecond * seconds
    }

    func allow(_ answer: TranscriptionAnswer) -> Bool {
        answer.segments.count <= segments && answer.words.count <= words
            && answer.segments.reduce(0) { $0 + ($1.words?.count ?? 0) } <= words
            && answer.text.wordCount <= words && answer.segments.reduce(0) { $0 + $1.text.wordCount } <= words
    }
}

extension String {
    /// The same with a space for each control, line end and mark that turns a line's direction.
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isOfTranscript ? $0 : " " }))
    }

    /// How many parts without white space it has.
    fileprivate var wordCount: Int {
        var count = 0
        var isWithin = false
        for scalar in unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            if !isSpace, !isWithin { count += 1 }
            isWithin = !isSpace
        }
        return count
    }
}

extension [TranscriptionAnswer.Word] {
    /// The segment in which the middle of each word is.
    ///
    /// - Returns: One for each word, in the words' order.
    /// - Throws: `CancellationError`.
    /// - Complexity: O(*n* log *n*) in the number of words and segments, whatever their times are.
    fileprivate func segments(
        among segments: [TranscriptionAnswer.Segment]
    ) throws -> [TranscriptionAnswer.Segment?] {
        let sorted = segments.sorted { $0.start < $1.start }
        let middles = map { ($0.start + $0.end) / 2 }
        var found = [TranscriptionAnswer.Segment?](repeating: nil, count: count)
        var cursor = 0
        for place in indices.sorted(by: { middles[$0] < middles[$1] }) {
            try Task.checkCancellation()
            while cursor < sorted.count, Swift.max(sorted[cursor].start, sorted[cursor].end) < middles[place] {
                cursor += 1
            }
            guard cursor < sorted.count else { break }
            if sorted[cursor].start <= middles[place] { found[place] = sorted[cursor] }
        }
        return found
    }
}

/// Finds words in their text, one after another, and puts their times in order.
private struct WordFinder {
    /// How far a word may lie behind the one before it, in UTF-16 units: what one that is not in the text may skip.
    private static let reach = 200
    /// Nothing longer is looked for, in UTF-16 units.
    private static let longestWord = 1_000
    /// The least time for a UTF-16 unit, in seconds: nobody says fifty letters in one.
    private static let shortestUnit = 0.02

    private let units: [UInt16]
    private let length: Double
    private var cursor = 0
    private(set) var words: [RecognizedWord] = []

    init(_ text: String, length: Double) {
        (units, self.length) = (Array(text.utf16), length)
    }

    /// Whether there are words, with times at which they can have been said; some services write 0 for all of them.
    var hasTimes: Bool {
        guard words.count > 1, let first = words.first?.start, let last = words.map(\.end).max() else {
            return !words.isEmpty
        }
        return last - first >= Self.shortestUnit * Double(words.reduce(0) { $0 + $1.source.count })
    }

    /// Adds a word; one that the text does not have is left out.
    ///
    /// - Throws: `CancellationError`.
    mutating func place(_ word: TranscriptionAnswer.Word, confidence: Double?) throws {
        try Task.checkCancellation()
        guard let source = find(word.word) else { return }
        add(source, start: word.start, end: word.end, confidence: confidence)
    }

    /// Adds a segment's words, which share its time by their length.
    ///
    /// - Throws: `CancellationError`.
    mutating func spread(_ segment: TranscriptionAnswer.Segment) throws {
        let parts = segment.text.split(whereSeparator: \.isWhitespace).map(String.init)
        let total = Double(parts.reduce(0) { $0 + $1.utf16.count })
        var done = 0.0
        let duration = max(0, segment.end - segment.start)
        let (first, last) = (min(length, max(0, segment.start)), min(length, segment.end))
        let passage = first < last ? first..<last : nil
        for part in parts {
            try Task.checkCancellation()
            let start = segment.start + duration * done / total
            done += Double(part.utf16.count)
            guard let source = find(part) else { continue }
            let end = segment.start + duration * done / total
            add(source, start: start, end: end, confidence: segment.confidence, isEstimated: true, passage: passage)
        }
    }

    private mutating func add(
        _ source: TextRange,
        start: Double,
        end: Double,
        confidence: Double?,
        isEstimated: Bool = false,
        passage: Range<Double>? = nil
    ) {
        guard start.isFinite, end.isFinite else { return }
        let first = min(length, max(start, words.last?.start ?? 0, 0))
        cursor = source.upperBound
        words.append(
            RecognizedWord(
                source: source,
                start: first,
                end: min(length, max(first, end)),
                confidence: confidence.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil },
                isEstimated: isEstimated,
                passage: passage
            )
        )
    }

    /// The place of a word, else of its letters without the signs around them.
    private func find(_ word: String) -> TextRange? {
        let word = word.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !word.contains(where: \.isWhitespace) else { return nil }
        let bare = word.trimmingCharacters(in: .punctuationCharacters)
        return range(of: Array(word.utf16)) ?? range(of: Array(bare.utf16))
    }

    private func range(of wanted: [UInt16]) -> TextRange? {
        let last = min(units.count - wanted.count, cursor + Self.reach)
        guard !wanted.isEmpty, wanted.count <= Self.longestWord, cursor <= last else { return nil }
        return (cursor...last).first { units[$0..<$0 + wanted.count].elementsEqual(wanted) }
            .map { $0..<$0 + wanted.count }
    }
}
