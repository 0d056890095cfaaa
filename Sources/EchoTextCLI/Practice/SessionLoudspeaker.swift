import EchoText

/// The loudspeaker of a session: one stream, which stays open from segment to segment.
///
/// Opening a device takes longer than a listener takes for a pause between two sentences. One sound at a time uses it:
/// whoever stops a sound awaits its end before the next one begins.
actor SessionLoudspeaker {
    /// How many seconds are played between two checks for a stop.
    private static let piece = 0.1
    /// How many seconds of the sound that it has taken a ``PlaybackOutput`` may still have to play.
    private static let delay = 0.2

    private let output: any PlaybackOutput
    /// Measures the time of a sound where there is no loudspeaker.
    private let clock: any Clock<Duration>
    /// Whether there is none, so that a sound only takes its time.
    private(set) var isSilent: Bool
    private var stream: (sink: any PlaybackSink, sampleRate: Int)?
    /// The sample rate of the last stream; `nil` before the first one.
    private var sampleRate: Int?
    /// How many samples of silence the stream has been given since the last sound.
    private var silence = 0

    init(
        _ output: any PlaybackOutput,
        isSilent: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.output, self.isSilent, self.clock) = (output, isSilent, clock)
    }

    /// Finds out whether there is a loudspeaker; without one, sounds only take their time from now on.
    ///
    /// - Throws: ``AudioFileError`` of one that does not work.
    func find() async throws {
        do {
            let sink = try await output.open(sampleRate: RecognitionClip.sampleRate)
            await sink.discard()
        } catch AudioFileError.noSoundOutput {
            isSilent = true
        }
    }

    /// Plays `clip` right after what was played before; returns while the last of it may still have to be heard.
    ///
    /// The stream is opened where none is. It falls silent at once when this is stopped, and is closed when it fails.
    /// Without a loudspeaker it waits as long as the sound would last, for a person who reads along.
    ///
    /// - Throws: `CancellationError` when it is stopped, ``AudioFileError``.
    func play(_ clip: AudioClip) async throws {
        guard !isSilent else { return try await clock.sleep(for: .seconds(clip.seconds)) }
        try await append(clip)
        silence = 0
    }

    /// Returns when all that was played has been heard; the stream stays open.
    ///
    /// - Parameter seconds: The length of the pause that follows. If it is shorter than the delay of the device, this
    ///   returns earlier by the difference, so that the pause gets no longer.
    /// - Throws: As ``play(_:)``.
    func settle(within seconds: Double = .infinity) async throws {
        guard let stream else { return }
        // The end of a stream could be awaited only by closing it. Silence of the length of the delay takes as long.
        try await appendSilence(Int(min(Self.delay, seconds) * Double(stream.sampleRate)))
    }

    /// Feeds the stream with the silence of a pause, so that it neither stops nor makes the next sound wait.
    ///
    /// It returns before the pause is over, by the delay of the device: what is played when it is over is heard then.
    ///
    /// - Parameter seconds: The length of the pause, which began when ``settle()`` returned or begins now.
    /// - Throws: As ``play(_:)``.
    func rest(for seconds: Double) async throws {
        guard let sampleRate else { return }
        try await appendSilence(Int((seconds * Double(sampleRate)).rounded()) - silence)
    }

    /// Plays to the end, and closes the stream.
    ///
    /// - Throws: As ``play(_:)``.
    func finish() async throws {
        guard let sink = stream?.sink else { return }
        do {
            try await sink.finish()
        } catch {
            await release()
            throw error
        }
        forget()
    }

    /// Falls silent at once, and closes the stream.
    func release() async {
        let sink = stream?.sink
        forget()
        await sink?.discard()
    }

    private func forget() {
        stream = nil
        silence = 0
    }

    private func appendSilence(_ count: Int) async throws {
        guard let sampleRate else { return }
        let longest = max(1, Int(Self.piece * Double(sampleRate)))
        var left = count
        while left > 0 {
            let length = min(left, longest)
            try await append(AudioClip(samples: [Float](repeating: 0, count: length), sampleRate: sampleRate))
            silence += length
            left -= length
        }
    }

    private func append(_ clip: AudioClip) async throws {
        do {
            try Task.checkCancellation()
            try await open(sampleRate: clip.sampleRate).append(clip)
        } catch is CancellationError {
            silence = 0
            await stream?.sink.flush()
            throw CancellationError()
        } catch {
            await release()
            throw error
        }
    }

    private func open(sampleRate: Int) async throws -> any PlaybackSink {
        if let stream, stream.sampleRate == sampleRate { return stream.sink }
        try await finish()
        let opened = try await output.open(sampleRate: sampleRate)
        stream = (opened, sampleRate)
        self.sampleRate = sampleRate
        return opened
    }

    /// The pieces in which a sound is played, in samples.
    static func pieces(of clip: AudioClip, from start: Int) -> [Range<Int>] {
        let length = max(1, Int(piece * Double(clip.sampleRate)))
        return stride(from: start, to: clip.samples.count, by: length).map {
            $0..<min($0 + length, clip.samples.count)
        }
    }
}

/// Plays one segment, part by part as it is being spoken; playback can be stopped and resumed.
actor SegmentPlayback {
    private let loudspeaker: SessionLoudspeaker
    /// How much of the segment was played, in samples.
    private var position = 0

    init(on loudspeaker: SessionLoudspeaker) {
        self.loudspeaker = loudspeaker
    }

    /// Plays what was not played of a part of the segment; see ``SessionLoudspeaker/play(_:)``.
    ///
    /// - Parameters:
    ///   - part: The segment's sound, or a part of it that follows the one before.
    ///   - start: Where it begins in the segment, in samples.
    /// - Throws: `CancellationError` when it is stopped, ``AudioFileError``.
    func play(_ part: AudioClip, from start: Int = 0) async throws {
        for piece in SessionLoudspeaker.pieces(of: part, from: max(0, position - start)) {
            try await loudspeaker.play(part.part(piece))
            position = start + piece.upperBound
        }
    }
}

extension AudioClip {
    fileprivate func part(_ range: Range<Int>) -> AudioClip {
        AudioClip(samples: Array(samples[range]), sampleRate: sampleRate)
    }
}
