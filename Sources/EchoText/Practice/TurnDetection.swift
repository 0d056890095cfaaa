/// Detects by a model when the person of a practice session has spoken and fallen silent.
///
/// The sound is only analyzed, and dropped with the call that brought it. The detector stays started for a while after
/// each call.
actor TurnDetection {
    /// How long a detector that nobody needs stays started.
    static let idleTimeout = Duration.seconds(120)

    private struct Turn {
        let token: PracticeSession.Token
        /// In hertz.
        let sampleRate: Int
        let conversion: (any RateConversion)?
        var spoken = SpokenTurn()
    }

    private let tools: TranscriptionTools
    private let clock: any Clock<Duration>
    private let semaphore = PrioritySemaphore(permits: 1)
    private var started: (any VoiceActivitySession)?
    private var turn: Turn?
    private var idle: Task<Void, Never>?
    private var isClosed = false

    init(with tools: TranscriptionTools, clock: any Clock<Duration> = ContinuousClock()) {
        self.tools = tools
        self.clock = clock
    }

    /// Analyzes the next piece of a turn.
    ///
    /// - Parameters:
    ///   - clip: The piece; `nil` to start the detector ahead.
    ///   - token: The pause of the turn; another token begins another turn.
    /// - Returns: The turn so far; `nil` without a detector that a model decides for, or when it fails.
    /// - Throws: `CancellationError`.
    func detect(_ clip: AudioClip?, in token: PracticeSession.Token) async throws -> SpokenTurn? {
        guard tools.detector.isTrained else { return nil }
        return try await semaphore.pass { _ -> SpokenTurn? in
            idle?.cancel()
            do {
                let spoken = try await analyze(clip, in: token)
                waitForMore()
                return spoken
            } catch let error as CancellationError {
                waitForMore()
                throw error
            } catch {
                // Loudness decides then, and a later call may start another one.
                await end()
                return nil
            }
        }
    }

    /// Ends the detector, and starts none any more.
    func close() async {
        isClosed = true
        idle?.cancel()
        await end()
    }

    private func analyze(_ clip: AudioClip?, in token: PracticeSession.Token) async throws -> SpokenTurn {
        let session = try await session()
        guard let clip, !clip.samples.isEmpty else { return SpokenTurn() }
        var turn = try begun(token, at: clip.sampleRate)
        let sound = try await turn.conversion?.convert(clip, isLast: false) ?? clip
        turn.spoken.add(try await session.detect(sound))
        self.turn = turn
        return turn.spoken
    }

    private func begun(_ token: PracticeSession.Token, at rate: Int) throws -> Turn {
        if let turn, turn.token == token, turn.sampleRate == rate { return turn }
        let isAsWanted = rate == RecognitionClip.sampleRate
        return Turn(
            token: token,
            sampleRate: rate,
            conversion: isAsWanted ? nil : try tools.conversion(rate, RecognitionClip.sampleRate)
        )
    }

    private func session() async throws -> any VoiceActivitySession {
        if let started { return started }
        guard !isClosed else { throw RecognitionError.cannotStart }
        let session = try await tools.detector.open()
        guard !isClosed else {
            await session.close()
            throw RecognitionError.cannotStart
        }
        started = session
        return session
    }

    private func end() async {
        let ending = started
        (started, turn) = (nil, nil)
        await ending?.close()
    }

    private func waitForMore() {
        idle = Task {
            do {
                try await clock.sleep(for: Self.idleTimeout)
                try await semaphore.pass { _ in await end() }
            } catch {
                // Another piece has come, or the session is closed.
            }
        }
    }
}
