package import Foundation

/// Sound that arrives in chunks, from its first chunk until it is a recording of the library.
///
/// It survives the end of the program: a chunk that the store has taken is there afterwards.
package struct RecordingSession: Sendable, Hashable, Identifiable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case recording
        case paused
        /// Abandoned by a process or page that ended; it can be continued, stored as a recording or discarded.
        case interrupted
    }

    /// Also the id of the recording that it becomes.
    package let id: AudioItem.ID
    package let created: Date
    package var order: RecordingOrder
    package var state: State
    /// The number of stored samples.
    package var samples: Int
    /// The number of the next chunk, from 0.
    package var nextChunk: Int
    /// Ordered by time.
    package var marks: [RecordingMark]
    /// Whether it is damaged, so that nothing but its name may be known, and it can only be discarded.
    package let isUnreadable: Bool

    package init(
        id: AudioItem.ID = AudioItem.ID(),
        created: Date,
        order: RecordingOrder,
        state: State = .recording,
        samples: Int = 0,
        nextChunk: Int = 0,
        marks: [RecordingMark] = [],
        isUnreadable: Bool = false
    ) {
        self.id = id
        self.created = created
        self.order = order
        self.state = state
        self.samples = samples
        self.nextChunk = nextChunk
        self.marks = marks
        self.isUnreadable = isUnreadable
    }

    /// In seconds.
    package var duration: Double { Double(samples) / Double(order.sampleRate) }

    /// Copies the fields that ``RecordingSessions/update(_:_:)`` may change.
    package mutating func take(_ other: RecordingSession) {
        (order.name, order.language, state) = (other.order.name, other.order.language, other.state)
        marks = other.marks.ordered(within: .max)
    }
}

/// The description of the recording that a session will become.
package struct RecordingOrder: Sendable, Hashable, Codable {
    /// Sample rates that are taken, in hertz.
    package static let sampleRates = 8_000...192_000

    /// The source of the sound.
    package enum Source: String, Sendable, Hashable, Codable {
        case microphone
        case file
    }

    package var name: ItemName
    /// BCP 47; `und` when it is not known.
    package var language: String
    /// In hertz, within ``sampleRates``.
    package let sampleRate: Int
    package let source: Source
    /// The name of the device or file, for the person.
    package var sourceName: String?
    /// When the sound was made, if that is known and not now.
    package var made: Date?

    /// - Throws: ``RecordingError/unsupportedRate``.
    package init(
        name: ItemName,
        language: String = "und",
        sampleRate: Int,
        source: Source,
        sourceName: String? = nil,
        made: Date? = nil
    ) throws(RecordingError) {
        guard Self.sampleRates.contains(sampleRate) else { throw .unsupportedRate(sampleRate) }
        self.name = name
        self.language = language
        self.sampleRate = sampleRate
        self.source = source
        self.sourceName = sourceName
        self.made = made
    }

    /// Stands for an order of which at most the name is known.
    package init(unreadable name: ItemName) {
        (self.name, language) = (name, "und")
        (sampleRate, source) = (48_000, .microphone)
    }
}

extension AudioItem {
    /// Makes the recording that a session becomes.
    ///
    /// - Parameters:
    ///   - session: The session, whose sound is stored completely.
    ///   - size: The size of the sound in bytes.
    ///   - lost: Samples that could not be read again.
    ///   - file: The file that it comes from.
    package init(
        finished session: RecordingSession,
        size: Int,
        lost: [Range<Int>] = [],
        from file: ImportedFile? = nil
    ) {
        let order = session.order
        let source = SoundOrigin(
            name: order.sourceName,
            made: order.made,
            lost: lost,
            fileSize: file.flatMap { $0.isKept ? $0.bytes.length : nil },
            track: file?.track
        )
        self.init(
            id: session.id,
            name: order.name,
            created: session.created,
            duration: session.duration,
            size: size,
            sampleRate: order.sampleRate,
            language: order.language,
            words: 0,
            origin: order.source == .microphone ? .recorded(source) : .imported(source)
        )
    }
}

