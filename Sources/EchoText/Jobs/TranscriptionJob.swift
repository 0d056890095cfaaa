package import Foundation

/// A requested transcription, until it becomes a transcript.
///
/// It survives the end of the program: segments are stored as they are recognized, and it resumes at the first missing
/// one.
package struct TranscriptionJob: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<TranscriptionJob>

    package enum State: Sendable, Hashable, Codable {
        case queued
        case running
        /// Its next recognizer is a service, and the network is down.
        case waitingForNetwork
        /// A person has to allow the next sending to a service.
        case waitingForConsent
        case retrying(at: Date)
        case failed(Failure)
        case cancelled
    }

    /// The most jobs stored at once.
    package static let most = 1_000

    package let id: ID
    package let item: AudioItem.ID
    package let created: Date
    package let order: TranscriptionOrder
    package var state: State
    /// Which of the order's recognizers is asked, from 0.
    package var recognizer: Int
    /// How often the present recognizer has failed in a row.
    package var failures: Int
    /// The position in the recording at which it resumes, in seconds; everything before was transcribed.
    package var progress: Double
    /// The last failure, even if another attempt followed.
    package var failure: Failure?

    package init(
        id: ID = ID(),
        item: AudioItem.ID,
        created: Date,
        order: TranscriptionOrder,
        state: State = .queued,
        recognizer: Int = 0,
        failures: Int = 0,
        progress: Double = 0,
        failure: Failure? = nil
    ) {
        self.id = id
        self.item = item
        self.created = created
        self.order = order
        self.state = state
        self.recognizer = recognizer
        self.failures = failures
        self.progress = progress
        self.failure = failure
    }

    /// Copies the fields that ``TranscriptionJobs/update(_:_:)`` may change.
    package mutating func take(_ other: TranscriptionJob) {
        (state, recognizer, failures) = (other.state, other.recognizer, other.failures)
        failure = other.failure
    }
}

/// The settings of a transcription.
package struct TranscriptionOrder: Sendable, Hashable, Codable {
    /// Stands for the recognizers of an order that was given while none could be listed; they are chosen when it is tried again.
    package static let unlisted = Recognizer.ID(rawValue: "unknown")

    /// In the order in which they are tried if one fails; at least one.
    package var recognizers: [Recognizer.ID]
    package var settings: RecognitionSettings
    /// The part of the recording to transcribe, in seconds; `nil` for all of it.
    package var range: Range<Double>?
    /// The version that a range is put into.
    package var base: Transcript.ID?
    /// Whether ranges without speech are skipped; the transcript lists them.
    package var skipsSilence: Bool
    /// The version that was heard while the recording was made, which the transcript replaces.
    package var draft: Transcript.ID?
    /// The version that was current when it was ordered, as ``TranscriptionQueue`` notes; `nil` when there was none.
    package var current: Transcript.ID?

    package init(
        recognizers: [Recognizer.ID],
        settings: RecognitionSettings = RecognitionSettings(),
        range: Range<Double>? = nil,
        base: Transcript.ID? = nil,
        skipsSilence: Bool = true,
        draft: Transcript.ID? = nil
    ) {
        self.recognizers = recognizers
        self.settings = settings
        self.range = range
        self.base = base
        self.skipsSilence = skipsSilence
        self.draft = draft
    }

    /// Whether its recognizers are still to be chosen.
    package var isUnlisted: Bool { recognizers == [Self.unlisted] }

    /// The order without what the queue notes.
    package var asGiven: TranscriptionOrder {
        var given = self
        given.current = nil
        return given
    }

    /// Whether its transcript becomes the current version.
    ///
    /// - Parameters:
    ///   - present: The version that is current so far; `nil` when there is none.
    ///   - isOwn: Whether that has a person's own text.
    /// - Returns: `false` where it was to replace a draft and another version is current, as a person has made or chosen that,
    ///   and where a person has written or changed the text since it was ordered.
    package func makesCurrent(insteadOf present: Transcript.ID?, isOwn: Bool) -> Bool {
        guard let present else { return true }
        return draft == nil ? !isOwn || present == current : present == draft
    }
}

