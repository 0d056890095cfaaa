/// Stores captured sound in a recording session, and buffers for some minutes what cannot be stored.
///
/// ```swift
/// let writer = SessionWriter(into: library.recordings) { error in show(error) }
/// await writer.hold(try await library.recordings.begin(order))
/// try await writer.append(samples)
/// let item = try await writer.finish()
/// ```
package actor SessionWriter {
    /// What remains of a failed recording.
    package struct Left: Sendable, Hashable {
        /// The session that can be continued; `nil` where there is no sound.
        package let session: AudioItem.ID?
        /// Seconds of sound that could not be stored.
        package let lost: Double
    }

    /// The most seconds of sound that wait; 58 MB at 48,000 Hz.
    package static let longestWaiting = 600
    /// The number of final attempts to store the buffered sound, and the pause between them.
    private static let (lastAttempts, lastPause) = (4, Duration.seconds(2))

    private let sessions: any RecordingSessions
    private let clock: any Clock<Duration>
    private let cannotStore: @Sendable (any Error) async -> Void
    private var session: RecordingSession?
    /// Sound that is not stored yet.
    private var waiting: [[Int16]] = []
    private var hasReported = false

    /// - Parameters:
    ///   - sessions: Store the sound.
    ///   - clock: Measures the pauses at the end.
    ///   - cannotStore: Called once for each row of failures, with the first of them.
    package init(
        into sessions: any RecordingSessions,
        clock: any Clock<Duration> = ContinuousClock(),
        cannotStore: @escaping @Sendable (any Error) async -> Void
    ) {
        (self.sessions, self.clock, self.cannotStore) = (sessions, clock, cannotStore)
    }

    /// In hertz; `nil` before ``hold(_:)``.
    package var sampleRate: Int? { session?.order.sampleRate }

    /// Sets the session, which this process holds.
    package func hold(_ session: RecordingSession) { self.session = session }

    /// Stores the sound, or buffers it until it can be stored.
    ///
    /// - Throws: Errors that are permanent, and others once the buffer is full.
    package func append(_ samples: [Int16]) async throws {
        waiting.append(samples)
        do {
            try await store()
        } catch {
            guard Self.mayPass(error), waitingSeconds < Double(Self.longestWaiting) else { throw error }
            guard !hasReported else { return }
            hasReported = true
            await cannotStore(error)
        }
    }

    /// Makes the session a recording.
    ///
    /// - Throws: ``RecordingError/nothingRecorded``, after which nothing is left; otherwise as
    ///   ``RecordingSessions/finish(_:)``.
    package func finish() async throws -> AudioItem {
        try await storeRest()
        guard let session else { throw RecordingError.nothingRecorded }
        guard session.samples > 0 else {
            try await sessions.discard(session.id)
            throw RecordingError.nothingRecorded
        }
        return try await sessions.finish(session.id)
    }

    /// Leaves the stored sound as an interrupted session, or nothing if there is no sound.
    package func leave() async -> Left {
        let lost = waitingSeconds
        guard let session else { return Left(session: nil, lost: lost) }
        guard session.samples > 0 else {
            // A session that cannot be discarded now is listed as interrupted later.
            try? await sessions.discard(session.id)
            return Left(session: nil, lost: lost)
        }
        await sessions.release(session.id)
        return Left(session: session.id, lost: lost)
    }

    // MARK: - Storing

    private var waitingSeconds: Double {
        Double(waiting.reduce(0) { $0 + $1.count }) / Double(session?.order.sampleRate ?? 1)
    }

    /// Whether the operation may succeed later: a disk may have space again, and a library in use may become free.
    private static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? VaultError else { return false }
        return error != .locked
    }

    private func store() async throws {
        guard var session else { return }
        while let samples = waiting.first {
            let chunk = try RecordingChunk(number: session.nextChunk, samples: samples)
            session = try await sessions.append(chunk, to: session.id)
            self.session = session
            waiting.removeFirst()
        }
        hasReported = false
    }

    private func storeRest() async throws {
        for attempt in 1...Self.lastAttempts {
            do {
                return try await store()
            } catch {
                guard Self.mayPass(error), attempt < Self.lastAttempts else { throw error }
                // No event says that a disk has room again, so that is tried. A cancellation ends the wait, and is thrown.
                try await clock.sleep(for: Self.lastPause)
            }
        }
    }
}
