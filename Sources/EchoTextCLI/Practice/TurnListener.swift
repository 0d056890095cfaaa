import EchoText

/// Detects when a person who repeats a segment has spoken and fallen silent.
///
/// It uses a voice activity detector, so that a door or a passing car does not count as speech, and falls back on
/// loudness and pitch when that fails. One listener serves all turns of a session, so that the detector is started
/// once.
actor TurnListener {
    private var detector: any VoiceActivityDetector
    private var opening: Task<any VoiceActivitySession, any Error>?
    private var turn = SpokenTurn()

    init(_ detector: any VoiceActivityDetector) {
        self.detector = detector
    }

    /// Starts the detector, so that no turn has to wait for it.
    func prepare() { _ = session }

    /// Begins another turn.
    func begin() { turn = SpokenTurn() }

    /// Analyzes the next piece of the turn.
    ///
    /// - Parameter samples: At ``RecognitionClip/sampleRate``.
    /// - Returns: Whether the person has spoken and fallen silent.
    func add(_ samples: [Int16]) async -> Bool {
        let clip = AudioClip(samples: samples.amplitudes(fullScale: .fullScale), sampleRate: RecognitionClip.sampleRate)
        turn.add(await windows(in: clip))
        return turn.isOver
    }

    func close() async {
        let closing = opening
        opening = nil
        if let session = try? await closing?.value { await session.close() }
    }

    private func windows(in clip: AudioClip) async -> [VoiceWindow] {
        do {
            return try await session.value.detect(clip)
        } catch {
            await close()
            detector = EnergyDetector()
            // It throws only in a cancelled task, whose turn has ended.
            return (try? await session.value.detect(clip)) ?? []
        }
    }

    /// The detector's session, opened once.
    private var session: Task<any VoiceActivitySession, any Error> {
        if let opening { return opening }
        let opened = Task { [detector] in try await detector.open() }
        opening = opened
        return opened
    }
}
