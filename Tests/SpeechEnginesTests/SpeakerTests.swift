import EchoText
import EchoTextTesting
import Foundation
import SpeechEngines
import Testing
import Workers

/// sherpa-onnx with the models that `make fixtures` makes, to which tones below and above 1.5 kHz are two people.
@Suite("Speakers of tones", .endsInTime)
struct SpeakerTests {
    private static let segmentation = "\(Fixtures.folder)/models/speakers/sherpa-onnx-pyannote-segmentation-fixture"
    private let folder = TemporaryFolder()

    /// The models in a folder of their own, as they are installed.
    private func models() throws -> [SpeakerModel] {
        let name = "speakers-fixture"
        try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: folder("\(name)/\(name).onnx")) {
            let source = "\(Fixtures.folder)/models/speakers/\(name).onnx"
            try FileManager.default.copyItem(atPath: source, toPath: folder("\(name)/\(name).onnx"))
        }
        return [Self.segmentation, folder(name)].compactMap { SpeakerModel.find(at: $0) }
    }

    private func diarizer(_ models: [SpeakerModel]) -> WorkerDiarizer {
        WorkerDiarizer(Fixtures.recognitionLaunch, threads: 2, logger: Fixtures.logger) { models }
    }

    /// Tones of a second, `l` low and `h` high, with a pause of half a second after each.
    private func clip(_ turns: String) -> AudioClip {
        let rate = Double(RecognitionClip.sampleRate)
        let samples = turns.flatMap { turn -> [Float] in
            let tones = turn == "l" ? [400.0, 700, 1_150] : [1_850, 3_000, 4_800]
            let sound = (0..<16_000).map { index -> Float in
                let edge = min(1, Double(min(index, 15_999 - index)) / 160)
                return Float(0.2 * edge * sin(2 * .pi * tones[index * 3 / 16_000] * Double(index) / rate))
            }
            return sound + [Float](repeating: 0, count: 8_000)
        }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }

    @Test("are told apart in a worker, which keeps the contract, and the same in process")
    func contract() async throws {
        let (models, clip) = (try models(), clip("lhllhhlhlh"))
        try await verifyContract(of: diarizer(models), on: clip)
        let own = try await SherpaSpeakerLoader(libraries: Fixtures.library).open(
            SpeakerModels(of: models),
            .unknown(),
            threads: 1
        )
        let turns = try await own.turns(in: clip.samples) { _ in }
        #expect(try await diarizer(models).turns(in: clip) == turns)
    }

    @Test(
        "are found where they speak, however many are named",
        arguments: [(nil, "01001101"), (2, "01001101"), (1, "00000000"), (20, "01001101")] as [(Int?, String)]
    )
    func turns(count: Int?, expected: String) async throws {
        let turns = try await diarizer(models()).turns(in: clip("lhllhhlh"), SpeakerCount(count))
        let first = try #require(turns.first).speaker
        let heard = (0..<8).map { place -> Character in
            let middle = Double(place) * 1.5 + 0.5
            let turn = turns.first { $0.time.contains(middle) }
            return turn.map { $0.speaker == first ? "0" : "1" } ?? "-"
        }
        #expect(String(heard) == expected, "\(turns)")
        #expect(abs(turns[0].time.lowerBound) < 0.1)
    }

    @Test("a model that is none, or another, is refused and harms nobody")
    func broken() async throws {
        let good = try models()
        for (name, content) in [("junk", Data("no model".utf8)), ("empty", Data())] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
            try folder.write(content, to: "\(name)/\(name).onnx")
            let models = [good[0]] + [folder(name)].compactMap { SpeakerModel.find(at: $0) }
            let names = try SpeakerModels(of: models).names
            await #expect(throws: SpeakerError.badModel(names)) {
                try await diarizer(models).turns(in: clip("lhlhlhlh"))
            }
            await #expect(throws: SpeakerError.badModel(names)) {
                try await diarizer(models).examine(SpeakerModels(of: models))
            }
        }
        // sherpa-onnx takes it for a model that compares voices until it compares some, and ends its process then.
        try FileManager.default.createDirectory(atPath: folder("other"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: good[0].model, toPath: folder("other/other.onnx"))
        let swapped = [good[0]] + [folder("other")].compactMap { SpeakerModel.find(at: $0) }
        await #expect(throws: SpeakerError.died) { try await diarizer(swapped).turns(in: clip("lhlhlhlh")) }
        #expect(try await !diarizer(good).turns(in: clip("lhlhlhlh")).isEmpty)
    }
}
