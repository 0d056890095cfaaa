package import Foundation

/// A narration in the library, from its first sentence until it becomes a recording.
///
/// It survives the end of the program: what has been spoken is stored segment by segment, and it resumes at the first
/// sentence that is missing.
package struct NarrationJob: Sendable, Hashable, Codable, Identifiable {
    package enum State: String, Sendable, Hashable, Codable {
        /// In progress, or abandoned by a process that ended; the job's lock distinguishes the two.
        case open
        /// Stopped by the person, who may resume it or keep the part.
        case stopped
        case failed
    }

    package let id: AudioItem.ID
    package let created: Date
    package let order: NarrationOrder
    /// UTF-16 units of the text; `nil` for a job that an earlier version began.
    package let length: Int?
    package var state: State
    /// The error, for ``State/failed``.
    package var failure: Failure?
    /// Where it resumes in the text, in UTF-16 units: the end of the last stored sentence.
    package var position: Int
    /// Which sentence comes next, from 0.
    package var sentence: Int
    /// The number of stored samples.
    package var samples: Int
    /// The first words of phrases of the stored sentences that could not be spoken, at most ``maximumLeftOut``.
    package private(set) var leftOut: [String]

    /// How many omitted phrases are listed.
    package static let maximumLeftOut = 20

    package init(
        id: AudioItem.ID = AudioItem.ID(),
        created: Date,
        order: NarrationOrder,
        length: Int? = nil,
        state: State = .open,
        failure: Failure? = nil,
        position: Int = 0,
        sentence: Int = 0,
        samples: Int = 0,
        leftOut: [String] = []
    ) {
        self.id = id
        self.created = created
        self.order = order
        self.length = length
        self.state = state
        self.failure = failure
        self.position = position
        self.sentence = sentence
        self.samples = samples
        self.leftOut = leftOut
    }

    /// Adds the first words of phrases that could not be spoken, as far as they are listed.
    package mutating func leaveOut(_ excerpts: [String]) {
        leftOut += excerpts.prefix(max(0, Self.maximumLeftOut - leftOut.count))
    }

    /// Whether it is damaged, so that nothing but its name may be known, and it can only be discarded.
    package var isUnreadable: Bool { failure?.code == LibraryError.jobDamaged.failure.code }
}

/// An order for a narration: everything that a later run of the program needs to make the same.
package struct NarrationOrder: Sendable, Hashable, Codable {
    package var name: ItemName
    package var voice: Voice
    package var speaker: Int
    /// Times the voice's own.
    package var speed: Double
    package var pitch: Double
    /// Times the voice's own, as ``Prosody`` has them; `nil`, as in orders from before it existed, is 1.
    package var liveliness: Double?
    package var rhythm: Double?
    package var pauses: NarrationSettings.Pauses
    /// The names of omitted steps of text preparation.
    package var withoutSteps: [String]
    /// The pronunciation dictionary's text.
    package var dictionary: String?
    /// The folder of a voice that is not installed.
    package var voiceFolder: String?
    package var document: DocumentLink?
    /// The languages of the text; `nil` when only its words show them.
    package var languages: TextLanguages?
    /// The captions of the text, each of which begins at its own time; `nil` when it is spoken at the voice's pace.
    package var cues: [SubtitleCue]?
    /// The entry of the batch that it was begun for.
    package var batch: BatchEntry.ID?

    package init(
        name: ItemName,
        voice: Voice,
        speaker: Int = 0,
        speed: Double = 1,
        pitch: Double = 1,
        pauses: NarrationSettings.Pauses = .init(),
        withoutSteps: [String] = [],
        dictionary: String? = nil,
        voiceFolder: String? = nil,
        document: DocumentLink? = nil
    ) {
        self.name = name
        self.voice = voice
        self.speaker = speaker
        self.speed = speed
        self.pitch = pitch
        self.pauses = pauses
        self.withoutSteps = withoutSteps
        self.dictionary = dictionary
        self.voiceFolder = voiceFolder
        self.document = document
    }

    /// How it is spoken.
    ///
    /// - Throws: ``SynthesisError`` for an order that was made elsewhere.
    package var prosody: Prosody {
        get throws(SynthesisError) {
            try Prosody(speed: speed, pitch: pitch, liveliness: liveliness ?? 1, rhythm: rhythm ?? 1)
        }
    }

    /// A copy with other voice settings.
    package func spoken(with prosody: Prosody) -> NarrationOrder {
        var order = self
        (order.speed, order.pitch) = (prosody.speed, prosody.pitch)
        (order.liveliness, order.rhythm) = (prosody.liveliness, prosody.rhythm)
        return order
    }
}

