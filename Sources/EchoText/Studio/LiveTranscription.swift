package import Foundation

/// Transcribes a recording while it is being made.
///
/// It never delays the recording. Its clips are short, so its transcript is a draft; if it misses or cannot transcribe a
/// part, there is none.
package actor LiveTranscription {
    /// How much sound may wait for the recogniser, in seconds; beyond it the recogniser is too slow for this machine.
    private static let longestBacklog = 60.0

    private let item: AudioItem.ID
    private let tools: TranscriptionTools
    private let recognizer: Recognizer
    private let settings: RecognitionSettings
    private let sampleRate: Int
    private let events: StudioEvents
    private let sound: AsyncStream<[Int16]>
    private let input: AsyncStream<[Int16]>.Continuation
    private var work: Task<Void, any Error>?
    private var segments: [TranscriptSegment] = []
    private var added = 0
    private var taken = 0
    private var hasFailed = false

    /// - Parameters:
    ///   - item: The recording session's id, which will be the recording's.
    ///   - recognizer: The recogniser.
    ///   - settings: The recogniser's settings.
    ///   - sampleRate: The session's sample rate in hertz.
    ///   - tools: Segment and convert the sound.
    ///   - events: Receives the segments.
    package init(
        of item: AudioItem.ID,
        by recognizer: Recognizer,
        settings: RecognitionSettings,
        sampleRate: Int,
        tools: TranscriptionTools,
        events: StudioEvents
    ) {
        self.item = item
        self.recognizer = recognizer
        self.settings = settings
        self.sampleRate = sampleRate
        self.tools = tools
        self.events = events
        // Bounded by ``longestBacklog``, beyond which it is given up.
        (sound, input) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// The segments so far.
    package var heard: [TranscriptSegment] { segments }

    /// Begins to listen.
    package func start() {
        guard work == nil else { return }
        work = Task { try await self.listen() }
    }

    /// Adds the next samples of the session; never waits.
    package func add(_ samples: [Int16]) {
        guard !hasFailed else { return }
        added += samples.count
        guard Double(added - taken) <= Self.longestBacklog * Double(sampleRate) else { return fail() }
        input.yield(samples)
    }

    /// Ends the transcription once all added samples were transcribed.
    ///
    /// - Parameters:
    ///   - now: The time of day.
    ///   - digest: The SHA-256 of the recording, in hexadecimal.
    /// - Returns: The transcript, or `nil` if a part of the recording could not be transcribed.
    package func finish(at now: Date, digest: String) async -> Transcript? {
        input.finish()
        // The error is not reported here: the transcription that follows meets and reports it.
        guard !hasFailed, let work, (try? await work.value) != nil, !hasFailed else { return nil }
        let source = TranscriptSource(
            recognizer: recognizer.id,
            recognizerName: recognizer.name,
            settings: settings,
            soundDigest: digest,
            isDraft: true
        )
        let only = recognizer.languages.count == 1 ? recognizer.languages[0] : "und"
        let language = settings.language ?? (only == "mul" ? "und" : only)
        return Transcript(item: item, created: now, source: source, language: language, segments: segments)
    }

    /// Ends it at once.
    package func cancel() async {
        fail()
        _ = try? await work?.value
    }

    private func fail() {
        hasFailed = true
        input.finish()
        work?.cancel()
    }

    private func listen() async throws {
        do {
            let session = try await tools.recognizer.open(recognizer.id, settings)
            try await session.closing { try await listen(by: session) }
        } catch {
            hasFailed = true
            throw error
        }
    }

    private func listen(by session: any RecognitionSession) async throws {
        let segmenter = try await tools.segmenter(rate: sampleRate, rules: .live)
        let source = LiveClips(sampleRate: sampleRate, sound: sound) { await self.take($0) }
        let listener = TranscriptionRun.Listener { segments, _ in await self.receive(segments) }
        try await segmenter.closing {
            // One clip at a time, because recording needs the other processor core.
            try await TranscriptionRun(by: session, lanes: 1).recognize(source, by: segmenter, offset: 0, listener)
        }
    }

    private func take(_ count: Int) {
        taken += count
    }

    private func receive(_ segments: [TranscriptSegment]) async {
        self.segments += segments
        guard !segments.isEmpty else { return }
        await events.post(.heard(segments, of: item))
    }
}

/// Samples from a stream that has a single reader.
private struct LiveClips: ClipSource {
    let sampleRate: Int
    let sound: AsyncStream<[Int16]>
    let taken: @Sendable (Int) async -> Void

    func next() async throws -> AudioClip? {
        // An iterator of `AsyncStream` has no state of its own, so each call may make a new one.
        var iterator = sound.makeAsyncIterator()
        guard let samples = await iterator.next() else {
            try Task.checkCancellation()
            return nil
        }
        await taken(samples.count)
        return AudioClip(samples: samples.amplitudes(fullScale: .storedFullScale), sampleRate: sampleRate)
    }
}