/// The store of unfinished transcriptions.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that a segment is durable once ``keep(_:for:)`` has returned, and
/// that a finished job atomically becomes a transcript.
package protocol TranscriptionJobs: Sendable {
    /// Creates a job, and holds it.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``LibraryError/tooManyJobs(limit:)``.
    func begin(_ order: TranscriptionOrder, for item: AudioItem.ID) async throws -> TranscriptionJob

    /// Holds a job that no process works on.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    func resume(_ id: TranscriptionJob.ID) async throws -> TranscriptionJob

    /// All jobs, oldest first; a damaged one has failed with ``TranscriptError/jobDamaged``.
    func jobs() async throws -> [TranscriptionJob]

    /// The segments so far, in order of time.
    func segments(of id: TranscriptionJob.ID) async throws -> [TranscriptSegment]

    /// Stores the next segments, and the progress; where that is further than before, of its starts only the last is still counted.
    func keep(_ segments: [TranscriptSegment], progress: Double, for id: TranscriptionJob.ID) async throws

    /// Changes the state, the recognizer and the failures of a job that this process holds.
    ///
    /// Unless its turn is still to come or has come, its starts are forgotten.
    @discardableResult
    func update(_ id: TranscriptionJob.ID, _ change: @Sendable (inout TranscriptionJob) -> Void) async throws
        -> TranscriptionJob

    /// Drops the segments and the starts, so that another recognizer begins again.
    func restart(_ id: TranscriptionJob.ID) async throws

    /// Counts a start on a job that this process holds, before anything is heard.
    ///
    /// - Returns: The starts that came to no end while it got no further, this one included.
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    func noteStart(of id: TranscriptionJob.ID) async throws -> Int

    /// Forgets the starts on a job that this process holds and leaves for another time.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``.
    func forgetStarts(of id: TranscriptionJob.ID) async throws

    /// Releases a job that stays.
    func release(_ id: TranscriptionJob.ID) async

    /// Atomically replaces the job by `transcript`, which becomes the current one where
    /// ``TranscriptionOrder/makesCurrent(insteadOf:)`` says so.
    ///
    /// - Throws: ``TranscriptError/jobNotFound``, ``TranscriptError/jobBusy``, and what ``TranscriptStore/add(_:)``
    ///   throws; the job remains then.
    func finish(_ id: TranscriptionJob.ID, as transcript: Transcript) async throws -> TranscriptVersion

    func discard(_ id: TranscriptionJob.ID) async throws
}

extension TranscriptionJob {
    /// The current recognizer.
    package var asked: Recognizer.ID { order.recognizers[min(recognizer, order.recognizers.count - 1)] }

    /// The recognizer that was asked first, with the last failure, where another one has taken its place.
    package var replaced: FailedRecognizer? {
        guard recognizer > 0, let first = order.recognizers.first, let failure else { return nil }
        return FailedRecognizer(first, failure)
    }
}

extension TranscriptionJob.State {
    /// Whether it continues by itself when a process takes it up.
    package var isUnderWay: Bool {
        switch self {
        case .queued, .running, .waitingForNetwork, .waitingForConsent, .retrying: true
        case .failed, .cancelled: false
        }
    }

    /// Whether its turn is still to come, or has come; it waits for nothing else.
    package var isInTurn: Bool {
        switch self {
        case .queued, .running: true
        case .waitingForNetwork, .waitingForConsent, .retrying, .failed, .cancelled: false
        }
    }
}

/// The progress of a transcription, for a person.
package struct TranscriptionStatus: Sendable, Equatable, Identifiable {
    package var job: TranscriptionJob
    /// The recording's name and length in seconds.
    package var name: ItemName
    package let duration: Double
    /// How much of the recording was transcribed, in seconds.
    package var position: Double
    /// Its position among those that wait for the same recognizer, from 1; `nil` when it does not wait for its turn.
    package var queuePosition: Int?
    /// The audio it would send, while the person has to decide.
    package var sending: Sending?
    /// The finished transcript.
    package var version: Transcript.ID?
    /// Whether it was stopped and is no job any more.
    package var isGone = false

    package var id: TranscriptionJob.ID { job.id }

    /// The part of the recording to transcribe, in seconds.
    package var range: Range<Double> { job.order.range ?? 0..<max(duration, 0) }

    package init(_ job: TranscriptionJob, of item: AudioItem) {
        self.job = job
        name = item.name
        duration = item.duration
        position = max(job.progress, job.order.range?.lowerBound ?? 0)
    }
}
