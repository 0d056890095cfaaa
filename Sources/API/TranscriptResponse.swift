package import EchoText
package import Foundation

/// A version of a transcript with all that was said.
package struct TranscriptResponse: Encodable, Sendable {
    package let id: Transcript.ID
    /// The recording's id.
    package let item: AudioItem.ID
    /// From 1, in order of creation.
    package let number: Int
    package let created: Date
    @Nullable package var recognizer: Recognizer.ID?
    @Nullable package var recognizerName: String?
    /// The version that a person changed.
    @Nullable package var base: Transcript.ID?
    package let language: String
    /// How many speakers were found in the base, if that is what made this version of it.
    @Nullable package var speakers: Int?
    @Nullable package var changes: TranscriptChanges?
    /// Whether it was heard while the recording was made.
    package let isDraft: Bool
    @Nullable package var insteadOf: FailedRecognizer?
    package let isCurrent: Bool
    /// Words of less confidence are uncertain.
    package let uncertainBelow: Double
    /// A line for each segment with words.
    package let text: String
    package let segments: [TranscriptSegmentResponse]

    package init(_ transcript: Transcript, _ version: TranscriptVersion) {
        let source = transcript.source
        (id, item, number, created) = (transcript.id, transcript.item, version.number, transcript.created)
        (recognizer, recognizerName, base) = (source.recognizer, source.recognizerName, source.base)
        (language, speakers, changes) = (transcript.language, source.speakers, source.changes)
        (isDraft, isCurrent) = (source.isDraft ?? false, version.isCurrent)
        insteadOf = source.insteadOf
        uncertainBelow = TranscriptSegment.uncertainBelow
        text = transcript.text
        segments = TranscriptSegmentResponse.all(of: transcript)
    }
}

/// A range of a recording with what was said in it.
package struct TranscriptSegmentResponse: Encodable, Sendable {
    package let kind: TranscriptSegment.Kind
    /// In seconds.
    package let start: Double
    package let end: Double
    /// Empty without speech.
    package let text: String
    package let words: [WordResponse]
    package let timing: Recognizer.Timing
    @Nullable package var speaker: String?
    @Nullable package var remark: TranscriptSegment.Remark?
    /// Whether a paragraph begins with its words: another speaker's, or one after a long pause.
    package let beginsParagraph: Bool
    /// Where its line begins in the version's text, in UTF-16 units; left out during a transcription.
    package let offset: Int?

    private init(_ segment: TranscriptSegment, beginsParagraph: Bool, offset: Int?) {
        (kind, text, timing) = (segment.kind, segment.text, segment.timing)
        (start, end) = (segment.time.lowerBound, segment.time.upperBound)
        words = segment.timedWords.map { WordResponse($0) }
        (speaker, remark) = (segment.speaker, segment.remark)
        (self.beginsParagraph, self.offset) = (beginsParagraph, offset)
    }

    /// The segments of a version.
    static func all(of transcript: Transcript) -> [TranscriptSegmentResponse] {
        var paragraphs = TranscriptParagraphs()
        return zip(transcript.segments, transcript.lineStarts).map { segment, start in
            TranscriptSegmentResponse(segment, beginsParagraph: paragraphs.begins(with: segment), offset: start)
        }
    }

    /// Segments of an unfinished transcription, and whether a paragraph begins with each of them.
    package static func all(_ segments: [TranscriptSegment], beginnings: [Bool]) -> [TranscriptSegmentResponse] {
        zip(segments, beginnings).map { TranscriptSegmentResponse($0, beginsParagraph: $1, offset: nil) }
    }
}

/// A version of a transcript as lists show it.
package struct TranscriptVersionResponse: Encodable, Sendable {
    package let id: Transcript.ID
    /// The recording's id.
    package let item: AudioItem.ID
    /// From 1, in order of creation.
    package let number: Int
    package let created: Date
    /// Null for a person's edit.
    @Nullable package var recognizer: Recognizer.ID?
    @Nullable package var recognizerName: String?
    /// The version that a person changed.
    @Nullable package var base: Transcript.ID?
    /// The part that was recognized again.
    @Nullable package var range: SecondsResponse?
    /// A BCP 47 tag; `und` when unknown.
    package let language: String
    package let words: Int
    /// How many speakers diarization found in the base, if that is what made this version.
    @Nullable package var speakers: Int?
    /// The changes that a person made to the base.
    @Nullable package var changes: TranscriptChanges?
    /// Whether it was heard while the recording was made.
    package let isDraft: Bool
    /// The recognizer in whose place another one made it; null once that was read.
    @Nullable package var insteadOf: FailedRecognizer?
    package let isCurrent: Bool

    package init(_ version: TranscriptVersion) {
        let source = version.source
        (id, item, number, created) = (version.id, version.item, version.number, version.created)
        (recognizer, recognizerName, base) = (source.recognizer, source.recognizerName, source.base)
        range = source.range.map(SecondsResponse.init)
        (language, words) = (version.language, version.words)
        (speakers, changes) = (source.speakers, source.changes)
        (isDraft, isCurrent) = (source.isDraft ?? false, version.isCurrent)
        insteadOf = source.insteadOf
    }
}

/// A part of a recording, in seconds from its start.
package struct SecondsResponse: Encodable, Sendable {
    package let start: Double
    package let end: Double

    package init(_ range: Range<Double>) { (start, end) = (range.lowerBound, range.upperBound) }
}

/// The differences between two versions of a transcript.
package struct TranscriptDifferencesResponse: Encodable, Sendable {
    /// Adjacent words of a version.
    package struct Side: Encodable, Sendable {
        package let text: String
        /// In seconds from the start of the recording.
        package let start: Double
        package let end: Double

        /// Is `nil` for no words.
        package init?(_ words: ArraySlice<TranscriptDifferences.Word>) {
            guard let first = words.first, let last = words.last else { return nil }
            text = words.map(\.text).joined(separator: " ")
            start = first.time.lowerBound
            end = max(start, last.time.upperBound)
        }
    }

    package struct Passage: Encodable, Sendable {
        package let kind: TranscriptDifferences.Kind
        @Nullable package var first: Side?
        @Nullable package var second: Side?
    }

    package let first: Transcript.ID
    package let second: Transcript.ID
    /// Words that only the first version has.
    package let missing: Int
    /// Words that only the second version has.
    package let added: Int
    /// All words of both versions, in order.
    package let passages: [Passage]

    package init(_ differences: TranscriptDifferences, from first: Transcript.ID, to second: Transcript.ID) {
        (self.first, self.second) = (first, second)
        (missing, added) = differences.changes
        passages = differences.passages.map { run in
            Passage(
                kind: run.kind,
                first: Side(differences.first[run.first]),
                second: Side(differences.second[run.second])
            )
        }
    }
}
