import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Workers

@Suite("Workers that tell speakers apart", .endsInTime)
struct SpeakerWorkerTests {
    private let folder = TemporaryFolder()
    private let clip = AudioClip(
        samples: (0..<12).flatMap { [Float](repeating: $0.isMultiple(of: 3) ? 0.1 : -0.1, count: 16_000) },
        sampleRate: RecognitionClip.sampleRate
    )

    /// A diarizer the name of whose model says how the fixture behaves.
    private func diarizer(_ name: String = "good", timeout: Duration = .seconds(120)) throws -> WorkerDiarizer {
        for (place, file) in [("segmentation", "model"), (name, name)] {
            try FileManager.default.createDirectory(atPath: folder(place), withIntermediateDirectories: true)
            try folder.write("", to: "\(place)/\(file).onnx")
        }
        let models = ["segmentation", name].compactMap { SpeakerModel.find(at: folder($0)) }
        var launch = WorkerLaunch.fixture("recognition", name)
        launch.limits = .recognizer
        let isolation = WorkerIsolation.none
        return WorkerDiarizer(launch, isolation: isolation, timeout: timeout, logger: .quiet) { models }
    }

    @Test
    func `one keeps the contract`() async throws {
        try await verifyContract(of: diarizer(), on: clip)
    }

    @Test(
        arguments: [
            "crash", "exit", "beyond", "order", "many", "long", "unasked", "reach", "share", "garbage", "bloat",
        ]
    )
    func `one that dies or answers wrongly is an error`(name: String) async throws {
        let diarizer = try diarizer(name)
        await #expect(throws: SpeakerError.died) { try await diarizer.turns(in: clip) }
        await #expect(throws: SpeakerError.badModel(try SpeakerModels(of: diarizer.models()).names)) {
            try await diarizer.examine(SpeakerModels(of: await diarizer.models()))
        }
    }

    @Test(arguments: ["open-crash", "open-exit", "open-refuse"])
    func `one that dies over its models reports bad ones, in words of the program's`(name: String) async throws {
        await #expect(throws: SpeakerError.badModel("segmentation” or “\(name)")) {
            try await diarizer(name).turns(in: clip)
        }
    }

    @Test
    func `one that hangs while it opens is ended`() async throws {
        await #expect(throws: SpeakerError.tooSlow(seconds: 4)) {
            try await diarizer("open-hang", timeout: .seconds(1)).turns(in: clip)
        }
    }

    @Test
    func `one that hangs is ended after its time, and by whoever cancels`() async throws {
        await #expect(throws: SpeakerError.tooSlow(seconds: 4)) {
            try await diarizer("hang", timeout: .seconds(1)).turns(in: clip)
        }
        let patient = try diarizer("hang")
        let (shares, continuation) = AsyncStream.makeStream(of: Double.self)
        let waiting = Task {
            let sound = ClipPieces(of: clip, size: 32_768)
            return try await patient.turns(in: sound, seconds: 12, .unknown()) { continuation.yield($0) }
        }
        for await share in shares where share > 0.1 { break }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test
    func `what reading the sound throws is passed on`() async throws {
        struct Broken: ClipSource {
            let sampleRate = RecognitionClip.sampleRate

            func next() async throws -> AudioClip? { throw VaultError.contentDamaged }
        }
        await #expect(throws: VaultError.contentDamaged) {
            try await diarizer().turns(in: Broken(), seconds: 10, .unknown()) { _ in }
        }
    }

    @Test
    func `without models none is started`() async throws {
        let launch = WorkerLaunch.fixture("recognition", "good")
        let none = WorkerDiarizer(launch, isolation: WorkerIsolation.none, logger: .quiet) { [] }
        await #expect(throws: SpeakerError.missingModels([.segmentation, .embedding])) {
            try await none.turns(in: clip)
        }
    }
}
