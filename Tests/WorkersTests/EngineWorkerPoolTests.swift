import EchoText
import EchoTextTesting
import Foundation
import Logging
import Testing

@testable import Workers

@Suite("Engine worker pool", .endsInTime)
struct EngineWorkerPoolTests {
    /// Timing without delays between starts.
    private static var hasty: WorkerTiming {
        var timing = WorkerTiming()
        timing.firstBackOff = .zero
        return timing
    }

    private func pool(
        timing: WorkerTiming = hasty,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> EngineWorkerPool {
        EngineWorkerPool(.fixture, isolation: WorkerIsolation.none, timing: timing, clock: clock, logger: .quiet)
    }

    @Test("keeps a worker ready between utterances")
    func keepsWorkerReady() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        let model = try await pool.open(voice.folder, lanes: 1)
        let first = try #require(await pool.readyWorker(of: voice.folder))
        _ = try await model.speak(PhonemeRequest("hello"))
        #expect(await pool.readyWorker(of: voice.folder) === first)
        await pool.endAll()
    }

    @Test("ends a worker that nobody uses")
    func endsWorkerNobody() async throws {
        let clock = ManualClock()
        var timing = WorkerTiming()
        // The watchdog of the opening may not have been cancelled yet.
        timing.responseTimeout = timing.idle * 2
        let (voice, pool) = (try TemporaryVoice(), pool(timing: timing, clock: clock))
        let model = try await pool.open(voice.folder, lanes: 1)
        let worker = try #require(await pool.readyWorker(of: voice.folder))
        #expect(await clock.endShortestSleep(of: timing.idle) == timing.idle)
        await worker.waitForExit()
        #expect(await pool.readyWorker(of: voice.folder) == nil)
        #expect(try await !model.speak(PhonemeRequest("hello")).samples.isEmpty, "the model must outlive its worker")
        await pool.endAll()
    }

    @Test("keeps so many ready, and ends the longest unused")
    func keepsSoMany() async throws {
        let pool = pool()
        let voices = try (0..<3).map { _ in try TemporaryVoice() }
        _ = try await pool.open(voices[0].folder, lanes: 1)
        let first = try await pool.open(voices[1].folder, lanes: 1)
        let unused = try #require(await pool.readyWorker(of: voices[0].folder))
        _ = try await first.speak(PhonemeRequest("hello"))
        _ = try await pool.open(voices[2].folder, lanes: 1)
        await unused.waitForExit()
        #expect(await pool.readyWorker(of: voices[0].folder) == nil)
        #expect(await pool.readyWorker(of: voices[1].folder) != nil)
        #expect(await pool.readyWorker(of: voices[2].folder) != nil)
        await pool.endAll()
    }

