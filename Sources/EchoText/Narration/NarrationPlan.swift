/// The sentences and pauses of a text, planned chunk by chunk on demand.
///
/// The first sentence is one chunk, so that it is audible soon; the second chunk has up to 100 words, and the others up
/// to 300. A sentence without words counts as one word, and a sentence longer than the limit is a chunk by itself. A
/// chunk also ends where the text is still being written.
package struct NarrationPlan {
    /// Most words of the second chunk and of those after it.
    package static let wordLimits = (second: 100, later: 300)
    /// Most UTF-16 units said at once; a longer sentence is cut.
    package static let longestPhrase = 450

    private var sentences: SentenceReader
    /// Reads the text in place of ``sentences`` when the times of captions are kept.
    private var captions: CueReader?
    private var upcoming: PlannedSentence?
    private var chunks = 0
    /// Why no sentence follows; thrown when all before it have been handed on.
    private var failure: (any Error)?

    package init(
        of source: any TextSource,
        language: String,
        segmenter: any TextSegmenter,
        preparation: TextPreparation,
        pauses: NarrationSettings.Pauses,
        languages: TextLanguages? = nil,
        cues: [SubtitleCue]? = nil
    ) {
        let ofVoice = TextRules(language: language, preparation: preparation)
        let rules = languages?.main.map { ofVoice.of($0) } ?? ofVoice
        sentences = SentenceReader(
            paragraphs: ParagraphReader(of: source) { segmenter.plainSentences(in: $0, language: rules.language) },
            segmenter: segmenter,
            rules: rules,
            passages: languages?.passages ?? [],
            pauses: pauses
        )
        captions = cues.map { CueReader(of: source, cues: $0, segmenter: segmenter, rules: rules) }
    }

    /// Returns the next chunk, which is never empty, or `nil` at the end.
    ///
    /// - Throws: What the text throws, after the chunks that precede the error; `CancellationError` when the calling
    ///   task is cancelled.
    package mutating func nextChunk() async throws -> NarrationChunk? {
        guard var sentence = try await takeSentence() else { return nil }
        defer { chunks += 1 }
        guard chunks > 0 else { return [sentence] }
        let limit = chunks == 1 ? Self.wordLimits.second : Self.wordLimits.later
        var chunk: NarrationChunk = []
        var words = 0
        while true {
            words += max(1, sentence.words.count)
            chunk.append(sentence)
            guard try await isReady(), let next = try await takeAnotherSentence() else { return chunk }
            guard words + max(1, next.words.count) <= limit else {
                upcoming = next
                return chunk
            }
            sentence = next
        }
    }

    /// Whether it is known that no chunk follows.
    package var isFinished: Bool {
        upcoming == nil && failure == nil && (captions?.isFinished ?? sentences.isFinished)
    }

    /// Whether the next chunk, or the end, is here without waiting for whoever is still writing the text.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package mutating func isReady() async throws -> Bool {
        if upcoming != nil || failure != nil || captions != nil { return true }
        return try await sentences.isReady()
    }

    private mutating func takeSentence() async throws -> PlannedSentence? {
        if let sentence = upcoming {
            upcoming = nil
            return sentence
        }
        if let failure { throw failure }
        if captions != nil { return try await captions?.next() }
        return try await sentences.next()
    }

    /// The next sentence of the current chunk; an error is stored until that chunk has been returned.
    private mutating func takeAnotherSentence() async throws -> PlannedSentence? {
        do {
            return try await takeSentence()
        } catch let error where !(error is CancellationError) {
            failure = error
            return nil
        }
    }
}

/// A sentence that is to be spoken.
package struct PlannedSentence: Sendable, Hashable {
    /// The sentence's number in the text, from 0.
    package var number: Int
    /// Its range in the text, without the white space around it.
    package var source: TextRange
    /// The sentence as it is written.
    package var text: String
    /// The spoken text, in parts short enough for the engine; together they make up the whole sentence.
    ///
    /// None for mere silence, and where nothing is left to say of the sentence.
    package var phrases: [SpokenText]
    /// The ranges of its words in the text, in order.
    package var words: [TextRange]
    /// Silence after it, in seconds at speed 1.
    package var pauseAfter: Double
    /// Whether a tag in the text asks for that silence, so that it stays as long at any speed.
    package var isPauseExact = false
    /// When it is to be heard, if its time is kept.
    var time: PlannedTime?
}

/// Sentences that are prepared together and forgotten together.
package typealias NarrationChunk = [PlannedSentence]

/// A part of a sentence that is synthesized at once, with its range in the sentence.
struct PlannedPhrase: Sendable {
    let sentence: Int
    /// Whether the sentence begins, or ends, with it.
    var isFirst: Bool
    let isLast: Bool
    var source: TextRange
    /// The written text.
    var writing: String
    let text: SpokenText
    var words: [TextRange]
    /// In seconds, scaled by the speaking rate.
    let pauseAfter: Double
    let isPauseExact: Bool
    /// When it is to be heard, if its time is kept.
    let time: PlannedTime?
    /// About how long it takes to say, in seconds, with the pause.
    let estimate: Double

    /// Why it is not said; `nil` where it is, and for mere silence.
    var fault: SynthesisError? { text.pieces.isEmpty && !writing.isEmpty ? .nothingToSay : nil }

