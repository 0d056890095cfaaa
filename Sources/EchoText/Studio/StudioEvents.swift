/// Something that happened, for whoever looks on.
package enum StudioEvent: Sendable, Equatable {
    case narration(NarrationStatus)
    /// A sentence of a narration can be heard.
    case sentence(TimedSentence, of: AudioItem.ID, sampleRate: Int)
    case library(added: [AudioItem.ID] = [], changed: [AudioItem.ID] = [], deleted: [AudioItem.ID] = [])
    case documents(added: [Document.ID] = [], changed: [Document.ID] = [], deleted: [Document.ID] = [])
    case batch(BatchProgress)
    /// A download has come further.
    case voice(VoiceStatus)
    /// There are other voices than before, or the catalogue knows more.
    case voices
    case playback
    case history
    case profiles
    case settings
    case vault
}

/// Tells everyone who looks on what happens, and those who were away for a while what they missed.
package actor StudioEvents {
    /// One event with its number, which grows by one from event to event.
    package struct Entry: Sendable, Equatable {
        package let number: Int
        package let event: StudioEvent
    }

    /// What someone sees from some event on.
    package struct Subscription: Sendable {
        /// Whether more was missed than is remembered, so that everything has to be asked for anew.
        package let missedTooMuch: Bool
        /// The number of the last event before ``entries``.
        package let start: Int
        /// Ends early for one who does not keep up; they come back and ask for what they missed.
        package let entries: AsyncStream<Entry>
    }

    /// How many events are remembered, and how many may wait for one reader.
    package static let capacity = 1_000

    private var remembered: [Entry] = []
    private var last = 0
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

    /// Begins to look on.
    ///
    /// - Parameter number: The last event that was seen; `nil` to see only what happens from now on.
    /// - Returns: What happened since then, and what happens.
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

    /// Forgets what has happened; who asks for it later is told that they missed too much.
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
