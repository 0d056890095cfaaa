package import Foundation

/// Transcribes recordings while they are being made, and queues them when they are finished or imported.
///
/// A session that was transcribed from start to end gets a draft at once, which the queue's transcript replaces: recognizers
/// understand long clips better than those that can be heard while somebody speaks.
package actor LiveTranscriptions {
    private let library: Library
    private let tools: TranscriptionTools
    private let queue: TranscriptionQueue
    private let events: StudioEvents
    private let now: @Sendable () -> Date
    private var live: [AudioItem.ID: LiveTranscription] = [:]
    /// Sessions that are not transcribed while they are recorded.
    private var unheard: Set<AudioItem.ID> = []
    private var endings: [AudioItem.ID: Task<Void, Never>] = [:]
    /// Transcriptions that the ending tasks wait for.
    private var finishing: [AudioItem.ID: LiveTranscription] = [:]
    private var isClosed = false

    /// - Parameters:
    ///   - library: Stores the transcripts and the settings.
    ///   - tools: Transcribe the sessions.
    ///   - queue: Transcribes finished recordings.
    ///   - events: Receives the segments.
    ///   - now: Returns the time of day.
    package init(
        in library: Library,
        with tools: TranscriptionTools,
        queue: TranscriptionQueue,
        events: StudioEvents,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.library = library
        self.tools = tools
        self.queue = queue
        self.events = events
        self.now = now
    }

    /// Whether the rest of a recording is being transcribed.
    package var isBusy: Bool { !finishing.isEmpty || !endings.isEmpty }

    /// Handles an event of a session's sound.
    package func take(_ sound: Recorder.Sound) async {
        switch sound {
        case .kept(let samples, let start, let session): await add(samples, from: start, of: session)
        case .finished(let item, let digest):
            let transcription = live.removeValue(forKey: item.id)
            unheard.remove(item.id)
            finishing[item.id] = transcription
            // The recording is there already; nobody has to wait for its text.
            endings[item.id] = Task { await self.finish(item, transcription, digest: digest) }
        case .ended(let id):
            unheard.remove(id)
            await live.removeValue(forKey: id)?.cancel()
        }
    }

    /// Queues a recording that was imported from a file, where the settings say so.
    ///
    /// - Returns: The notice when that has failed; an import does not fail for its transcript.
    package func take(imported item: AudioItem) async -> SoundImportNotice? {
        guard !isClosed else { return nil }
        do {
            guard try await library.settings.value(of: SettingsCatalogue.transcribesImports) else { return nil }
            let recognizers = try await order(for: item.language)
            guard !recognizers.isEmpty else { return nil }
            let order = TranscriptionOrder(
                recognizers: recognizers.map(\.id),
                settings: settings(for: item.language, among: recognizers)
            )
            _ = try await queue.take(order, for: item.id)
            return nil
        } catch {
            return .notTranscribed
        }
    }

    /// Stops transcribing; the queue gets finished recordings that were not transcribed to their end.
    package func close() async {
        isClosed = true
        for session in live.values { await session.cancel() }
        live = [:]
        for session in finishing.values { await session.cancel() }
        for ending in endings.values { await ending.value }
    }

    private func add(_ samples: [Int16], from start: Int, of session: RecordingSession) async {
        if live[session.id] == nil, !isClosed, !unheard.contains(session.id) {
            // Marked before the settings are read: the chunks of a session arrive in order.
            unheard.insert(session.id)
            if start == 0, let begun = await begin(session) {
                guard !isClosed else { return await begun.cancel() }
                unheard.remove(session.id)
                live[session.id] = begun
            }
        }
        await live[session.id]?.add(samples)
    }

    /// - Returns: `nil` when the session cannot or shall not be transcribed live.
    private func begin(_ session: RecordingSession) async -> LiveTranscription? {
        // A recording does not fail for its transcript.
        guard (try? await library.settings.value(of: SettingsCatalogue.transcribesLive)) == true,
            let local = try? await order(for: session.order.language).filter({ $0.engine != .remote }),
            let recognizer = await tools.paces.paces().firstToKeepUp(among: local)
        else { return nil }
        let begun = LiveTranscription(
            of: session.id,
            by: recognizer,
            settings: settings(for: session.order.language, among: [recognizer]),
            sampleRate: session.order.sampleRate,
            tools: tools,
            events: events
        )
        await begun.start()
        return begun
    }

    private func finish(_ item: AudioItem, _ transcription: LiveTranscription?, digest: String?) async {
        defer { (endings[item.id], finishing[item.id]) = (nil, nil) }
        let draft = await draft(of: item, transcription, digest: digest)
        // Where the settings cannot be read, too much is written rather than nothing.
        let isWanted = (try? await library.settings.value(of: SettingsCatalogue.transcribesAfter)) ?? true
        // Words that were to be written while it was made must not be missing in the end: that may have failed, or the
        // recording was continued after an interruption.
        var isMissing = draft == nil
        if isMissing, transcription == nil {
            isMissing = (try? await library.settings.value(of: SettingsCatalogue.transcribesLive)) ?? false
        }
        guard isWanted || isMissing else { return }
        var recognizers: [Recognizer]
        do {
            recognizers = try await order(for: item.language)
        } catch {
            guard let listed = try? await tools.recognizer.recognizers() else {
                return await takeUnlisted(item, draft: draft)
            }
            // The person's order is unknown; what cannot be read permits no sending.
            recognizers = listed.filter { $0.engine != .remote && $0.knows(item.language) }
        }
        // Sound that was recognized on this machine is sent nowhere unless a person asks for it.
        if draft != nil || !isWanted { recognizers.removeAll { $0.engine == .remote } }
        guard !recognizers.isEmpty else {
            if isMissing, let transcription { await takeRemoved(item, transcription.recognizer) }
            return
        }
        let order = TranscriptionOrder(
            recognizers: recognizers.map(\.id),
            settings: settings(for: item.language, among: recognizers),
            draft: draft?.id
        )
        await queue.takeUnawaited(order, for: item)
    }

    /// Queues a recording whose only recognizer was removed while it listened, so that this is reported: the words that
    /// it has shown are gone.
    private func takeRemoved(_ item: AudioItem, _ recognizer: Recognizer) async {
        let listed = try? await tools.recognizer.recognizers()
        guard let listed, !listed.contains(where: { $0.id == recognizer.id }) else { return }
        let order = TranscriptionOrder(
            recognizers: [recognizer.id],
            settings: settings(for: item.language, among: [recognizer])
        )
        await queue.takeUnawaited(order, for: item)
    }

    /// Queues a recording whose recognizers cannot be listed, so that its failure is reported.
    private func takeUnlisted(_ item: AudioItem, draft: Transcript?) async {
        let order = TranscriptionOrder(
            // The draft's was one of this machine, and takes these settings.
            recognizers: [draft?.source.recognizer ?? TranscriptionOrder.unlisted],
            settings: draft?.source.settings
                ?? RecognitionSettings(language: item.language == "und" ? nil : item.language),
            draft: draft?.id
        )
        await queue.takeUnawaited(order, for: item)
    }

    /// Stores what was heard while a recording was made; the sound is read again only where its digest is not known.
    ///
    /// - Returns: `nil` when there is none, or it cannot be stored: a transcription of the whole takes its place.
    private func draft(of item: AudioItem, _ transcription: LiveTranscription?, digest: String?) async -> Transcript? {
        guard let transcription else { return nil }
        do {
            let known =
                if let digest { digest } else { try await tools.digest(library.audio.sound(of: item.id)) }
            guard let draft = await transcription.finish(at: now(), digest: known) else { return nil }
            try await library.transcripts.add(draft)
            await events.post(.library(changed: [item.id]))
            return draft
        } catch {
            await transcription.cancel()
            return nil
        }
    }

    /// The recognizers that know the language, in the person's order.
    private func order(for language: String) async throws -> [Recognizer] {
        let all = try await library.settings.recognizerOrder().asked(of: tools.recognizer.recognizers(), for: language)
        return all.filter { $0.knows(language) }
    }

    private func settings(for language: String, among recognizers: [Recognizer]) -> RecognitionSettings {
        var settings = RecognitionSettings()
        settings.settleLanguage(spoken: language, among: recognizers)
        return settings
    }
}