    @Test("asks once more when a worker dies over a request")
    func asksOnceMore() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        let model = try await pool.open(voice.folder, lanes: 1)
        #expect(try await !model.speak(PhonemeRequest("crash-once")).samples.isEmpty)
        await pool.endAll()
    }

    @Test("says nothing twice when a worker dies in the middle of a request")
    func saysNothingTwice() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        let model = try await pool.open(voice.folder, lanes: 1)
        var pieces: [AcousticPiece] = []
        try await model.speak(PhonemeRequest("stutter")) { pieces.append($0) }
        #expect(pieces.first == .times([0, 100, 200]))
        let samples = pieces.dropFirst().flatMap { piece in
            if case .samples(let samples) = piece { samples } else { [Float]() }
        }
        #expect(pieces.count(where: { if case .times = $0 { true } else { false } }) == 1)
        #expect(samples == (0..<200).map(Float.init))
        await pool.endAll()
    }

    @Test("hands on only what is new of what is said again")
    func handsOnOnly() {
        var progress = DeliveryProgress()
        progress.begin()
        #expect(progress.new(.times([0, 4])) == .times([0, 4]))
        #expect(progress.new(.samples([0, 1])) == .samples([0, 1]))
        progress.begin()
        #expect(progress.new(.times([0, 4])) == nil)
        #expect(progress.new(.samples([0])) == nil)
        #expect(progress.new(.samples([1, 2])) == .samples([2]))
        #expect(progress.new(.samples([3])) == .samples([3]))
    }

    @Test("lets a caller go who is cancelled, however busy the worker is, which continues with the next request")
    func letsCallerGo()
        async throws
    {
        // The worker has unlimited time to end cancelled requests.
        let (voice, pool) = (try TemporaryVoice(), pool(clock: ManualClock()))
        let model = try await pool.open(voice.folder, lanes: 2)
        let worker = try #require(await pool.readyWorker(of: voice.folder))
        let speaking = Task { try await model.speak(PhonemeRequest("deafen")) }
        _ = try await model.speak(PhonemeRequest("after-deafen"))
        speaking.cancel()
        await #expect(throws: CancellationError.self) { try await speaking.value }
        #expect(try await !model.speak(PhonemeRequest("hello")).samples.isEmpty)
        #expect(await pool.readyWorker(of: voice.folder) === worker)
        await pool.endAll()
    }

    @Test("gives a caller who is cancelled in the middle no sound as if it were whole")
    func givesCallerWho() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        let model = try await pool.open(voice.folder, lanes: 1)
        let worker = try #require(await pool.readyWorker(of: voice.folder))
        let whole = try await model.speak(PhonemeRequest("hello"))
        let speaking = Task {
            try await model.speak(PhonemeRequest(String(repeating: "a", count: 400))) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await speaking.value }
        #expect(try await model.speak(PhonemeRequest("hello")) == whole)
        #expect(await pool.readyWorker(of: voice.folder) === worker)
        await pool.endAll()
    }

    @Test("waits before it starts a worker after a death")
    func waitsBeforeStarts() async throws {
        let clock = ManualClock()
        let (voice, pool) = (try TemporaryVoice(), pool(timing: WorkerTiming(), clock: clock))
        let model = try await pool.open(voice.folder, lanes: 1)
        let speaking = Task { try await model.speak(PhonemeRequest("crash-once")) }
        #expect(await clock.endShortestSleep(of: .seconds(1)) == WorkerTiming().firstBackOff)
        #expect(try await !speaking.value.samples.isEmpty)
        await pool.endAll()
    }

    @Test("sets a voice aside whose workers keep dying", arguments: ["crash", "exit"])
    func settingAside(name: String) async throws {
        let (voice, other, pool) = (try TemporaryVoice(named: name), try TemporaryVoice(), pool())
        let aside = VoiceFolderError.disabled("\(name).onnx", deaths: 3)
        while true {
            do {
                _ = try await pool.open(voice.folder, lanes: 1)
                Issue.record("the voice cannot be opened")
            } catch let error as VoiceFolderError where error == aside {
                break
            } catch {
                #expect(error is WorkerError || error as? VoiceFolderError == .badModel("\(name).onnx"))
            }
        }
        await #expect(throws: aside) { try await pool.open(voice.folder, lanes: 1) }
        _ = try await pool.open(other.folder, lanes: 1)

        await pool.enable(voice.folder)
        await #expect { try await pool.open(voice.folder, lanes: 1) } throws: { $0 as? VoiceFolderError != aside }
        await pool.endAll()
    }

    @Test("tries a voice that was disabled again when its files change")
    func triesVoiceWas() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        let model = try await pool.open(voice.folder, lanes: 1)
        await #expect(throws: WorkerError.self) { try await model.speak(PhonemeRequest("crash")) }
        let aside = VoiceFolderError.disabled("voice.onnx", deaths: 3)
        await #expect(throws: aside) { try await model.speak(PhonemeRequest("crash")) }
        await #expect(throws: aside) { try await model.speak(PhonemeRequest("hello")) }
        try Data("repaired".utf8).write(to: URL(filePath: voice.folder.model))
        #expect(try await !model.speak(PhonemeRequest("hello")).samples.isEmpty)
        await pool.endAll()
    }

    @Test("starts again with files that were replaced")
    func startsAgainFiles() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        _ = try await pool.open(voice.folder, lanes: 1)
        let before = try #require(await pool.readyWorker(of: voice.folder))
        try Data("better".utf8).write(to: URL(filePath: voice.folder.model))
        _ = try await pool.open(voice.folder, lanes: 1)
        #expect(await pool.readyWorker(of: voice.folder) !== before)
        await before.waitForExit()
        await pool.endAll()
    }

    @Test("passes on why a voice cannot be opened, without holding it against the voice")
    func passesOnWhy() async throws {
        let pool = pool()
        let (refused, engineless) = (try TemporaryVoice(named: "refuse"), try TemporaryVoice(named: "missing-engine"))
        for _ in 0..<4 {
            await #expect(throws: VoiceFolderError.badTokens("tokens.txt")) {
                try await pool.open(refused.folder, lanes: 1)
            }
        }
        await #expect(throws: EngineLibraryError.wrongVersion(.sherpaOnnx, found: "1.13.4", wanted: "2.0.1")) {
            try await pool.open(engineless.folder, lanes: 1)
        }
    }

    @Test("answers as many requests at once as it was asked to")
    func answersAsMany() async throws {
        let (voice, pool) = (try TemporaryVoice(), pool())
        let model = try await pool.open(voice.folder, lanes: 2)
        let stuck = Task { try await model.speak(PhonemeRequest("deafen")) }
        #expect(try await !model.speak(PhonemeRequest("hello")).samples.isEmpty)
        let wider = try await pool.open(voice.folder, lanes: 3)
        #expect(try await !wider.speak(PhonemeRequest("hello")).samples.isEmpty)
        await pool.endAll()
        await #expect(throws: CancellationError.self) { try await stuck.value }
    }

    @Test("ends everything at once, and can be used again")
    func endsEverythingAt() async throws {
        let pool = pool()
        let (voice, hanging) = (try TemporaryVoice(), try TemporaryVoice(named: "hang"))
        let model = try await pool.open(voice.folder, lanes: 1)
        let worker = try #require(await pool.readyWorker(of: voice.folder))
        let opening = Task { try await pool.open(hanging.folder, lanes: 1) }
        let speaking = Task { try await model.speak(PhonemeRequest("hang")) }
        // The opening runs before this is answered; it must end at any stage.
        await Task.yield()
        await pool.endAll()
        #expect(worker.hasExited)
        opening.cancel()
        speaking.cancel()
        _ = await (opening.result, speaking.result)
        #expect(try await !model.speak(PhonemeRequest("hello")).samples.isEmpty)
        await pool.endAll()
    }

    @Test("lets a caller who waits for a start go when cancelled")
    func letsCallerWho() async throws {
        let (voice, pool) = (try TemporaryVoice(named: "hang"), pool())
        let opening = Task { try await pool.open(voice.folder, lanes: 1) }
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        await pool.endAll()
    }
}