    /// Whether letters or digits are written, and not only such as draw a line (U+0640).
    var hasWords: Bool { writing.hasWords }

    /// A reader at ease says 15 characters a second; only how far to read ahead rests on it.
    private static let charactersPerSecond = 15.0
    /// The least estimated duration of a phrase, in seconds, which bounds the number of empty phrases started at once.
    private static let shortestEstimate = 0.1

    /// Splits `sentence` into phrases; a sentence without text becomes one empty phrase for its silence.
    static func phrases(of sentence: PlannedSentence, speed: Double) -> [PlannedPhrase] {
        let texts = sentence.phrases.isEmpty ? [SpokenText(pieces: [])] : sentence.phrases
        var words = sentence.words[...]
        let units = Array(sentence.text.utf16)
        let lengths = texts.map { max(1, $0.spokenLength) }
        var start = sentence.source.lowerBound
        return texts.enumerated().map { index, text in
            let isLast = index == texts.count - 1
            let end = isLast ? sentence.source.upperBound : max(start, text.pieces.last?.source.upperBound ?? start)
            let own = isLast ? words : words.prefix { $0.lowerBound < end }
            words = words.dropFirst(own.count)
            defer { start = end }
            let pause = isLast ? sentence.pauseAfter / (sentence.isPauseExact ? 1 : speed) : 0
            return PlannedPhrase(
                sentence: sentence.number,
                isFirst: index == 0,
                isLast: isLast,
                source: start..<end,
                writing: writing(
                    in: units,
                    from: start - sentence.source.lowerBound,
                    to: end - sentence.source.lowerBound
                ),
                text: text,
                words: Array(own),
                pauseAfter: pause,
                isPauseExact: sentence.isPauseExact && isLast,
                time: sentence.time?.part(index, of: lengths),
                estimate: max(shortestEstimate, Double(text.spokenLength) / charactersPerSecond / speed + pause)
            )
        }
    }

    private static func writing(in units: [UInt16], from start: Int, to end: Int) -> String {
        String(decoding: units[min(start, units.count)..<min(end, units.count)], as: UTF16.self)
    }
}

/// How a narration is paced and worked on.
package struct NarrationSettings: Sendable, Hashable {
    /// Silence after sentences and other units, in seconds at speed 1; faster speech has shorter pauses.
    package struct Pauses: Sendable, Hashable, Codable {
        package var sentence: Double
        package var paragraph: Double
        package var heading: Double

        /// - Precondition: none is negative.
        package init(sentence: Double = 0.3, paragraph: Double = 0.7, heading: Double = 1) {
            precondition(min(sentence, paragraph, heading) >= 0, "a pause lasts 0 seconds or more")
            self.sentence = sentence
            self.paragraph = paragraph
            self.heading = heading
        }

        private enum CodingKeys: String, CodingKey {
            case sentence, paragraph, heading
        }

        /// - Throws: `DecodingError` for pauses that nobody can have asked for, too.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let lengths = try [CodingKeys.sentence, .paragraph, .heading].map { key in
                let seconds = try container.decode(Double.self, forKey: key)
                guard (0...PauseTags.longestSeconds).contains(seconds) else {
                    let problem = "a pause lasts from 0 to \(PauseTags.longestSeconds) seconds"
                    throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: problem)
                }
                return seconds
            }
            self.init(sentence: lengths[0], paragraph: lengths[1], heading: lengths[2])
        }
    }

    package var pauses: Pauses
    /// How many phrases are spoken at once, at least 1.
    package var lanes: Int
    /// How many more phrases are queued at the engine, which picks one once a thread is free.
    ///
    /// It is above 0 only for an engine that itself limits its concurrency to ``lanes``.
    package var queued: Int
    /// The most speech that is made ahead of the consumer, in seconds.
    package var readAhead: Double

    /// - Precondition: `lanes` is at least 1, `queued` is not negative and `readAhead` is above 0.
    package init(pauses: Pauses = Pauses(), lanes: Int, queued: Int = 0, readAhead: Double = 30) {
        precondition(
            lanes >= 1 && queued >= 0 && readAhead > 0,
            "a narration needs a lane and some room ahead, got \(lanes) lanes, \(queued) queued and \(readAhead) s"
        )
        self.pauses = pauses
        self.lanes = lanes
        self.queued = queued
        self.readAhead = readAhead
    }
}

/// The language that a text is read in, and its preparation.
struct TextRules: Sendable {
    /// A BCP 47 tag.
    var language: String
    var preparation: TextPreparation

    /// The rules of a stated language; these if it is the same, whose region then stays.
    func of(_ stated: String) -> TextRules {
        guard LanguageTag.language(of: stated) != LanguageTag.language(of: language) else { return self }
        return TextRules(language: stated, preparation: preparation.adapted(to: stated))
    }

    /// These rules, or those of the language that `text` is clearly in if it is another.
    func adapted(to text: String) -> TextRules {
        guard LanguageGuess.knows(language), let found = LanguageGuess.language(of: text),
            found != LanguageTag.language(of: language)
        else { return self }
        return TextRules(language: found, preparation: preparation.adapted(to: found))
    }
}
