package import EchoText
package import Foundation

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
