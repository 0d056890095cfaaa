package import Foundation

/// Transcribes recordings while they are being made, and queues them when they are finished or imported.
///
/// A session that was transcribed from start to end gets a draft at once, which the queue's transcript replaces: recognisers
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
        case .finished(let item):
            let heard = live.removeValue(forKey: item.id)
            unheard.remove(item.id)
            finishing[item.id] = heard
            // The recording is there already; nobody has to wait for its text.
            endings[item.id] = Task { await self.finish(item, heard) }
        case .ended(let id):
            unheard.remove(id)
            await live.removeValue(forKey: id)?.cancel()
        }
    }

    /// Queues a recording that was imported from a file, where the settings say so.
    package func take(imported item: AudioItem) async {
        // An import does not fail for its transcript; the recording's page offers to transcribe it.
        guard !isClosed, (try? await library.settings.value(of: SettingsCatalogue.transcribesImports)) == true,
            let recognizers = try? await order(for: item.language), !recognizers.isEmpty
        else { return }
        let order = TranscriptionOrder(
            recognizers: recognizers.map(\.id),
            settings: settings(for: item.language)
        )
        _ = try? await queue.take(order, for: item.id)
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
            let recognizer = try? await order(for: session.order.language).first(where: { $0.engine != .remote })
        else { return nil }
        let begun = LiveTranscription(
            of: session.id,
            by: recognizer,
            settings: settings(for: session.order.language),
            sampleRate: session.order.sampleRate,
            tools: tools,
            events: events
        )
        await begun.start()
        return begun
    }

    private func finish(_ item: AudioItem, _ heard: LiveTranscription?) async {
        defer { (endings[item.id], finishing[item.id]) = (nil, nil) }
        do {
            let sound = try await library.audio.sound(of: item.id)
            let draft = await heard?.finish(at: now(), digest: try await tools.digest(sound))
            if let draft {
                try await library.transcripts.add(draft)
                await events.post(.library(changed: [item.id]))
            }
            guard try await library.settings.value(of: SettingsCatalogue.transcribesAfter) else { return }
            var recognizers = try await order(for: item.language)
            // What was heard on this machine is sent nowhere without being asked for.
            if draft != nil { recognizers.removeAll { $0.engine == .remote } }
            guard !recognizers.isEmpty else { return }
            let order = TranscriptionOrder(
                recognizers: recognizers.map(\.id),
                settings: settings(for: item.language),
                draft: draft?.id
            )
            _ = try await queue.take(order, for: item.id)
        } catch {
            // The recording is stored, and its page offers to transcribe it.
        }
    }

    /// The recognisers that know the language, in the person's order.
    private func order(for language: String) async throws -> [Recognizer] {
        let all = try await library.settings.recognizerOrder().asked(of: tools.recognizer.recognizers(), for: language)
        return all.filter { $0.knows(language) }
    }

    private func settings(for language: String) -> RecognitionSettings {
        RecognitionSettings(language: language == "und" ? nil : language)
    }
}
