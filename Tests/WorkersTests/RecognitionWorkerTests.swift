import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Workers

@Suite("Workers that hear", .endsInTime)
struct RecognitionWorkerTests {
    private let clip = AudioClip.noise(1.5, amplitude: 0.1)

    /// A recognizer whose name says how the fixture behaves.
    private func local(_ name: String) -> LocalRecognizer {
        let folder = FileManager.default.temporaryDirectory.path
        let listed = Recognizer(
            id: Recognizer.ID(rawValue: "fixture/\(name)"),
            name: name,
            engine: .sherpaOnnx,
            languages: ["en"],
            timing: .words
        )
        return LocalRecognizer(listed, model: .pocketSphinx(folder: "\(folder)/./\(name)"))
    }

    private func recognizer(
        _ name: String = "good",
        isolation: WorkerIsolation = .none,
        timeout: Duration = .seconds(120)
    ) -> WorkerRecognizer {
        let local = local(name)
        var launch = WorkerLaunch.fixture("recognition", name)
        launch.limits = .recognizer
        return WorkerRecognizer(launch, isolation: isolation, timeout: timeout, logger: .quiet) { [local] }
    }

    private func session(_ name: String, timeout: Duration = .seconds(120)) async throws -> any RecognitionSession {
        try await recognizer(name, timeout: timeout).open(
            Recognizer.ID(rawValue: "fixture/\(name)"),
            RecognitionSettings()
        )
    }

    @Test
    func `a recognizer in a worker keeps the contract`() async throws {
        try await verifyContract(of: recognizer(), on: clip)
    }

    @Test
    func `a detector in a worker keeps the contract`() async throws {
        var launch = WorkerLaunch.fixture("recognition", "good")
        launch.limits = .recognizer
        let detector = WorkerVoiceDetector(model: "/dev/null", launch, isolation: WorkerIsolation.none, logger: .quiet)
        try await verifyContract(of: detector, on: .hum(3))
    }

    @Test(arguments: ["crash", "exit", "lie", "order", "beyond", "twice", "unasked", "garbage", "long"])
    func `a worker that dies or answers wrongly over a clip is an error`(name: String) async throws {
        let session = try await session(name)
        await #expect(throws: RecognitionError.recognizerDied) { try await session.recognize(clip) }
        await #expect(throws: RecognitionError.recognizerDied, "and stays one") { try await session.recognize(clip) }
        await session.close()
    }

    @Test
    func `what is about to be installed is checked, and what is installed is not`() async throws {
        try await recognizer().examine(local("good"))
        await #expect(throws: RecognitionError.badModel("check-refuse")) {
            try await recognizer("check-refuse").examine(local("check-refuse"))
        }
        let session = try await session("check-refuse")
        #expect(try await !session.recognize(clip).text.isEmpty)
        await session.close()
    }

    @Test(arguments: ["open-crash", "open-exit"])
    func `a worker that dies over a model reports a bad one`(name: String) async throws {
        await #expect(throws: RecognitionError.badModel(name)) { try await session(name) }
    }

    @Test
    func `a worker that the system kills over a model says nothing against the model`() async throws {
        await #expect(throws: RecognitionError.cannotStart) { try await session("open-kill") }
    }

    @Test
    func `an error's words are never the worker's`() async throws {
        await #expect(throws: RecognitionError.badModel("open-refuse")) { try await session("open-refuse") }
    }

    @Test(arguments: ["hang", "open-hang"])
    func `a worker that hangs is ended`(name: String) async throws {
        await #expect(throws: RecognitionError.tooSlow(seconds: 1)) {
            let session = try await session(name, timeout: .seconds(1))
            _ = try await session.recognize(clip)
        }
    }

    @Test
    func `a worker that takes too much memory is ended by it`() async throws {
        let session = try await session("bloat")
        await #expect(throws: RecognitionError.recognizerDied) { try await session.recognize(clip) }
    }

    @Test
    func `what waits when a session is closed fails`() async throws {
        let session = try await session("hang")
        let waiting = Task { try await session.recognize(clip) }
        await session.close()
        await #expect(throws: RecognitionError.recognizerDied) { try await waiting.value }
    }

    @Test
    func `a cancelled clip leaves those behind it alone`() async throws {
        let session = try await session("good")
        let cancelled = Task { try await session.recognize(clip) }
        cancelled.cancel()
        let recognized = try await session.recognize(clip)
        #expect(!recognized.text.isEmpty)
        _ = await cancelled.result
        await session.close()
    }
}
