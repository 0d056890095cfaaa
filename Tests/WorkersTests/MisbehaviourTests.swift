import EchoText
import EchoTextTesting
import Glibc
import Logging
import Testing

@testable import Workers

@Suite("Misbehaving workers", .endsInTime)
struct MisbehaviourTests {
    @Test("that end themselves over a voice mean a bad model", arguments: WorkerIsolation.available)
    func exitOnOpen(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice(named: "exit")
        let worker = try await EngineWorker.fixture(in: isolation)
        await #expect(throws: VoiceFolderError.badModel("exit.onnx")) { try await worker.open(voice.folder, lanes: 1) }
        await worker.waitForExit()
        #expect(worker.fault == .died(.exited(255), hasGreeted: true))
    }

    @Test("that crash over a voice say by which signal", arguments: WorkerIsolation.available)
    func crashOnOpen(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice(named: "crash")
        let worker = try await EngineWorker.fixture(in: isolation)
        await #expect(throws: WorkerError.died(signal: SIGSEGV)) { try await worker.open(voice.folder, lanes: 1) }
        await worker.waitForExit()
    }

    static let deaths: [(String, WorkerError)] = [
        ("crash", .died(signal: SIGSEGV)), ("kill", .died(signal: SIGKILL)), ("bloat", .died(signal: SIGABRT)),
        ("spin", .died(signal: SIGXCPU)), ("exit 0", .died(signal: nil)), ("exit 3", .died(signal: nil)),
    ]

    @Test("that die at their work fail what they were asked", arguments: deaths, WorkerIsolation.available)
    func dying(_ death: (words: String, error: WorkerError), in isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        var launch = WorkerLaunch.fixture
        launch.limits.memory = 1 << 30
        launch.limits.processorSeconds = 2
        let worker = try await EngineWorker.fixture(launch, in: isolation)
        _ = try await worker.open(voice.folder, lanes: 3)
        let hanging = Task { try await worker.speak(PhonemeRequest("deafen")) }
        await #expect(throws: death.error) { try await worker.speak(PhonemeRequest(death.words)) }
        await #expect(throws: death.error) { try await hanging.value }
        await #expect(throws: death.error, "a dead worker must answer") {
            try await worker.speak(PhonemeRequest("hello"))
        }
        await worker.waitForExit()
    }

    static let nonsense: [(String, WorkerError)] = [
        ("garbage", .protocolViolation), ("giant", .protocolViolation), ("unasked", .protocolViolation),
        ("older", .incompatibleVersion(found: 0, wanted: 1)), ("quit", .cannotStart),
        ("hush", .died(signal: SIGKILL)),
    ]

    @Test("that say what makes no sense, or nothing, are ended", arguments: nonsense)
    func sense(_ nonsense: (argument: String, error: WorkerError)) async throws {
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture(.fixture(nonsense.argument))
        let expected: any Error = nonsense.error
        await #expect { try await worker.open(voice.folder, lanes: 1) } throws: { "\($0)" == "\(expected)" }
        await worker.waitForExit()
    }

    @Test("that cannot be started say so", arguments: WorkerIsolation.available)
    func absent(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        let pool = EngineWorkerPool(
            WorkerLaunch(executable: "/nowhere/echotext"),
            isolation: isolation,
            logger: .quiet
        )
        await #expect(throws: WorkerError.cannotStart) { try await pool.open(voice.folder, lanes: 1) }
    }

    @Test("that hang over a voice are ended when the time is over")
    func hangOverVoice() async throws {
        let clock = ManualClock()
        let voice = try TemporaryVoice(named: "hang")
        let worker = try await EngineWorker.fixture(clock: clock)
        let opening = Task { try await worker.open(voice.folder, lanes: 1) }
        // The progress report at the start may arrive before or after the end of the first sleep.
        let passing = clock.run()
        await #expect(throws: SynthesisError.timedOut(.piper, phase: .loading, seconds: 60)) {
            try await opening.value
        }
        passing.cancel()
        await worker.waitForExit()
        #expect(worker.fault == .unresponsive(.piper, .loading))
    }

    @Test("that hang at their work are ended when the time is over", arguments: ["hang", "deafen"])
    func hang(words: String) async throws {
        let clock = ManualClock()
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture(clock: clock)
        _ = try await worker.open(voice.folder, lanes: 1)
        let speaking = Task { try await worker.speak(PhonemeRequest(words)) }
        let passing = clock.run()
        await #expect(throws: SynthesisError.timedOut(.piper, phase: .synthesizing, seconds: 60)) {
            try await speaking.value
        }
        passing.cancel()
        await worker.waitForExit()
    }

    @Test("that do not let go of what was cancelled are ended after a grace")
    func doNotLet() async throws {
        let clock = ManualClock()
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture(clock: clock)
        _ = try await worker.open(voice.folder, lanes: 2)
        let speaking = Task { try await worker.speak(PhonemeRequest("deafen")) }
        _ = try await worker.speak(PhonemeRequest("after-deafen"))
        speaking.cancel()
        await #expect(throws: CancellationError.self) { try await speaking.value }
        #expect(worker.fault == nil)
        #expect(await clock.endShortestSleep(of: .seconds(2)) == .seconds(2))
        await worker.waitForExit()
        #expect(worker.fault == .ignoredCancellation)
    }

    @Test("that answer quickly are watched by one watchdog at a time")
    func answerQuicklyWatched() async throws {
        let clock = ManualClock()
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture(clock: clock)
        _ = try await worker.open(voice.folder, lanes: 1)
        for _ in 0..<500 { _ = try await worker.speak(PhonemeRequest("hello")) }
        worker.end()
        await worker.waitForExit()
        // A forgotten timeout would sleep on, and end a healthy worker when it wakes.
        while clock.sleeperCount > 0, !Task.isCancelled { await Task.yield() }
        #expect(clock.sleeperCount == 0)
    }

    @Test("that let go of what was cancelled continue")
    func letGoWas() async throws {
        let clock = ManualClock()
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture(clock: clock)
        _ = try await worker.open(voice.folder, lanes: 1)
        let speaking = Task { try await worker.speak(PhonemeRequest(String(repeating: "a", count: 400))) }
        speaking.cancel()
        _ = await speaking.result
        // With one lane, the next answer comes only after the worker has ended the cancelled request.
        _ = try await worker.speak(PhonemeRequest("hello"))
        worker.end()
        await worker.waitForExit()
        #expect(worker.fault == .dismissed)
    }

    @Test("that print do not disturb the conversation")
    func printDoNot() async throws {
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture()
        _ = try await worker.open(voice.folder, lanes: 1)
        #expect(try await !worker.speak(PhonemeRequest("print hello")).isEmpty)
        worker.end()
        await worker.waitForExit()
    }

    @Test("send sound of any length", arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func length(count: Int) async throws {
        let voice = try TemporaryVoice()
        let worker = try await EngineWorker.fixture()
        _ = try await worker.open(voice.folder, lanes: 1)
        #expect(try await worker.speak(PhonemeRequest("long \(count)")) == Array(repeating: 0.25, count: count))
        worker.end()
        await worker.waitForExit()
    }
}

extension EngineWorker {
    static func fixture(
        _ launch: WorkerLaunch = .fixture,
        in isolation: WorkerIsolation = .none,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> EngineWorker {
        try await start(launch, in: isolation, timing: WorkerTiming(), clock: clock, logger: .quiet)
    }
}

extension ManualClock {
    /// A clock whose sleeps end at once.
    func run() -> Task<Void, Never> {
        Task {
            while !Task.isCancelled { await endShortestSleep() }
        }
    }
}