/// A person's mark at a position in a recording.
package struct RecordingMark: Sendable, Hashable, Codable {
    /// In samples from the start.
    package var sample: Int
    package var label: String?

    package init(sample: Int, label: String? = nil) {
        (self.sample, self.label) = (sample, label)
    }

    /// The most UTF-16 units of a label.
    package static let longestLabel = 200
    /// The most marks of a recording.
    package static let most = 10_000

    /// Makes a mark at a time; its label becomes one line, and an empty one counts as none.
    ///
    /// - Parameters:
    ///   - seconds: From the start of the recording.
    ///   - label: What the person calls it.
    ///   - sampleRate: Of the recording, in hertz.
    package init(at seconds: Double, label: String?, sampleRate: Int) {
        // A NUL would end the label where it is stored.
        let line = (label ?? "").split { $0.isWhitespace || $0 == "\0" }.joined(separator: " ")
        let sample = Int((min(max(0, seconds), 1e9) * Double(sampleRate)).rounded())
        self.init(sample: sample, label: line.isEmpty ? nil : line)
    }

    /// The place in seconds, of sound with `sampleRate` samples per second.
    package func seconds(at sampleRate: Int) -> Double { Double(sample) / Double(sampleRate) }
}

extension [RecordingMark] {
    /// The same by time, with those outside of a sound of `count` samples moved to its nearest end.
    package func ordered(within count: Int) -> [RecordingMark] {
        map { RecordingMark(sample: Swift.min(Swift.max(0, $0.sample), count), label: $0.label) }
            .enumerated().sorted { ($0.element.sample, $0.offset) < ($1.element.sample, $1.offset) }.map(\.element)
    }
}

/// A piece of recorded sound.
package struct RecordingChunk: Sendable {
    /// The most samples of one chunk: a minute at the highest rate.
    package static let maximumSamples = 60 * 192_000

    /// From 0, without gaps.
    package let number: Int
    /// 16-bit mono at the session's rate; at least one sample and at most ``maximumSamples``.
    package let samples: [Int16]

    /// - Throws: ``RecordingError/invalidChunk``.
    package init(number: Int, samples: [Int16]) throws(RecordingError) {
        guard number >= 0, !samples.isEmpty, samples.count <= Self.maximumSamples else { throw .invalidChunk }
        (self.number, self.samples) = (number, samples)
    }
}

extension RecordingChunk {
    /// The most seconds at the end of a session in which a chunk is looked for first.
    private static let longestTail = 120

    /// How many samples at the end of a session are looked through first for a chunk that it may have.
    package func tail(of session: RecordingSession) -> Int {
        let rate = session.order.sampleRate
        // A chunk has a second at most, unless this one has more.
        let following = min(max(1, session.nextChunk - number), Self.longestTail) * max(rate, samples.count)
        return min(session.samples, max(samples.count, min(following, Self.longestTail * rate)))
    }

    /// The fewest changes from one sample to the next by which a chunk is known again wherever it stands.
    private static let leastChanges = 64

    /// Whether no other sound has the same samples by chance, as silence has, or a few samples.
    package var isDistinct: Bool {
        var changes = 0
        for (sample, next) in zip(samples, samples.dropFirst()) where sample != next {
            changes += 1
            if changes == Self.leastChanges { return true }
        }
        return false
    }

    /// Whether its samples stand anywhere in `sound`.
    package func isIn(_ sound: [Int16]) -> Bool { place(in: sound) != nil }

