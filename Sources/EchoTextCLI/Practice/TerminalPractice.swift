import AudioFiles
import EchoText
import Foundation

/// Runs a practice session at the terminal: plays, waits, records, and handles keys.
actor TerminalPractice {
    private enum Input: Sendable {
        case event(PracticeEvent)
        case key(PlayerKey)
        /// The loudspeaker or microphone of a sound or pause was disconnected; `words` say so.
        case deviceLost(PracticeSession.Token, words: String)
        case failure(any Error)
    }

    /// A sound or a pause that is running or suspended.
    private struct Doing {
        let token: PracticeSession.Token
        let segment: Int
        let repetition: Int
        /// The rate at which the segment is heard, or was heard before the pause.
        let rate: Double
        /// The pause after a sound, in lengths of the sound; `nil` for none, infinite if it waits for the speaker.
        var factor: Double?
        var isPause = false
        var task: Task<Void, Never>?
        /// The length of the whole pause, in seconds; `nil` for a sound, and for a pause that waits for the speaker.
        var length: Double?
        var playback: SegmentPlayback?
        var capture: TakeCapture?
    }

    /// The last complete take, to be heard beside what the voice said.
    private struct Latest {
        /// The pause in which it was recorded.
        let token: PracticeSession.Token
        let segment: Int
        let rate: Double
        let sound: AudioClip
        /// The words of its score; empty until it is scored.
        var words: [TakeScore.Word] = []

        /// The take at the sample rate of the voice.
        ///
        /// A stream of another rate would have to be replaced for the next segment, which would wait for that.
        func take(at rate: Int) async throws -> AudioClip {
            guard sound.sampleRate != rate else { return sound }
            return try await SampleRateConversion(from: sound.sampleRate, to: rate).convert(sound, isLast: true)
        }

        /// The take and `model` at once, each word with the same one of the model, and what that is called.
        func mixed(with model: AudioClip) async throws -> (String, AudioClip) {
            let alignment = TakeAlignment(of: words, seconds: sound.seconds)
            let recorded = try await take(at: model.sampleRate)
            let name = alignment.isByWords ? "word by word" : "from the beginning"
            return ("the voice and you at once, \(name)", alignment.mix(model, with: recorded))
        }
    }

    /// The microphone that records the pauses.
    struct Microphone: Sendable {
        let devices: any CaptureDevices
        /// A device that ``Microphones`` lists; `nil` for the default one.
        let device: String?
    }

    /// How many seconds a recording may continue after its pause.
    private static let delay = 0.5
    /// How much one key press changes the rate.
    private static let rateStep = 0.05

    private let sessions: PracticeSessions
    /// Returns the voices that can speak at the moment.
    private let voices: @Sendable () async -> [Voice]
    private let loudspeaker: SessionLoudspeaker
    private let microphone: Microphone?
    private let listener: TurnListener
    private let line: PracticeLine
    private let keys: any PracticeKeys
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation
    private var id = PracticeRecord.ID()
    private var doing: Doing?
    /// The last part that is played; the next one begins when it has ended.
    private var sounding: Task<Void, any Error>?
    private var hasKeys = false
    private var scorings: [Task<Void, Never>] = []
    private var latest: Latest?
    private var comparing: Task<Void, Never>?
    /// The parts of segments that were named because they could not be spoken.
    private var unspoken: Set<String> = []
    /// The number of a segment as far as it is typed.
    private var typed: Int?

    init(
        _ sessions: PracticeSessions,
        voices: @escaping @Sendable () async -> [Voice],
        output: any PlaybackOutput,
        microphone: Microphone?,
        listener: TurnListener,
        line: PracticeLine,
        keys: any PracticeKeys = TerminalKeys(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.sessions = sessions
        self.voices = voices
        loudspeaker = SessionLoudspeaker(output, clock: clock)
        self.microphone = microphone
        self.listener = listener
        self.line = line
        self.keys = keys
        self.clock = clock
        elapsed = clock.stopwatch()
        (inputs, input) = AsyncStream.makeStream()
    }

    /// Runs the session until the text or the person ends it, or, without keys, until a device is lost.
    ///
    /// It is recorded when there is a microphone. Whether it is on the page remains as it was: the page asks.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - changes: Settings to change first, also for later sessions; only this one's takes are discarded.
    /// - Returns: The session as stored.
    /// - Throws: Errors of synthesis and the library; ``CaptureError`` when there is no microphone to begin with;
    ///   `CancellationError` after an interruption, which leaves the session stored.
    func run(_ id: PracticeRecord.ID, changes: PracticeSettings.Changes?) async throws -> PracticeRecord {
        self.id = id
        if let changes {
            var (lasting, passing) = (changes, PracticeSettings.Changes())
            (lasting.keepsTakes, passing.keepsTakes) = (nil, changes.keepsTakes)
            _ = try await handle(.change(lasting))
            _ = try await handle(.change(passing, isKept: false))
        }
        try await findLoudspeaker()
        hasKeys = keys.begin()
        let reading = hasKeys ? Task { try await readKeys() } : nil
        defer {
            reading?.cancel()
            keys.end()
        }
        do {
            _ = try await handle(.record(microphone != nil))
            try await practise()
        } catch {
            await leave()
            throw error
        }
        await endPlayback()
        await leave()
        return try await sessions.session(id)
    }

    private func findLoudspeaker() async throws {
        try await loudspeaker.find()
        guard await loudspeaker.isSilent else { return }
        await line.note("there is no loudspeaker: read each part while it would be heard")
    }

    private func practise() async throws {
        if try await handle(.event(.begin)) { return }
        for await input in inputs {
            switch input {
            case .event(let event): if try await handle(.event(event)) { return }
            case .key(.quit):
                _ = try await handle(.event(.pause))
                return
            case .key(let key): if try await obey(key) { return }
            case .deviceLost(let token, let words): if try await pause(token, words) { return }
            case .failure(let error): throw error
            }
        }
        try Task.checkCancellation()
    }

    private func readKeys() async throws {
        while let pressed = try await keys.next() {
            for key in pressed { input.yield(.key(key)) }
        }
    }

    /// Lets the end of the last segment be heard.
    private func endPlayback() async {
        await endComparing()
        do {
            _ = await sounding?.result
            try await loudspeaker.finish()
        } catch is CancellationError {
            // It was interrupted.
        } catch {
            await line.note(Failure(error).message)
        }
    }

    /// Ends playback and recording, and waits for pending scores.
    private func leave() async {
        doing?.task?.cancel()
        await endComparing()
        await stop()
        await line.clear()
        if let doing, doing.capture?.hasSound == true {
            await line.note("the take of part \(doing.segment) is not kept: practice ended before your turn was over")
        }
        await loudspeaker.release()
        await listener.close()
        for scoring in scorings { await scoring.value }
        // In a task of its own, since an interruption cancels this one. Nothing of it is stored, so it may fail.
        _ = await Task { try? await handle(.record(nil)) }.value
    }

    // MARK: - Events

    /// - Returns: Whether the event ended the session.
    private func handle(_ kind: PracticeSessions.TimedEvent.Kind) async throws -> Bool {
        let event = PracticeSessions.TimedEvent(kind, at: elapsed())
        let outcome = try await sessions.handle([event], in: id, voices: await voices())
        for action in outcome.actions { try await perform(action, outcome.practice.session) }
        return outcome.practice.isFinished
    }

    /// Pauses a sound or pause whose device was disconnected.
    ///
    /// - Returns: Whether the command ends: without keys nobody could resume.
    private func pause(_ token: PracticeSession.Token, _ words: String) async throws -> Bool {
        guard doing?.token == token else { return false }
        await line.note(words)
        if try await handle(.event(.interrupt(.deviceLost))) { return true }
        await line.showPause()
        return !hasKeys
    }

    private func obey(_ key: PlayerKey) async throws -> Bool {
        let kept = try await sessions.session(id)
        let session = kept.session
        let number = typed
        typed = nil
        await endComparing()
        switch key {
        case .compare, .align:
            guard let latest else {
                await line.note("nothing is recorded yet")
                if case .paused = session.phase { await line.showPause() }
                return false
            }
            if try await handle(.event(.pause)) { return true }
            compare(latest, isAtOnce: key == .align)
        case .digit(let digit):
            // No text has more segments than numbers of eight digits count.
            let next = (number ?? 0) * 10 + digit
            typed = next < 100_000_000 ? next : number
        case .enter:
            guard let number else { return false }
            do {
                return try await move(.jump(number), in: session)
            } catch PracticeError.noSuchSegment(let missing) {
                await line.note("there is no part \(missing)")
                if case .paused = session.phase { await line.showPause() }
            }
        case .mark:
            try await toggleMark(session.position.segment, in: kept.language)
            if case .paused = session.phase { await line.showPause() }
        case .pause:
            if case .paused = session.phase { return try await handle(.event(.resume)) }
            return try await handle(.event(.pause))
        case .next, .forward: return try await move(.next, in: session)
        case .previous, .back: return try await move(.previous, in: session)
        case .again: return try await move(.jump(session.position.segment), in: session)
        case .faster, .slower:
            let step = key == .faster ? Self.rateStep : -Self.rateStep
            let rates = PracticeSettings.rates
            let rate = min(max(session.settings.rate + step, rates.lowerBound), rates.upperBound)
            var changes = PracticeSettings.Changes()
            changes.rate = rate
            if try await handle(.change(changes)) { return true }
            await line.note("the rate is \(String(format: "%.2f", rate))")
            if case .paused = session.phase { await line.showPause() }
        case .suspend:
            let isEnd = try await handle(.event(.pause))
            TerminalMode.suspend()
            return isEnd
        case .quit: break
        }
        return false
    }

    /// Moves to a segment, which is shown too where the session was paused and stays so.
    private func move(_ event: PracticeEvent, in session: PracticeSession) async throws -> Bool {
        if try await handle(.event(event)) { return true }
        if case .paused = session.phase { try await showWhereItIs() }
        return false
    }

    /// Shows the segment of a paused session, which a move may have changed.
    private func showWhereItIs() async throws {
        let session = try await sessions.session(id).session
        guard let segment = try await segments(session.position.segment) else { return }
        await line.show(segment, at: session.position, session.settings)
        await line.showPause()
    }

    /// Plays what the voice said, and then the take, or both at once, while the session is paused.
    private func compare(_ latest: Latest, isAtOnce: Bool) {
        let (input, sessions, id, voices, line) = (input, sessions, id, voices, line)
        let loudspeaker = loudspeaker
        comparing = Task {
            do {
                let now = await voices()
                let model = try await sessions.sound(of: latest.segment, rate: latest.rate, in: id, voices: now).clip
                let sounds: [(String, AudioClip)] =
                    isAtOnce
                    ? [try await latest.mixed(with: model)]
                    : [("the voice", model), ("you", try await latest.take(at: model.sampleRate))]
                for (name, sound) in sounds {
                    await line.note("part \(latest.segment): \(name)")
                    try await SegmentPlayback(on: loudspeaker).play(sound)
                    try await loudspeaker.finish()
                }
                await line.showPause()
            } catch is CancellationError {
                // A key ended it.
            } catch let error as AudioFileError {
                await line.note(Failure(error).message)
                await line.showPause()
            } catch {
                input.yield(.failure(error))
            }
        }
    }

    private func endComparing() async {
        guard let ending = comparing else { return }
        comparing = nil
        ending.cancel()
        await ending.value
        await loudspeaker.release()
    }

    private func keep(_ words: [TakeScore.Word], for token: PracticeSession.Token) {
        if latest?.token == token { latest?.words = words }
    }

    /// Marks a segment as hard, or removes the mark.
    private func toggleMark(_ number: Int, in language: String) async throws {
        guard let segment = try await segments(number) else { return }
        let digest = HardSegment.digest(of: segment.text, language: language)
        let isHard = try await !sessions.hardDigests().contains(digest)
        try await sessions.mark(number, isHard: isHard, in: id, voices: await voices())
        await line.note("part \(number) \(isHard ? "is marked as hard" : "is no longer marked as hard")")
    }

    private func perform(_ action: PracticeAction, _ session: PracticeSession) async throws {
        switch action {
        case .play(let token, let segment, let rate):
            if let shown = try await segments(segment) {
                await line.show(shown, at: session.position, session.settings)
            }
            doing = Doing(
                token: token,
                segment: segment,
                repetition: session.position.repetition,
                rate: rate,
                factor: Self.factor(of: session)
            )
            if microphone != nil, session.settings.echo == .wait { await listener.prepare() }
            play()
        case .suspendPlayback, .suspendEcho:
            await stop()
            // A pause may be long: others may have the loudspeaker meanwhile.
            await loudspeaker.release()
            await line.showPause()
        case .resumePlayback:
            await line.clear()
            play()
        case .stopPlayback: doing?.task?.cancel()
        case .startEcho(let token, let segment, let seconds, let longest):
            doing = Doing(
                token: token,
                segment: segment,
                repetition: session.position.repetition,
                rate: doing?.rate ?? session.rate,
                isPause: true,
                length: seconds
            )
            // Only a pause without a length of its own waits for the person.
            let listener = seconds == nil ? listener : nil
            let line = line
            doing?.capture = microphone.map { microphone in
                TakeCapture(from: microphone.devices, device: microphone.device, listener: listener) {
                    await line.take($0, of: segment)
                }
            }
            echo(longest)
        case .resumeEcho(_, let remaining):
            echo(remaining)
        case .stopEcho(_, let keepsTake): await endEcho(keepsTake: keepsTake)
        case .prepare, .signal: break
        case .summarize: await line.clear()
        }
    }

    /// The pause after the present segment, in lengths of the segment, as `Doing` has it.
    private static func factor(of session: PracticeSession) -> Double? {
        guard !session.isWithoutEcho else { return nil }
        return session.settings.echo == .wait ? .infinity : session.settings.factor
    }

    private func segments(_ number: Int) async throws -> PracticeSegment? {
        try await sessions.segments(of: id, from: number, count: 1, voices: await voices()).segments.first
    }

    // MARK: - Sounds and pauses

    private func play() {
        guard let doing else { return }
        let (input, sessions, id, voices, loudspeaker) = (input, sessions, id, voices, loudspeaker)
        let playback = doing.playback ?? SegmentPlayback(on: loudspeaker)
        self.doing?.playback = playback
        self.doing?.task = Task {
            do {
                // It is heard while the voice still speaks the rest of it.
                let sound = try await sessions.sound(
                    of: doing.segment,
                    rate: doing.rate,
                    in: id,
                    voices: await voices()
                ) { part, start in
                    try await self.useLoudspeaker { try await playback.play(part, from: start) }
                }
                await self.nameUnspoken(of: sound)
                // Where no turn follows, the next segment is asked for while the end of this one is still to be heard.
                if let pause = doing.factor.map({ $0 * sound.seconds }) {
                    try await self.useLoudspeaker { try await loudspeaker.settle(within: pause) }
                }
                input.yield(.event(.playbackFinished(doing.token, seconds: sound.seconds)))
            } catch is CancellationError {
                // It was stopped.
            } catch let error as AudioFileError {
                input.yield(.deviceLost(doing.token, words: Failure(error).message))
            } catch {
                input.yield(.failure(error))
            }
        }
    }

    /// Names what the voice could not speak of a segment, each part once.
    private func nameUnspoken(of sound: SegmentSound) async {
        for part in sound.unspoken where unspoken.insert(part).inserted {
            await line.note(warning(ofUnspoken: "“\(part)”"))
        }
    }

    /// Plays something when the playback before has let go of the loudspeaker.
    ///
    /// - Throws: `CancellationError` when it is stopped, ``AudioFileError``.
    private func useLoudspeaker(_ play: @escaping @Sendable () async throws -> Void) async throws {
        try Task.checkCancellation()
        let earlier = sounding
        let playing = Task {
            _ = await earlier?.result
            try await play()
        }
        sounding = playing
        try await withTaskCancellationHandler {
            try await playing.value
        } onCancel: {
            playing.cancel()
        }
    }

    /// Stops the sound or pause, and returns when it has let go of the loudspeaker and the microphone.
    private func stop() async {
        doing?.task?.cancel()
        if doing?.isPause == true { await doing?.task?.value }
        // A voice that is still speaking the segment has nothing to let go of, and may take long.
        _ = await sounding?.result
    }

    /// Waits for the person, and records.
    ///
    /// - Parameter seconds: The longest wait from now.
    private func echo(_ seconds: Double) {
        guard let doing else { return }
        let (input, line, timer, hasKeys) = (input, line, TurnTimer(clock: clock), hasKeys)
        let loudspeaker = loudspeaker
        let length = doing.length
        let passed = length.map { max(0, $0 - seconds) } ?? 0
        // A microphone that never worked is an error, rather than a loss.
        let hasRecorded = !scorings.isEmpty || doing.capture?.hasSound == true
        // Without a microphone the person presses a key when done.
        let limit = length != nil || doing.capture != nil || !hasKeys ? seconds : nil
        self.doing?.task = Task {
            await withTaskGroup { group in
                if let capture = doing.capture {
                    group.addTask {
                        do {
                            let end = try await Self.record(capture, longest: seconds + Self.delay, markedOn: line) {
                                input.yield(.event(.silenceHeard(doing.token)))
                            }
                            guard end == .deviceGone else { return }
                            input.yield(.deviceLost(doing.token, words: "the microphone is gone"))
                        } catch let error as CaptureError where hasRecorded {
                            input.yield(.deviceLost(doing.token, words: Failure(error).message))
                        } catch {
                            input.yield(.failure(error))
                        }
                    }
                }
                group.addTask {
                    do {
                        try await withThrowingTaskGroup(of: Void.self) { turn in
                            turn.addTask {
                                try await timer.run(limit) { elapsed in
                                    await line.showEcho(passed + elapsed, of: length)
                                }
                            }
                            // Silence that is waiting to be heard would hold up a turn's end that nobody foresees.
                            if length != nil { turn.addTask { try await loudspeaker.rest(for: seconds) } }
                            for try await _ in turn {}
                        }
                        input.yield(.event(.echoElapsed(doing.token)))
                    } catch let error as AudioFileError {
                        input.yield(.deviceLost(doing.token, words: Failure(error).message))
                    } catch {
                        // The person paused it or moved on.
                    }
                }
            }
        }
    }

    /// Records with a mark that is there before the microphone is opened, and until it is closed.
    private static func record(
        _ capture: TakeCapture,
        longest: Double,
        markedOn line: PracticeLine,
        silent: @escaping @Sendable () -> Void
    ) async throws -> SoundCapture.End {
        await line.beginRecording()
        do {
            let end = try await capture.run(longest: longest, silent: silent)
            await line.endRecording()
            return end
        } catch {
            await line.endRecording()
            throw error
        }
    }

    /// Ends a pause, and has its take scored while practice continues.
    private func endEcho(keepsTake: Bool) async {
        guard let doing else { return }
        self.doing?.capture = nil
        doing.task?.cancel()
        await doing.task?.value
        await line.clear()
        guard keepsTake, let sound = doing.capture?.file else { return }
        latest = doing.capture?.clip.map {
            Latest(token: doing.token, segment: doing.segment, rate: doing.rate, sound: $0)
        }
        let (sessions, id, voices, line) = (sessions, id, voices, line)
        let segment = try? await segments(doing.segment)
        scorings.append(
            Task {
                let take: PracticeTake
                do {
                    take = try await sessions.addTake(
                        sound,
                        of: doing.segment,
                        repetition: doing.repetition,
                        rate: doing.rate,
                        in: id,
                        voices: await voices()
                    )
                } catch {
                    return await line.note("the take of part \(doing.segment) is not kept: \(Self.words(for: error))")
                }
                do {
                    let score = try await sessions.score(take.id, voices: await voices())
                    self.keep(score.words, for: doing.token)
                    if let segment { await line.show(score, of: segment) }
                } catch {
                    await line.note("the take of part \(doing.segment) is not scored: \(Self.words(for: error))")
                }
            }
        )
    }

    /// An error's message, and what a person may do about it.
    private static func words(for error: any Error) -> String {
        let failure = Failure(error)
        return [failure.message, failure.inTerminal.suggestion].compactMap(\.self).joined(separator: " ")
    }
}
