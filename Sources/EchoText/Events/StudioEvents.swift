import Foundation

/// Something that has happened in the studio, for subscribers.
package enum StudioEvent: Sendable, Equatable {
    case narration(NarrationStatus)
    /// A sentence of a narration can be played.
    case sentence(TimedSentence, of: AudioItem.ID, sampleRate: Int)
    case library(added: [AudioItem.ID] = [], changed: [AudioItem.ID] = [], deleted: [AudioItem.ID] = [])
    case documents(added: [Document.ID] = [], changed: [Document.ID] = [], deleted: [Document.ID] = [])
    case batch(BatchProgress)
    /// A recording session has begun or changed; `nil` when it has ended.
    case recording(AudioItem.ID, RecordingSession?)
    /// The state or the progress of a transcription has changed.
    case transcription(TranscriptionStatus)
    /// New segments of a recording's transcription, or of a recording session with the same id, and whether a paragraph
    /// begins with each of them.
    case recognized([TranscriptSegment], beginnings: [Bool], of: AudioItem.ID)
    /// The state or the progress of a search for the speakers of a transcript has changed.
    case speakers(SpeakerSearch)
    /// The state or the progress of a speech check has changed; `nil` when it is forgotten.
    case speechCheck(AudioItem.ID, SpeechCheckStatus?)
    /// The state or the progress of a download has changed.
    case voice(VoiceStatus)
    /// The voices or the catalogue have changed.
    case voices
    /// A streamed download has ended; its receiver cannot know why it was cut short.
    case export(id: String, ExportOutcome)
    /// How much of a streamed download is made, 0 to 99: its end is reported by ``export(id:_:)``.
    case exportProgress(id: String, percent: Int)
    case playback
    case history
    /// Another page writes on the draft that this page had.
    case draft(taken: String)
    /// The list of speeches, or one of them, has changed.
    case speeches
    /// The list of practice sessions, or the hard segments, have changed.
    case practice
    case profiles
    case settings
    case vault
    /// Another process has changed the library; the changes are unknown.
    case changedByOthers
}

/// How a download of recordings ended.
package struct ExportOutcome: Sendable, Equatable {
    /// Why it was cut short; `nil` when it was not.
    package let failure: Failure?
    /// How many recordings and documents are damaged or missing, and are not in it.
    package let leftOut: Int
    /// Whether a book lacks the cover or the chapters of its document, which is damaged.
    package let lacksParts: Bool

    package init(failure: Failure? = nil, leftOut: Int = 0, lacksParts: Bool = false) {
        (self.failure, self.leftOut, self.lacksParts) = (failure, leftOut, lacksParts)
    }
}

/// Sends events to all subscribers; a subscriber that reconnects gets the events it missed.
package actor StudioEvents {
    /// An event with its number, which increases by one from event to event.
    package struct Entry: Sendable, Equatable {
        package let number: Int
        package let event: StudioEvent
    }

    /// A subscriber's view of the events.
    package struct Subscription: Sendable {
        /// Whether more events were missed than are remembered, so that the subscriber has to read everything again.
        package let missedTooMuch: Bool
        /// The number of the last event before ``entries``.
        package let start: Int
        /// Ends early for a subscriber that does not keep up; it subscribes again after the last event that it has seen.
        package let entries: AsyncStream<Entry>
    }

    /// How many events are stored, and how many may wait for one subscriber.
    package static let capacity = 1_000

    /// Identifies this run; numbers of another run, such as an earlier one of the server, are meaningless here.
    package nonisolated let run = String(UUID().uuidString.prefix(8).lowercased())
    /// The number of the last event; 0 before the first.
    ///
    /// A state read afterwards includes every change that events up to this number report, and perhaps later ones.
    package private(set) var last = 0

    private var remembered: [Entry] = []
    private var readers: [Int: AsyncStream<Entry>.Continuation] = [:]
    private var nextReader = 0

    package init() {}

    package func post(_ event: StudioEvent) {
        last += 1
        let entry = Entry(number: last, event: event)
        remembered.append(entry)
        if remembered.count > Self.capacity { remembered.removeFirst(remembered.count - Self.capacity) }
        for (id, reader) in readers {
            if case .enqueued = reader.yield(entry) { continue }
            reader.finish()
            readers[id] = nil
        }
    }

    /// Subscribes to events.
    ///
    /// - Parameter number: The number of the last event that was received; `nil` for new events only.
    /// - Returns: The events since then, followed by new ones.
    package func subscribe(after number: Int? = nil) -> Subscription {
        let start = number ?? last
        let first = remembered.first?.number ?? last + 1
        let isUnknown = start > last || start < first - 1
        let (stream, continuation) = AsyncStream.makeStream(
            of: Entry.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        if !isUnknown {
            for entry in remembered where entry.number > start { continuation.yield(entry) }
        }
        nextReader += 1
        let reader = nextReader
        readers[reader] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forget(reader) }
        }
        return Subscription(missedTooMuch: isUnknown, start: isUnknown ? last : start, entries: stream)
    }

    /// Returns whether an event of some kind was posted after another.
    ///
    /// - Parameters:
    ///   - number: The number of the other event.
    ///   - isOne: Whether an event is of the kind.
    /// - Returns: `true` also if more events were posted than are stored.
    package func haveComeAfter(_ number: Int, where isOne: @Sendable (StudioEvent) -> Bool) -> Bool {
        let later = remembered.suffix(max(0, last - number))
        return later.count < last - number || later.contains { isOne($0.event) }
    }

    /// Forgets past events; a subscriber that asks for them later learns that it missed too much.
    package func forget() {
        remembered = []
    }

    /// Ends every subscription.
    package func close() {
        for reader in readers.values { reader.finish() }
        readers = [:]
    }

    private func forget(_ reader: Int) {
        readers[reader] = nil
    }
}
