package import Foundation

/// A version of a recording's transcript.
///
/// Versions are immutable; editing or recognizing again makes a new one. One version of each recording is current: the
/// recording's player, search and exports use its text and times.
package struct Transcript: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<Transcript>

    package let id: ID
    package let item: AudioItem.ID
    package let created: Date
    package let source: TranscriptSource
    /// BCP 47; `und` when it is not known.
    package let language: String
    /// In order of time, without overlaps.
    package let segments: [TranscriptSegment]

    package init(
        id: ID = ID(),
        item: AudioItem.ID,
        created: Date,
        source: TranscriptSource,
        language: String,
        segments: [TranscriptSegment]
    ) {
        self.id = id
        self.item = item
        self.created = created
        self.source = source
        self.language = language
        self.segments = segments
    }
}

/// How a version of a transcript came to be.
package struct TranscriptSource: Sendable, Hashable, Codable {
    /// The recogniser that made it; `nil` for a person's own text.
    package var recognizer: Recognizer.ID?
    package var recognizerName: String?
    package var settings: RecognitionSettings
    /// The version that it changes, if any.
    package var base: Transcript.ID?
    /// The part that was recognised again, in seconds; `nil` for all of the recording.
    package var range: Range<Double>?
    /// SHA-256 of the recording's sound when it was recognized, in hexadecimal.
    package var soundDigest: String?
    /// How many speakers diarization found in ``base``, if that is what made this version.
    package var speakers: Int?
    /// What a person has changed in ``base``; `nil` for other versions, and where it is not known.
    package var changes: TranscriptChanges?
    /// Whether it was heard while the recording was made; `nil` for other versions.
    package var isDraft: Bool?

    package init(
        recognizer: Recognizer.ID? = nil,
        recognizerName: String? = nil,
        settings: RecognitionSettings = RecognitionSettings(),
        base: Transcript.ID? = nil,
        range: Range<Double>? = nil,
        soundDigest: String? = nil,
        speakers: Int? = nil,
        changes: TranscriptChanges? = nil,
        isDraft: Bool? = nil
    ) {
        self.speakers = speakers
        self.changes = changes
        self.isDraft = isDraft
        self.recognizer = recognizer
        self.recognizerName = recognizerName
        self.settings = settings
        self.base = base
        self.range = range
        self.soundDigest = soundDigest
    }
}

/// A range of a recording, with its text.
package struct TranscriptSegment: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case speech
        /// Nothing is spoken there, and no recogniser was used; ``text`` is empty.
        case silence
        /// Something is said there that the recogniser has not understood, also when it was asked again; ``text`` is empty.
        case notUnderstood
    }

    /// A remark for the person.
    package enum Remark: String, Sendable, Hashable, Codable {
        /// The recogniser repeated itself, and was asked again with shorter clips.
        case repeated
        /// The recogniser kept repeating itself; the text ends before the repetition.
        case cutShort
        /// A person changed it.
        case edited
    }

    package var kind: Kind
    /// In seconds from the start of the recording.
    package var time: Range<Double>
    package var text: String
    /// Each word's range in ``text``, and its time from the start of the recording.
    package var words: [RecognizedWord]
    /// How exact the words' times are; ``Recognizer/Timing/none`` means that they are estimated.
    package var timing: Recognizer.Timing
    package var speaker: String?
    package var remark: Remark?

    package init(
        kind: Kind = .speech,
        time: Range<Double>,
        text: String = "",
        words: [RecognizedWord] = [],
        timing: Recognizer.Timing = .none,
        speaker: String? = nil,
        remark: Remark? = nil
    ) {
        self.kind = kind
        self.time = time
        self.text = text
        self.words = words
        self.timing = timing
        self.speaker = speaker
        self.remark = remark
    }
}

