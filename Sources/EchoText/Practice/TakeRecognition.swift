/// Recognizes takes, one at a time; the recognizer stays loaded for a while after each.
actor TakeRecognition {
    /// How long a recognizer that nobody needs stays ready.
    static let idleTimeout = Duration.seconds(60)
    /// The silence added around the speech, in seconds.
    private static let stillness = 0.3

    private struct Key: Hashable {
        let recognizer: Recognizer.ID
        let language: String?
    }

    private let tools: TranscriptionTools
    private let clock: any Clock<Duration>
    private let turn = PrioritySemaphore(permits: 1)
    private var ready: (key: Key, session: any RecognitionSession)?
    private var idle: Task<Void, Never>?

    init(with tools: TranscriptionTools, clock: any Clock<Duration> = ContinuousClock()) {
        self.tools = tools
        self.clock = clock
    }

    /// Transcribes a take.
    ///
    /// - Parameters:
    ///   - take: Its sound.
    ///   - text: The expected text.
    ///   - recognizer: The recognizer.
    ///   - language: BCP 47.
    /// - Returns: The words with their times in the take; empty without speech.
    /// - Throws: ``RecognitionError``, what converting throws, `CancellationError`.
    func recognize(
        _ take: AudioClip,
        of text: String,
        by recognizer: Recognizer,
        in language: String
    ) async throws -> RecognizedSpeech {
        try await turn.pass { _ in
            idle?.cancel()
            defer { waitForMore() }
            let sound = try await converted(take)
            guard let spoken = try await stretch(of: sound) else { return RecognizedSpeech(text: "") }
            let isTold = recognizer.takesLanguage && language != "und"
            let session = try await session(Key(recognizer: recognizer.id, language: isTold ? language : nil))
            // A recognizer is believed to repeat itself only where the text does not.
            let repeats = RepetitionCheck.start(in: text.split(whereSeparator: \.isWhitespace)) != nil
            return try await recognize(sound, spoken, by: session, cutting: !repeats)
        }
    }

    /// Closes the recognizer.
    func close() async {
        idle?.cancel()
        guard let session = ready?.session else { return }
        ready = nil
        await session.close()
    }

    private func recognize(
        _ sound: AudioClip,
        _ spoken: Range<Int>,
        by session: any RecognitionSession,
        cutting cutsRepetitions: Bool
    ) async throws -> RecognizedSpeech {
        let still = [Float](repeating: 0, count: Int(Self.stillness * Double(sound.sampleRate)))
        var recognized = RecognizedSpeech(text: "")
        var rest = sound.samples[spoken]
        while !rest.isEmpty {
            let piece = rest.prefix(upTo: SpeechCheck.place(toCut: rest, at: sound.sampleRate))
            rest = rest.dropFirst(piece.count)
            let clip = AudioClip(samples: still + piece + still, sampleRate: sound.sampleRate)
            let start = Double(piece.startIndex) / Double(sound.sampleRate)
            let end = Double(piece.endIndex) / Double(sound.sampleRate)
            var speech = try await session.recognize(clip)
            if cutsRepetitions { speech = speech.cut() }
            speech.words = speech.words.map { word in
                var word = word
                word.start = min(max(word.start - Self.stillness + start, start), end)
                word.end = min(max(word.end - Self.stillness + start, word.start), end)
                return word
            }
            recognized = recognized.followed(by: speech, after: 0)
        }
        return recognized
    }

    private func converted(_ clip: AudioClip) async throws -> AudioClip {
        guard clip.sampleRate != RecognitionClip.sampleRate else { return clip }
        return try await tools.conversion(clip.sampleRate, RecognitionClip.sampleRate).convert(clip, isLast: true)
    }

    /// The range from the first to the last speech in a sound, with a margin; `nil` without speech.
    private func stretch(of sound: AudioClip) async throws -> Range<Int>? {
        let detector = try await tools.detector.open()
        let windows = try await detector.closing { try await detector.detect(sound) }
        guard let first = windows.firstIndex(where: \.isSpeech), let last = windows.lastIndex(where: \.isSpeech) else {
            return nil
        }
        let margin = Int(Self.stillness * Double(sound.sampleRate))
        let start = max(0, first * VoiceWindow.samples - margin)
        return start..<min(sound.samples.count, (last + 1) * VoiceWindow.samples + margin)
    }

    private func session(_ key: Key) async throws -> any RecognitionSession {
        if let ready, ready.key == key { return ready.session }
        await close()
        let session = try await tools.recognizer.open(
            key.recognizer,
            RecognitionSettings(language: key.language)
        )
        ready = (key, session)
        return session
    }

    private func waitForMore() {
        idle = Task {
            do {
                try await clock.sleep(for: Self.idleTimeout)
                try await turn.pass { _ in await close() }
            } catch {
                // Another take has come, or the library is closed.
            }
        }
    }
}
