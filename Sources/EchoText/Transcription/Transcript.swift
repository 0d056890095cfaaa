package import Foundation

/// One version of what is said in a recording.
///
/// Versions never change; editing or recognising again makes another one. One of a recording's versions is the current one: its text
/// and times are what the recording's player, search and exports show.
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
    /// The recogniser that heard it; `nil` for what a person wrote.
    package var recognizer: Recognizer.ID?
    package var recognizerName: String?
    package var settings: RecognitionSettings
    /// The version that it changes, if any.
    package var base: Transcript.ID?
    /// The part that was recognised again, in seconds; `nil` for all of the recording.
    package var range: Range<Double>?
    /// SHA-256 of the recording's sound as it was heard, in hexadecimal digits.
    package var soundDigest: String?
    /// How many speakers were found in ``base``, if that is what made this version of it.
    package var speakers: Int?

    package init(
        recognizer: Recognizer.ID? = nil,
        recognizerName: String? = nil,
        settings: RecognitionSettings = RecognitionSettings(),
        base: Transcript.ID? = nil,
        range: Range<Double>? = nil,
        soundDigest: String? = nil,
        speakers: Int? = nil
    ) {
        self.speakers = speakers
        self.recognizer = recognizer
        self.recognizerName = recognizerName
        self.settings = settings
        self.base = base
        self.range = range
        self.soundDigest = soundDigest
    }
}

/// A stretch of a recording with what is said in it.
package struct TranscriptSegment: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case speech
        /// Nothing was heard there, and no recogniser was asked; ``text`` is empty.
        case silence
        /// Something is said there that the recogniser has not understood, also when it was asked again; ``text`` is empty.
        case notUnderstood
    }

    /// What a person should know about it.
    package enum Remark: String, Sendable, Hashable, Codable {
        /// The recogniser repeated itself, and was asked again with shorter clips.
        case repeated
        /// The recogniser kept repeating itself; what remains is the part before.
        case cutShort
        /// A person changed it.
        case edited
    }

    package var kind: Kind
    /// In seconds from the start of the recording.
    package var time: Range<Double>
    package var text: String
    /// Each word's place in ``text``, and its time from the start of the recording.
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

    /// What lists show of `transcript`.
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
/// `verifyContract(of:)` in `EchoTextTesting` checks that versions are immutable, that exactly one is current as long as there is one,
/// and that the recording's text, times and search follow it.
package protocol TranscriptStore: Sendable {
    /// The versions of a recording, newest first.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func versions(of item: AudioItem.ID) async throws -> [TranscriptVersion]

    /// - Throws: ``TranscriptError/notFound``.
    func transcript(_ id: Transcript.ID) async throws -> Transcript

    /// Adds a version, and makes it the current one.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``TranscriptError/ofNarration`` for a recording that a voice spoke;
    ///   ``TranscriptError/invalidSegments``.
    @discardableResult
    func add(_ transcript: Transcript) async throws -> TranscriptVersion

    /// - Throws: ``TranscriptError/notFound``.
    func makeCurrent(_ id: Transcript.ID) async throws

    /// Deletes a version; the newest of the others becomes current if it was.
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