    /// Finds its samples in `sound`.
    ///
    /// - Complexity: O(*n*) in the length of `sound`.
    /// - Returns: Where they begin for the first time, if they stand anywhere.
    /// - SeeAlso: R. M. Karp and M. O. Rabin, “Efficient randomized pattern-matching algorithms”, 1987.
    package func place(in sound: [Int16]) -> Int? {
        guard samples.count <= sound.count else { return nil }
        let base: UInt64 = 0x9E37_79B9_7F4A_7C15
        func value(_ sample: Int16) -> UInt64 { UInt64(UInt16(bitPattern: sample)) &+ 1 }
        var (wanted, hash, highest) = (UInt64(0), UInt64(0), UInt64(1))
        for index in samples.indices {
            wanted = wanted &* base &+ value(samples[index])
            hash = hash &* base &+ value(sound[index])
            highest = highest &* base
        }
        var end = samples.count
        while true {
            let start = end - samples.count
            if hash == wanted, sound[start..<end].elementsEqual(samples) { return start }
            guard end < sound.count else { return nil }
            hash = hash &* base &+ value(sound[end]) &- highest &* value(sound[start])
            end += 1
        }
    }
}

/// The store of recording sessions.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - once ``append(_:to:)`` has returned, the chunk is durable, also across a crash or a power failure;
/// - a repeated chunk is stored only once;
/// - a session is listed once, as a session or as a recording, never as both or neither;
/// - nothing of a discarded session is left but its id: instead of ``RecordingError/sessionNotFound``, it and one whose
///   recording was deleted throw ``RecordingError/sessionDiscarded``, as long as the store remembers them.
///
/// Everything throws ``VaultError/locked`` while the vault is locked.
package protocol RecordingSessions: Sendable {
    /// Creates a session, and locks it: no other process may add to it.
    func begin(_ order: RecordingOrder) async throws -> RecordingSession

    /// Locks an abandoned session, and makes it running again.
    ///
    /// - Throws: ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy`` when another process holds it.
    func resume(_ id: AudioItem.ID) async throws -> RecordingSession

    /// All sessions, oldest first; a session in the recording state that no process holds is
    /// ``RecordingSession/State/interrupted``, and a damaged one is ``RecordingSession/isUnreadable``.
    func sessions() async throws -> [RecordingSession]

    /// - Throws: ``RecordingError/sessionNotFound``.
    func session(_ id: AudioItem.ID) async throws -> RecordingSession

    /// Stores a chunk; one whose number is below the session's next is a repetition and changes nothing.
    ///
    /// A chunk is no repetition whose sound differs from what is stored under its number.
    ///
    /// - Returns: The session after it.
    /// - Throws: ``RecordingError/chunkMissing(next:)`` when chunks before it are missing, ``RecordingError/chunkTaken`` when
    ///   another one has its number, ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``, ``LibraryError/recordingTooLong``, ``VaultError/readOnly(_:)`` on a full disk.
    @discardableResult
    func append(_ chunk: RecordingChunk, to id: AudioItem.ID) async throws -> RecordingSession

    /// Changes the state, the name and the language, and the marks of a session that no other process holds.
    ///
    /// Marks are sorted by time; other changes by `change` are ignored.
    ///
    /// - Throws: ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``.
    @discardableResult
    func update(_ id: AudioItem.ID, _ change: @Sendable (inout RecordingSession) -> Void) async throws
        -> RecordingSession

    /// Releases a session, which stays as it is.
    func release(_ id: AudioItem.ID) async

    /// Atomically replaces the session by a recording of all its chunks.
    ///
    /// Its whole sound is read again first. Damaged or missing samples become silence in the recording, and are listed
    /// in ``SoundOrigin/lost``. Sound that cannot be read now but may be readable later is an error, and nothing is
    /// deleted, unless `keepsPart` is set.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - keepsPart: Whether sound that cannot be read now becomes silence, too.
    ///   - file: The file that the sound comes from, which is stored or remembered in the same change; `nil` for none.
    /// - Returns: The recording.
    /// - Throws: ``RecordingError/nothingRecorded`` for a session without a chunk, which is not deleted;
    ///   ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``, ``LibraryError/recordingThere(name:)`` for a
    ///   unique file that has a recording, ``VaultError``, and what reading `file` throws; nothing has changed then.
    func finish(_ id: AudioItem.ID, keepsPart: Bool, from file: ImportedFile?) async throws -> AudioItem

    /// Replaces the session by a recording, as ``finish(_:)`` does, and computes the digest of its sound while that is written.
    ///
    /// - Returns: The recording, and the SHA-256 of its sound in hexadecimal; `nil` where a store does not compute it.
    /// - Throws: As ``finish(_:keepsPart:from:)``.
    func finishWithDigest(_ id: AudioItem.ID) async throws -> (item: AudioItem, digest: String?)

    /// Recordings that were finished with exactly these bytes, the oldest first.
    ///
    /// `file` is read only if a file of its length was imported before.
    ///
    /// - Throws: ``VaultError``, and what reading `file` throws.
    func recordings(from file: any StoredBytes) async throws -> [AudioItem]

    /// Deletes a session with its sound, also a damaged one.
    ///
    /// - Throws: ``RecordingError/sessionNotFound``, ``RecordingError/sessionBusy``.
    func discard(_ id: AudioItem.ID) async throws

    /// Reads the stored sound of a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - start: The first sample to return.
    ///   - limit: The most samples to return.
    /// - Returns: At least one sample if there is one from `start` on; possibly fewer than `limit`.
    /// - Throws: ``RecordingError/sessionNotFound``, ``VaultError``.
    func samples(of id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16]
}