/// A version as lists show it.
package struct TranscriptVersion: Sendable, Hashable, Identifiable {
    package let id: Transcript.ID
    package let item: AudioItem.ID
    /// From 1, in the order in which they were made; never used twice for a recording.
    package let number: Int
    package let created: Date
    package let source: TranscriptSource
    package let language: String
    package let words: Int
    package var isCurrent: Bool

    package init(
        id: Transcript.ID,
        item: AudioItem.ID,
        number: Int,
        created: Date,
        source: TranscriptSource,
        language: String,
        words: Int,
        isCurrent: Bool
    ) {
        self.id = id
        self.item = item
        self.number = number
        self.created = created
        self.source = source
        self.language = language
        self.words = words
        self.isCurrent = isCurrent
    }

    /// The part of `transcript` that lists show.
    package init(_ transcript: Transcript, number: Int, isCurrent: Bool) {
        self.init(
            id: transcript.id,
            item: transcript.item,
            number: number,
            created: transcript.created,
            source: transcript.source,
            language: transcript.language,
            words: transcript.wordCount,
            isCurrent: isCurrent
        )
    }
}

/// The store of transcripts.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that versions are immutable, that exactly one is current as long
/// as there are any, and that the recording's text, times and search follow it.
package protocol TranscriptStore: Sendable {
    /// The versions of a recording, newest first.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func versions(of item: AudioItem.ID) async throws -> [TranscriptVersion]

    /// - Throws: ``TranscriptError/notFound``.
    func transcript(_ id: Transcript.ID) async throws -> Transcript

    /// Adds a version, and makes it the current one.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``TranscriptError/ofNarration`` for a narration;
    ///   ``TranscriptError/invalidSegments``.
    @discardableResult
    func add(_ transcript: Transcript) async throws -> TranscriptVersion

    /// - Throws: ``TranscriptError/notFound``.
    func makeCurrent(_ id: Transcript.ID) async throws

    /// Deletes a version; if it was current, the newest of the others becomes current.
    ///
    /// - Throws: ``TranscriptError/notFound``.
    func delete(_ id: Transcript.ID) async throws
}

/// Why a transcript is not shown, made or changed.
package enum TranscriptError: UserFacingError, Equatable {
    case notFound
    case ofNarration
    /// The recording was changed since, or the segments are out of order.
    case invalidSegments
    case jobNotFound
    case jobBusy
    /// The program ended twice while it heard the recording.
    case endedProgram
    /// Something else is to be sent than what was allowed.
    case otherSending
    /// The name of a file to write says no format; empty when it has no ending.
    case unknownFormat(ending: String)

    package var failure: Failure {
        switch self {
        case .notFound:
            Failure(.notFound, "transcript.not-found", "There is no such transcript.")
        case .ofNarration:
            Failure(.conflict, "transcript.of-narration", "A voice spoke this recording, so its text is known.")
                .suggesting("“Check the speech” compares what is heard with the text.")
        case .invalidSegments:
            Failure(
                .invalidContent,
                "transcript.invalid-segments",
                "The segments overlap, or do not lie in the recording."
            )
        case .jobNotFound:
            Failure(.notFound, "transcription.job-not-found", "There is no such transcription under way.")
        case .jobBusy:
            Failure(.busy, "transcription.job-busy", "Another EchoText works on this transcription.")
                .suggesting("Wait until it is done, or stop it there.")
        case .endedProgram:
            Failure(.internal, "transcription.ended-program", "The program ended twice while it heard this recording.")
                .suggesting("Try it again, or use another recogniser; what was heard is kept.")
        case .otherSending:
            Failure(
                .conflict,
                "transcription.other-sending",
                "The transcription does not wait for this any more, so nothing was allowed."
            )
            .suggesting("Look at what is to be sent now, and allow that.")
        case .unknownFormat(let ending):
            Failure(
                .invalidRequest,
                "transcript.unknown-format",
                ending.isEmpty
                    ? "The output file's name does not say which format it has."
                    : "Transcripts are not written as “\(ending)”."
            )
            .suggesting(
                "Choose one with --format: \(TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
    }
}