/// Some whole sentences of a narration, which are stored together.
package struct NarrationSegment: Sendable {
    /// 16-bit mono at the voice's rate, silence after the sentences included.
    package var sound: SampleRuns
    /// Their times, counted from the start of the narration.
    package var sentences: [TimedSentence]
    /// The position in the text after them, in UTF-16 units.
    package var position: Int
    /// The number of the next sentence.
    package var nextSentence: Int
    /// The first words of phrases of the sentences that could not be spoken.
    package var leftOut: [String]

    package init(
        sound: SampleRuns,
        sentences: [TimedSentence],
        position: Int,
        nextSentence: Int,
        leftOut: [String] = []
    ) {
        self.sound = sound
        self.sentences = sentences
        self.position = position
        self.nextSentence = nextSentence
        self.leftOut = leftOut
    }
}

/// The store of unfinished narrations.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that a segment is found again in the next session once
/// ``keep(_:for:)`` has returned, that no job is listed twice, and that nothing of a discarded job is left.
package protocol NarrationJobs: Sendable {
    /// Creates a job for `text`, and holds it.
    func begin(_ order: NarrationOrder, text: String) async throws -> NarrationJob

    /// Locks an unfinished job until it is released, and returns it with its text.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, ``LibraryError/jobBusy``, ``LibraryError/jobDamaged``.
    func resume(_ id: AudioItem.ID) async throws -> (job: NarrationJob, text: String)

    /// All jobs, oldest first; damaged ones are ``NarrationJob/isUnreadable``.
    func jobs() async throws -> [NarrationJob]

    /// Stores the sentences since the last segment.
    func keep(_ segment: NarrationSegment, for id: AudioItem.ID) async throws

    /// Releases a job that stays unfinished, with the reason.
    func leave(_ id: AudioItem.ID, as state: NarrationJob.State, failure: Failure?) async throws

    /// Replaces the job by a recording of its stored part; a job without a stored part cannot become one.
    ///
    /// The listening position of the job becomes the bookmark, unless the bookmark belongs to another recording.
    ///
    /// - Throws: ``LibraryError/jobNotFound``.
    func finish(_ id: AudioItem.ID) async throws -> AudioItem

    /// Deletes a job with its sound, also a damaged one.
    func discard(_ id: AudioItem.ID) async throws

    /// Stores the listening position in a job, even if another process holds the job.
    ///
    /// - Parameters:
    ///   - seconds: From the start of its sound, finite and not negative.
    ///   - id: The job.
    /// - Throws: ``LibraryError/jobNotFound``.
    func save(played seconds: Double, ofJob id: AudioItem.ID) async throws

    /// Returns the listening position in a job, in seconds; initially 0.
    ///
    /// - Throws: ``LibraryError/jobNotFound``.
    func played(ofJob id: AudioItem.ID) async throws -> Double

    // MARK: Content of a job

    /// The whole text of a job.
    ///
    /// - Throws: ``LibraryError/jobNotFound``, as the two below.
    func text(ofJob id: AudioItem.ID) async throws -> String

    /// The times of its stored sentences.
    ///
    /// - Returns: The sentences in order, one without words for what has damaged times, and how many parts have such.
    func timings(ofJob id: AudioItem.ID) async throws -> (sentences: [TimedSentence], damaged: Int)

    /// Reads stored sound of a job.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - start: The first sample to return.
    ///   - limit: The most samples to return.
    /// - Returns: At least one sample if there is one from `start` on; possibly fewer than `limit`.
    /// - Throws: ``LibraryError/jobNotFound``, ``VaultError``.
    func samples(ofJob id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16]
}