extension RecordingSessions {
    /// Replaces the session by a recording of all its chunks, as ``finish(_:keepsPart:from:)`` does without losing any.
    package func finish(_ id: AudioItem.ID) async throws -> AudioItem { try await finish(id, keepsPart: false) }

    /// Replaces the session by a recording, as ``finish(_:keepsPart:from:)`` does of sound that comes from no file.
    package func finish(_ id: AudioItem.ID, keepsPart: Bool) async throws -> AudioItem {
        try await finish(id, keepsPart: keepsPart, from: nil)
    }

    package func finishWithDigest(_ id: AudioItem.ID) async throws -> (item: AudioItem, digest: String?) {
        (try await finish(id), nil)
    }
}

/// Why a recording is not made or continued.
package enum RecordingError: UserFacingError, Equatable {
    case sessionNotFound
    /// It was discarded, or deleted as a recording: sound of it that comes later is unwanted.
    case sessionDiscarded
    /// Another process holds the session.
    case sessionBusy
    case nothingRecorded
    /// In hertz.
    case unsupportedRate(Int)
    case invalidChunk
    /// Earlier chunks have not arrived; `next` is the number of the first missing one.
    case chunkMissing(next: Int)
    /// Another chunk of that number is there: somebody else sends into the session, too.
    case chunkTaken
    case tooManyMarks(limit: Int)
    case tooManySessions(limit: Int)

    /// Whether there is no such session.
    package var isOfAbsence: Bool { self == .sessionNotFound || self == .sessionDiscarded }

    package var failure: Failure {
        switch self {
        case .sessionNotFound:
            Failure(.notFound, "recording.not-found", "There is no such unfinished recording.")
                .suggesting(
                    "It may be among the recordings already.",
                    inTerminal: "It may be in the library already: “echotext recordings list” shows all of them."
                )
        case .sessionDiscarded:
            Failure(.notFound, "recording.discarded", "This recording was discarded or deleted.")
        case .sessionBusy:
            Failure(.conflict, "recording.busy", "Another EchoText is recording this.")
                .suggesting("Stop it there first.")
        case .nothingRecorded:
            Failure(.invalidContent, "recording.empty", "Nothing was recorded.")
                .suggesting("Check the microphone and its level, and record again.")
        case .unsupportedRate(let rate):
            Failure(
                .invalidRequest,
                "recording.unsupported-rate",
                "Sound of \(rate) samples per second cannot be recorded."
            )
            .suggesting("Choose another microphone.", inTerminal: "Use a rate from 8000 to 192000, such as 48000.")
        case .invalidChunk:
            Failure(
                .invalidRequest,
                "recording.invalid-chunk",
                "A piece of the sound was damaged on its way: a chunk holds whole 16-bit samples, up to a minute of them."
            )
        case .chunkMissing(let next):
            Failure(.conflict, "recording.chunk-missing", "A piece of the sound has not arrived.")
                .suggesting("It is sent again: the chunks from number \(next) on are missing.")
        case .chunkTaken:
            Failure(
                .conflict,
                "recording.chunk-taken",
                "Another page is recording this, so the sound from here is not in it."
            )
            .suggesting("Stop one of the two; what was not taken can become a recording of its own.")
        case .tooManyMarks(let limit):
            Failure(
                .conflict,
                "recording.too-many-marks",
                "The recording has \(limit.grouped) marks, and takes no more."
            )
        case .tooManySessions(let limit):
            Failure(.conflict, "recording.too-many-sessions", "There are \(limit) unfinished recordings already.")
                .suggesting("Keep or discard some of them first.")
        }
    }
}