/// Transcribes a recording while it is being made.
///
/// It never delays the recording. Its clips are short, so its transcript is a draft; if it misses or cannot transcribe a
/// part, there is none.
package actor LiveTranscription: ClipSource {
    /// How much sound may wait for the recognizer, in seconds; beyond it the recognizer is too slow for this machine.
    private static let longestBacklog = 60.0

    private let item: AudioItem.ID
    private let tools: TranscriptionTools
    fileprivate nonisolated let recognizer: Recognizer
    private let settings: RecognitionSettings
    package nonisolated let sampleRate: Int
    private let events: StudioEvents
    private let sound: AsyncStream<[Int16]>
    private let input: AsyncStream<[Int16]>.Continuation
    private var work: Task<Void, any Error>?
    private var segments: [TranscriptSegment] = []
    private var paragraphs = TranscriptParagraphs()
    private var added = 0
    private var taken = 0
    private var hasFailed = false

    /// - Parameters:
    ///   - item: The recording session's id, which will be the recording's.
    ///   - recognizer: The recognizer.
    ///   - settings: The recognizer's settings.
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
        let language = settings.language ?? recognizer.language(of: segments) ?? "und"
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
            let opened = try await tools.open(recognizer.id, settings, rate: sampleRate) { _ in .live }
            try await opened.closing { try await listen(by: opened) }
        } catch {
            hasFailed = true
            throw error
        }
    }

    private func listen(by opened: OpenRecognition) async throws {
        let listener = TranscriptionRun.Listener { segments, _ in await self.receive(segments) }
        // Clips are recognized one at a time, because recording needs the other processor core.
        try await TranscriptionRun(by: opened.session, lanes: 1)
            .recognize(self, by: opened.segmenter, offset: 0, listener)
    }

    /// Returns the added samples in their order, to a single reader.
    package func next() async throws -> AudioClip? {
        // An iterator of `AsyncStream` has no state of its own, so each call may make a new one.
        var iterator = sound.makeAsyncIterator()
        guard let samples = await iterator.next(isolation: self) else {
            try Task.checkCancellation()
            return nil
        }
        taken += samples.count
        return AudioClip(pcm16: samples, sampleRate: sampleRate)
    }

    private func receive(_ segments: [TranscriptSegment]) async {
        self.segments += segments
        guard !segments.isEmpty else { return }
        let beginnings = paragraphs.beginnings(of: segments)
        await events.post(.recognized(segments, beginnings: beginnings, of: item))
    }
}
