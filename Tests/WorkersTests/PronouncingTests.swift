import EchoText
import EchoTextTesting
import Glibc
import Logging
import Testing

@testable import Workers

@Suite("The worker of the rule-based engine", .endsInTime)
struct PronouncingTests {
    private let voice = Voice.ID(rawValue: "espeak/xx")

    private func pool(
        _ launch: WorkerLaunch = .fixture,
        in isolation: WorkerIsolation = .none,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> EngineWorkerPool {
        EngineWorkerPool(launch, isolation: isolation, clock: clock, logger: .quiet)
    }

    @Test("says who can speak, pronounces and speaks", arguments: WorkerIsolation.available)
    func speaks(isolation: WorkerIsolation) async throws {
        let pool = pool(in: isolation)
        #expect(try await pool.introduction().voices.map(\.id) == [voice])
        #expect(try await pool.phonemes(of: ["a b", "", "a", "b"], in: "xx") == ["A B", "", "A", "B"])
        let long = String(repeating: "long ", count: 100)
        let speech = try await pool.speech(of: SpokenText(written: long, at: 7), by: voice, prosody: .natural)
        #expect(speech.samples == Array(repeating: 8_192, count: 800_000) && speech.sampleRate == 16_000)
        #expect(speech.marks == [.init(source: 7..<507, samples: 0..<800_000, precision: .exact)])
        let variant = Voice.ID(rawValue: "espeak/xx+f3")
        _ = try await pool.speech(of: SpokenText(written: "a"), by: variant, prosody: .natural)
        let stranger = Voice.ID(rawValue: "espeak/yy")
        await #expect(throws: SynthesisError.voiceNotInstalled(stranger)) {
            try await pool.speech(of: SpokenText(written: "a"), by: stranger, prosody: .natural)
        }
        await pool.endAll()
    }

    @Test("takes one request with it when it dies, and is started again", arguments: WorkerIsolation.available)
    func dies(isolation: WorkerIsolation) async throws {
        let pool = pool(in: isolation)
        let first = try await pool.introduction().version
        await #expect(throws: SynthesisError.engineDied(.espeakNG)) {
            try await pool.phonemes(of: ["fine", "crash"], in: "xx")
        }
        await #expect(throws: SynthesisError.engineDied(.espeakNG)) {
            try await pool.speech(of: SpokenText(written: "crash"), by: voice, prosody: .natural)
        }
        #expect(try await pool.phonemes(of: ["fine"], in: "xx") == ["FINE"])
        // In a sandbox the first process has the same number every time.
        if case .open = isolation.mode { #expect(try await pool.introduction().version != first) }
        await pool.endAll()
    }

    @Test("takes none of the others with it that are under way")
    func takesNoneOthers() async throws {
        let pool = pool()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    if number.isMultiple(of: 8) {
                        await #expect(throws: SynthesisError.engineDied(.espeakNG)) {
                            try await pool.phonemes(of: ["crash"], in: "xx")
                        }
                    } else {
                        let phonemes = try await pool.phonemes(of: ["text \(number)"], in: "xx")
                        #expect(phonemes == ["TEXT \(number)"])
                    }
                }
            }
            try await group.waitForAll()
        }
        await pool.endAll()
    }

    @Test("is asked once more what it died over")
    func askedOnceMore() async throws {
        let room = try TemporaryVoice()
        let pool = pool()
        #expect(try await pool.phonemes(of: ["crash-once \(room.folder.path)"], in: "xx").count == 1)
        await pool.endAll()
    }

    @Test("hands on what the engine throws, and lives")
    func handsOnEngine() async throws {
        let pool = pool()
        let before = try await pool.introduction().version
        await #expect(throws: SynthesisError.engineFailed(.espeakNG, status: 5)) {
            try await pool.phonemes(of: ["refuse"], in: "xx")
        }
        #expect(try await pool.introduction().version == before)
        await pool.endAll()
    }

    @Test("is ended when it hangs, and what it was busy with is named")
    func endedWhenHangs() async throws {
        let (clock, room) = (ManualClock(), try TemporaryVoice())
        let pool = pool(clock: clock)
        _ = try await pool.introduction()
        let hanging = Task { try await pool.phonemes(of: ["hang \(room.folder.path)"], in: "xx") }
        let end = Latch()
        Task {
            _ = await hanging.result
            end.set()
        }
        try await waitUntil("the worker hangs", while: !end.isSet) {
            access("\(room.folder.path)/hanging", F_OK) == 0
        }
        // Its last report may still be on its way, and restarts the timeout: time passes in small steps until then.
        try await waitUntil("the worker is ended") {
            clock.advance(by: .milliseconds(500))
            return end.isSet
        }
        await #expect(throws: SynthesisError.timedOut(.espeakNG, phase: .phonemizing, seconds: 60)) {
            try await hanging.value
        }
        #expect(try await pool.phonemes(of: ["fine"], in: "xx") == ["FINE"])
        await pool.endAll()
    }

    @Test("that reports words which are not in the phrase is not believed")
    func tellsWordsWhich() async throws {
        let pool = pool()
        await #expect(throws: WorkerError.protocolViolation) {
            try await pool.speech(of: SpokenText(written: "elsewhere"), by: voice, prosody: .natural)
        }
        await pool.endAll()
    }

    @Test("is not sent what is too long for it")
    func notSentToo() async throws {
        let pool = pool()
        await #expect(throws: SynthesisError.engineFailed(.espeakNG, status: nil)) {
            try await pool.phonemes(of: [String(repeating: "a", count: 100_000)], in: "xx")
        }
        #expect(try await pool.phonemes(of: ["fine"], in: "xx") == ["FINE"])
        await pool.endAll()
    }

    @Test("is let go of when nobody has used it for a while")
    func letGoWhen() async throws {
        let clock = ManualClock()
        let pool = pool(clock: clock)
        _ = try await pool.phonemes(of: ["fine"], in: "xx")
        let worker = try #require(await pool.pronouncer.worker?.worker)
        let passing = clock.run()
        await worker.waitForExit()
        passing.cancel()
        #expect(await pool.pronouncer.worker == nil)
        await pool.endAll()
    }

    @Test("gives up what is cancelled, and continues")
    func givesUpCancelled() async throws {
        let pool = pool()
        _ = try await pool.introduction()
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.phonemes(of: ["a"], in: "xx")
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await pool.phonemes(of: ["fine"], in: "xx") == ["FINE"])
        await pool.endAll()
    }
}