/// The sound so far of a recording or narration that is not finished, as a WAV file.
package struct UnfinishedSound: StoredSound {
    private let count: Int
    private let header: [UInt8]
    /// Why there are fewer samples than there were.
    private let gone: any Error
    /// Reads samples: from the first number on, as many as the second at most.
    private let load: @Sendable (Int, Int) async throws -> [Int16]

    /// - Parameters:
    ///   - session: The session with its present samples; later ones are not part of the file.
    ///   - recordings: The store of the session.
    package init(of session: RecordingSession, in recordings: any RecordingSessions) {
        let id = session.id
        self.init(count: session.samples, sampleRate: session.order.sampleRate, gone: RecordingError.sessionNotFound) {
            try await recordings.samples(of: id, from: $0, limit: $1)
        }
    }

    /// - Parameters:
    ///   - job: The narration with its present samples; later ones are not part of the file.
    ///   - jobs: The store of the narration.
    package init(of job: NarrationJob, in jobs: any NarrationJobs) {
        let id = job.id
        self.init(count: job.samples, sampleRate: job.order.voice.sampleRate, gone: LibraryError.jobNotFound) {
            try await jobs.samples(ofJob: id, from: $0, limit: $1)
        }
    }

    private init(
        count: Int,
        sampleRate: Int,
        gone: any Error,
        load: @escaping @Sendable (Int, Int) async throws -> [Int16]
    ) {
        self.count = count
        header = WAVHeader(sampleRate: sampleRate, dataLength: Int64(2 * count)).bytes
        self.gone = gone
        self.load = load
    }

    package var length: Int { header.count + 2 * count }

    /// - Throws: ``RecordingError/sessionNotFound``, ``LibraryError/jobNotFound``, ``VaultError``.
    package func read(_ range: Range<Int>) async throws -> Data {
        precondition(range.clamped(to: 0..<length) == range, "\(range) is outside a sound of \(length) bytes")
        var bytes = Data(header[range.clamped(to: header.indices)])
        let wanted = range.clamped(to: header.count..<length)
        guard !wanted.isEmpty else { return bytes }
        let first = (wanted.lowerBound - header.count) / 2
        let end = (wanted.upperBound - header.count + 1) / 2
        // Little-endian, as every machine is that Swift runs on.
        let sound = try await samples(first..<end).withUnsafeBytes { Data($0) }
        let skipped = wanted.lowerBound - header.count - 2 * first
        bytes.append(sound[skipped..<(skipped + wanted.count)])
        return bytes
    }

    private func samples(_ range: Range<Int>) async throws -> [Int16] {
        var samples: [Int16] = []
        while samples.count < range.count {
            let start = range.lowerBound + samples.count
            let more = try await load(start, range.upperBound - start)
            guard !more.isEmpty else { throw gone }
            samples += more
        }
        return samples
    }
}
