/// The sentences and pauses of a text, planned chunk by chunk on demand.
///
/// The first sentence is one chunk, so that it is audible soon; the second chunk has up to 100 words, and the others up
/// to 300. A sentence without words counts as one word, and a sentence longer than the limit is a chunk by itself. A
/// chunk also ends where the text is still being written.
///
/// - SeeAlso: requirement 000 §3.4.2, text chunking.
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
            paragraphs: ParagraphReader(of: source) { segmenter.heardSentences(in: $0, language: rules.language) },
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
