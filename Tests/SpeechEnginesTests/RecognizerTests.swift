import EchoText
import EchoTextTesting
import Foundation
import SpeechEngines
import Testing
import Workers

/// What real models and recordings are tried with, where they are: a folder that `ECHOTEXT_TEST_DATA` names.
enum TestData {
    static let folder = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_DATA"]

    /// Whisper tiny.en, unpacked from its archive once for all tests.
    static let whisper: String? = {
        guard let folder else { return nil }
        let name = "sherpa-onnx-whisper-tiny.en-attention"
        let place = "\(Fixtures.folder)/\(name)"
        guard !FileManager.default.fileExists(atPath: "\(place)/unpacked") else { return place }
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/tar")
        tar.arguments = ["-xjf", "\(folder)/\(name).tar.bz2", "-C", Fixtures.folder]
        guard (try? tar.run()) != nil else { return nil }
        tar.waitUntilExit()
        guard tar.terminationStatus == 0 else { return nil }
        _ = try? FileManager.default.moveItem(atPath: "\(place)/test_wavs", toPath: "\(place)/unpacked")
        return place
    }()

    static let silero = folder.map { "\($0)/silero_vad.onnx" }

    /// A recording of the corpus, cut to the first seconds, at the rate of recognisers.
    static func clip(_ name: String, seconds: Double = 28) throws -> AudioClip {
        let data = try Data(contentsOf: URL(filePath: "\(try #require(folder))/corpus/audio/\(name)"))
        let samples = data.dropFirst(44).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).map { Float(Int16(littleEndian: $0)) / 32_768 }
        }
        let count = Int(seconds * Double(RecognitionClip.sampleRate))
        return AudioClip(samples: Array(samples.prefix(count)), sampleRate: RecognitionClip.sampleRate)
    }
}

extension Fixtures {
    /// The program that this package builds, as a worker that hears.
    static var hearing: WorkerLaunch {
        var launch = WorkerLaunch.hearing
        launch.executable = program
        launch.environment["ECHOTEXT_SHERPA_ONNX"] = library
        launch.readablePaths = [library]
        return launch
    }

    /// Recognisers in workers.
    static func recognizer(of folders: String..., lanes: Int = 2) throws -> WorkerRecognizer {
        let installed = try folders.map { try RecognizerFolder.find(at: $0).recognizer }
        return WorkerRecognizer(hearing, lanes: lanes, logger: logger) { installed }
    }
}

extension String {
    /// Its words in small letters, without punctuation.
    fileprivate var heardWords: [String] {
        lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }
}

@Suite("Recognisers", .timeLimit(.minutes(5)))
struct RecognizerTests {
    @Test(
        "Whisper hears every word of human recordings, and when it was said",
        .enabled(if: TestData.whisper != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper"),
        arguments: ["jfk", "austen-0870"]
    )
    func whisper(recording: String) async throws {
        let recognizer = try Fixtures.recognizer(of: #require(TestData.whisper))
        let offered = try #require(try await recognizer.recognizers().first)
        #expect(offered.languages == ["en"] && offered.timing == .tokens && !offered.takesLanguage)
        let session = try await recognizer.open(offered.id, RecognitionSettings(language: "en-US"))
        let clip = try TestData.clip("\(recording).wav")
        let heard = try await session.recognize(clip)
        let place = "\(try #require(TestData.folder))/corpus/audio/\(recording).txt"
        let text = try String(contentsOfFile: place, encoding: .utf8)
        #expect(heard.text.heardWords == text.heardWords)
        #expect(heard.timing == .tokens)
        #expect(heard.words.count == heard.text.split(separator: " ").count)
        #expect(heard.words.last?.end ?? 0 > clip.seconds / 2)
        await session.close()
    }

    @Test(
        "Whisper keeps the contract of recognisers",
        .enabled(if: TestData.whisper != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper")
    )
    func contract() async throws {
        let recognizer = try Fixtures.recognizer(of: #require(TestData.whisper))
        try await verifyContract(of: recognizer, hearing: TestData.clip("austen-0870.wav"))
    }

    @Test(
        "Whisper for English does not hear Estonian",
        .enabled(if: TestData.whisper != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper")
    )
    func otherLanguage() async throws {
        let recognizer = try Fixtures.recognizer(of: #require(TestData.whisper))
        let id = try #require(try await recognizer.recognizers().first).id
        await #expect(throws: RecognitionError.unsupportedLanguage("et")) {
            try await recognizer.open(id, RecognitionSettings(language: "et"))
        }
    }

    @Test(
        "silero keeps the contract of detectors",
        .enabled(if: TestData.silero != nil, "ECHOTEXT_TEST_DATA names no folder with silero's model")
    )
    func silero() async throws {
        let detector = WorkerVoiceDetector(model: try #require(TestData.silero), Fixtures.hearing, logger: Fixtures.logger)
        try await verifyContract(of: detector, hearing: TestData.clip("austen-0870.wav"))
    }

    @Test(
        "so does the detector without a model, on a human voice",
        .enabled(if: TestData.folder != nil, "ECHOTEXT_TEST_DATA names no folder")
    )
    func energy() async throws {
        try await verifyContract(of: EnergyDetector(), hearing: TestData.clip("austen-0870.wav"))
        try await verifyContract(of: EnergyDetector(), hearing: TestData.clip("jfk.wav"))
    }
}
