import EchoText
import EchoTextTesting
import Foundation
import ONNXFormat
import SpeechEngines
import Testing
import Workers

/// The real models and recordings for tests, where they are: a folder that `ECHOTEXT_TEST_DATA` names.
enum TestData {
    static let folder = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_DATA"]

    /// Whisper tiny.en, unpacked from its archive once for all tests.
    static let whisper: String? = {
        guard let folder else { return nil }
        let name = "sherpa-onnx-whisper-tiny.en-attention"
        let place = "\(Fixtures.folder)/recognizers/\(name)"
        guard !FileManager.default.fileExists(atPath: "\(place)/unpacked") else { return place }
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/tar")
        tar.arguments = ["-xjf", "\(folder)/\(name).tar.bz2", "-C", "\(Fixtures.folder)/recognizers"]
        guard (try? tar.run()) != nil else { return nil }
        tar.waitUntilExit()
        guard tar.terminationStatus == 0 else { return nil }
        _ = try? FileManager.default.moveItem(atPath: "\(place)/test_wavs", toPath: "\(place)/unpacked")
        return place
    }()

    static let silero = folder.map { "\($0)/silero_vad.onnx" }

    /// A recording of the corpus, cut to the first seconds, at the rate of recognizers.
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
    /// The program that this package builds, as a recognition worker.
    static var recognitionLaunch: WorkerLaunch {
        var launch = WorkerLaunch.recognizer
        launch.executable = program
        launch.environment["ECHOTEXT_SHERPA_ONNX"] = library
        launch.readablePaths = [library]
        return launch
    }

    /// Recognizers in workers.
    static func recognizer(of folders: String..., lanes: Int = 2) throws -> WorkerRecognizer {
        let installed = try folders.map { try RecognizerFolder.find(at: $0).recognizer }
        return WorkerRecognizer(recognitionLaunch, lanes: lanes, logger: logger) { installed }
    }
}

extension TemporaryFolder {
    /// Copies a Whisper “with attention” as one that reports no looks, as those are that people download.
    ///
    /// - Returns: The path of the copy.
    fileprivate func whisperWithoutLooks(_ folder: String, called name: String) throws -> String {
        try FileManager.default.copyItem(atPath: folder, toPath: self(name))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let found = try #require(files.first { $0.contains("-decoder") })
        let decoder = "\(name)/\(found)"
        var graph = try ONNXGraph(model: try data(of: decoder))
        graph.outputs.removeAll { $0.name == "cross_attention_weights" }
        try graph.model.write(to: URL(filePath: self(decoder)))
        return self(name)
    }
}

extension String {
    /// Its words in small letters, without punctuation.
    fileprivate var heardWords: [String] {
        lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map { $0 == "mister" ? "mr" : String($0) }
    }
}

@Suite("Recognizers", .endsInTime)
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
        let recognized = try await session.recognize(clip)
        let place = "\(try #require(TestData.folder))/corpus/audio/\(recording).txt"
        let text = try String(contentsOfFile: place, encoding: .utf8)
        #expect(recognized.text.heardWords == text.heardWords)
        #expect(recognized.timing == .tokens)
        #expect(recognized.words.count == recognized.text.split(separator: " ").count)
        #expect(recognized.words.last?.end ?? 0 > clip.seconds / 2)
        await session.close()
    }

    @Test(
        "Whisper without looks hears two recordings as one, and each has its own words",
        .enabled(if: TestData.whisper != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper")
    )
    func pack() async throws {
        let place = TemporaryFolder()
        let folder = try place.whisperWithoutLooks(#require(TestData.whisper), called: "sherpa-onnx-whisper-tiny.en")
        let recognizer = try Fixtures.recognizer(of: folder)
        let id = try #require(try await recognizer.recognizers().first).id
        let recordings = ["jfk", "austen-0870"]
        var parts: [ClipPack.Part] = []
        for recording in recordings {
            var clip = try TestData.clip("\(recording).wav")
            clip.samples.removeLast(clip.samples.count % VoiceWindow.samples)
            let windows = try await EnergyDetector().open().detect(clip)
            parts.append(ClipPack.Part(SpeechClip(range: 0..<clip.samples.count, windows: windows), clip))
        }
        let session = try await recognizer.open(id, RecognitionSettings())
        let pack = ClipPack(parts, pause: try #require(session.pauseInPacks))
        let recognized = try await ClipRecognition(by: session).recognize(pack)
        await session.close()
        #expect(recognized.count == 2)
        for (one, recording) in zip(recognized, recordings) {
            let path = "\(try #require(TestData.folder))/corpus/audio/\(recording).txt"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let wrong = one.speech.text.heardWords.difference(from: text.heardWords).count
            #expect(wrong <= 2, "one word may be heard otherwise, none be lost or doubled: \(one.speech.text)")
        }
    }

    @Test(
        "Whisper keeps the contract of recognisers",
        .enabled(if: TestData.whisper != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper")
    )
    func contract() async throws {
        let recognizer = try Fixtures.recognizer(of: #require(TestData.whisper))
        try await verifyContract(of: recognizer, on: TestData.clip("austen-0870.wav"))
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
        let detector = WorkerVoiceDetector(
            model: try #require(TestData.silero),
            Fixtures.recognitionLaunch,
            logger: Fixtures.logger
        )
        try await verifyContract(of: detector, on: TestData.clip("austen-0870.wav"))
    }

    @Test(
        "so does the detector without a model, on a human voice",
        .enabled(if: TestData.folder != nil, "ECHOTEXT_TEST_DATA names no folder")
    )
    func energy() async throws {
        try await verifyContract(of: EnergyDetector(), on: TestData.clip("austen-0870.wav"))
        try await verifyContract(of: EnergyDetector(), on: TestData.clip("jfk.wav"))
    }
}

/// The six tones that the recognizers of `make fixtures` hear.
enum Tones {
    private static let hertz = ["good": 400.0, "mor": 700, "ning": 1_150, "li": 1_850, "ttle": 3_000, "bird": 4_800]
    static let folder = "\(Fixtures.folder)/recognizers/sherpa-onnx-nemo-ctc-fixture-en"
    static let whisper = "\(Fixtures.folder)/recognizers/sherpa-onnx-whisper-fixture.en-attention"

    /// Tones of 0.3 s, a pause of 0.1 s before each and after it.
    static func clip(_ pieces: String...) -> AudioClip {
        let rate = Double(RecognitionClip.sampleRate)
        let samples = pieces.flatMap { piece -> [Float] in
            let pause = [Float](repeating: 0, count: 1_600)
            let tone = (0..<4_800).map { index -> Float in
                let edge = min(1, Double(min(index, 4_799 - index)) / 160)
                return Float(0.3 * edge * sin(2 * .pi * (hertz[piece] ?? 0) * Double(index) / rate))
            }
            return pause + tone + pause
        }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}

@Suite("Recognizers of tones", .endsInTime)
struct ToneRecognizerTests {
    private func session(_ folder: String, as name: String) async throws -> any RecognitionSession {
        let recognizer = try Fixtures.recognizer(of: folder)
        let id = try #require(try await recognizer.recognizers().first).id
        #expect(id.rawValue == "sherpa/\(name)")
        return try await recognizer.open(id, RecognitionSettings(language: "en"))
    }

    private static let all = [
        (Tones.folder, "nemo-ctc-fixture-en"), (Tones.whisper, "whisper-fixture.en-attention"),
    ]

    @Test("keep the contract of recognizers, in a worker and in process", arguments: ToneRecognizerTests.all)
    func contract(place: String, name: String) async throws {
        let clip = Tones.clip("good", "mor", "ning", "li", "ttle", "bird")
        try await verifyContract(of: Fixtures.recognizer(of: place), on: clip)
        let loader = LocalRecognizerLoader(libraries: Fixtures.library)
        let model = RecognizerModel.sherpaOnnx(try RecognizerFolder.find(at: place))
        try await loader.check(model)
        let own = try await loader.open(model, RecognitionSettings(), lanes: 2)
        let session = try await session(place, as: name)
        #expect(try await own.recognize(clip) == session.recognize(clip))
        await session.close()
    }

    @Test("hear words of tones, and when they were said", arguments: ToneRecognizerTests.all)
    func words(place: String, name: String) async throws {
        let session = try await session(place, as: name)
        let recognized = try await session.recognize(Tones.clip("good", "mor", "ning", "li", "ttle", "bird"))
        #expect(recognized.text == "good morning little bird")
        #expect(recognized.timing == .tokens)
        for (word, start) in zip(recognized.words, [0.1, 0.6, 1.6, 2.6]) { #expect(abs(word.start - start) < 0.06) }
        #expect(try await session.recognize(Tones.clip("bird", "good")).text == "bird good")
        #expect(try await session.recognize(.noise(1, amplitude: 0.3)).text.isEmpty)
        await session.close()
    }

    @Test("that are Whispers are sure of their words, and are read a prompt and hotwords")
    func prompt() async throws {
        let recognizer = try Fixtures.recognizer(of: Tones.whisper)
        let offered = try #require(try await recognizer.recognizers().first)
        #expect(offered.takesPrompt && offered.takesHotwords && !offered.takesLanguage)
        let session = try await recognizer.open(offered.id, RecognitionSettings())
        let recognized = try await session.recognize(Tones.clip("good", "bird"))
        #expect(recognized.words.count == 2 && recognized.words.allSatisfy { ($0.confidence ?? 0) > 0.99 })
        await session.close()
        // The fixture counts what it reads: what precedes the sound takes the place of as many tokens of the sound.
        let settings = RecognitionSettings(hotwords: ["good"])
        let prompted = try await recognizer.open(offered.id, settings)
        #expect(try await prompted.recognize(Tones.clip("good", "bird")) != recognized)
        await prompted.close()
    }

    @Test("that are Whispers without looks say when the passage of a word was said")
    func passages() async throws {
        let place = TemporaryFolder()
        let name = "whisper-fixture.en"
        let folder = try place.whisperWithoutLooks(Tones.whisper, called: "sherpa-onnx-\(name)")
        let session = try await session(folder, as: name)
        #expect(session.pauseInPacks == 39)
        let recognized = try await session.recognize(Tones.clip("good", "mor", "ning", "bird"))
        await session.close()
        #expect(recognized.text == "good morning bird" && recognized.timing == .segments && recognized.words.count == 3)
        let passage = try #require(recognized.words[0].passage)
        #expect(passage.lowerBound == 0 && abs(passage.upperBound - 1.9) < 0.1)
        #expect(recognized.words.allSatisfy { $0.isEstimated && $0.passage == passage })
        #expect(recognized.words.allSatisfy { passage.contains($0.start) && $0.end <= passage.upperBound + 1e-9 })
    }

    @Test("a model that is none is refused, and harms nobody")
    func broken() async throws {
        let place = TemporaryFolder()
        let name = "sherpa-onnx-nemo-ctc-broken-en"
        try FileManager.default.copyItem(atPath: Tones.folder, toPath: place(name))
        try place.write("no model", to: "\(name)/model.onnx")
        let recognizer = try Fixtures.recognizer(of: place(name))
        let id = try #require(try await recognizer.recognizers().first).id
        await #expect(throws: RecognitionError.badModel(name)) { try await recognizer.open(id, RecognitionSettings()) }
    }

    @Test(
        "a Whisper that is none is refused, and harms nobody",
        arguments: ["encoder.onnx", "decoder.int8.onnx", "tokens.txt"]
    )
    func brokenWhisper(file: String) async throws {
        let place = TemporaryFolder()
        let name = "sherpa-onnx-whisper-broken.en-attention"
        try FileManager.default.copyItem(atPath: Tones.whisper, toPath: place(name))
        try place.write("no model", to: "\(name)/fixture.en-\(file)")
        let recognizer = try Fixtures.recognizer(of: place(name))
        let id = try #require(try await recognizer.recognizers().first).id
        await #expect(throws: RecognitionError.badModel(name)) { try await recognizer.open(id, RecognitionSettings()) }
    }

    @Test("a Whisper whose encoder says what it is and computes nothing is refused beside a decoder that is well")
    func emptyEncoder() async throws {
        let place = TemporaryFolder()
        let name = "sherpa-onnx-whisper-broken.en-attention"
        try FileManager.default.copyItem(atPath: Tones.whisper, toPath: place(name))
        let file = "\(name)/fixture.en-encoder.onnx"
        let metadata = try #require(ONNXMetadata(of: try place.data(of: file)))
        let notes = metadata.values.map { (key: $0.key, value: $0.value) }
        try ONNXMetadata.ending(adding: notes).write(to: URL(filePath: place(file)))
        let recognizer = try Fixtures.recognizer(of: place(name))
        let id = try #require(try await recognizer.recognizers().first).id
        await #expect(throws: RecognitionError.badModel(name)) { try await recognizer.open(id, RecognitionSettings()) }
    }

    @Test("a Whisper whose decoder computes what nobody knows is refused beside an encoder that is well")
    func unknownDecoder() async throws {
        let place = TemporaryFolder()
        let name = "sherpa-onnx-whisper-broken.en-attention"
        try FileManager.default.copyItem(atPath: Tones.whisper, toPath: place(name))
        let file = "\(name)/fixture.en-decoder.int8.onnx"
        var graph = try ONNXGraph(model: try place.data(of: file))
        let last = try #require(graph.nodes.firstIndex { $0.outputs.contains("logits") })
        graph.nodes[last] = ONNXNode("Unknown", graph.nodes[last].inputs, graph.nodes[last].outputs)
        try graph.model.write(to: URL(filePath: place(file)))
        let recognizer = try Fixtures.recognizer(of: place(name))
        let id = try #require(try await recognizer.recognizers().first).id
        await #expect(throws: RecognitionError.badModel(name)) { try await recognizer.open(id, RecognitionSettings()) }
    }
}

@Suite("Detector of voices", .endsInTime)
struct SileroTests {
    private static let model =
        ProcessInfo.processInfo.environment["ECHOTEXT_VOICE_ACTIVITY"]
        ?? URL(filePath: Fixtures.library).appending(path: "../../silero-vad/silero_vad.onnx").standardizedFileURL.path

    private func speech() async throws -> AudioClip {
        let clip = try await PocketSphinxTests.spoken(
            "The detector has to tell this sentence, which goes on for some seconds without a pause, from silence."
        )
        return AudioClip(samples: Array(clip.samples[clip.soundRange()]), sampleRate: clip.sampleRate)
    }

    @Test("silero tells the built-in voice from silence and noise, in a worker and in process")
    func contract() async throws {
        let speech = try await speech()
        let worker = WorkerVoiceDetector(model: Self.model, Fixtures.recognitionLaunch, logger: Fixtures.logger)
        try await verifyContract(of: worker, on: speech)
        let own = try await SileroDetector(model: Self.model, libraries: Fixtures.library).open()
        let session = try await worker.open()
        #expect(try await own.detect(speech) == session.detect(speech))
        await session.close()
        await own.close()
    }

    @Test("silero finds quiet speech from its beginning on, as it finds loud speech")
    func quiet() async throws {
        let speech = try await speech()
        let quiet = AudioClip(samples: speech.samples.map { $0 * 0.01 }, sampleRate: speech.sampleRate)
        var found: [[VoiceWindow]] = []
        for clip in [speech, quiet] {
            let session = try await SileroDetector(model: Self.model, libraries: Fixtures.library).open()
            found.append(try await session.detect(clip))
            await session.close()
        }
        let (loud, faint) = (found[0].filter(\.isSpeech).count, found[1].filter(\.isSpeech).count)
        #expect(faint * 10 >= loud * 8, "\(faint) of \(loud)")
        let firsts = found.map { activities in activities.firstIndex { $0.isSpeech } }
        let (first, faintFirst) = (try #require(firsts[0]), try #require(firsts[1]))
        #expect(faintFirst <= first + 8)
        #expect(zip(found[0], found[1]).allSatisfy { abs($0.level - $1.level - 40) < 0.1 || $1.level == -120 })
    }

    @Test("a missing or broken model is an error")
    func broken() async throws {
        let place = TemporaryFolder()
        let model = try place.write("no model", to: "silero_vad.onnx")
        let worker = WorkerVoiceDetector(model: model, Fixtures.recognitionLaunch, logger: Fixtures.logger)
        await #expect(throws: RecognitionError.badModel("silero_vad.onnx")) { try await worker.open() }
    }
}

@Suite("PocketSphinx", .endsInTime)
struct PocketSphinxTests {
    private let installed = LocalRecognizer.pocketSphinx()

    @Test(
        "keeps the contract of recognisers",
        .enabled(if: LocalRecognizer.pocketSphinx() != nil, "it is not installed")
    )
    func contract() async throws {
        let installed = try #require(installed)
        let recognizer = WorkerRecognizer(Fixtures.recognitionLaunch, lanes: 2, logger: Fixtures.logger) { [installed] }
        let clip = try await Self.spoken("I would like a glass of water.")
        try await verifyContract(of: recognizer, on: clip, settings: RecognitionSettings(language: "en-GB"))
        let session = try await recognizer.open(installed.recognizer.id, RecognitionSettings())
        let recognized = try await session.recognize(clip)
        #expect(recognized.words.allSatisfy { $0.confidence != nil })
        #expect(recognized.timing == .words && recognized.text.contains("glass of water"), "\(recognized.text)")
        await session.close()
    }

    /// Speech of espeak-ng, at the rate of recognizers.
    static func spoken(_ text: String) async throws -> AudioClip {
        let voice = Voice.ID(rawValue: "espeak/en-US")
        // The engine of this process keeps state from what other tests have said with it.
        let workers = Fixtures.workers()
        let spoken = try await EspeakSynthesizer(engine: workers).speech(for: Utterance(text, voice: voice)).clip
        await workers.endAll()
        let ratio = Double(spoken.sampleRate) / Double(RecognitionClip.sampleRate)
        let count = Int(Double(spoken.samples.count) / ratio)
        let samples = (0..<count).map { spoken.samples[Int(Double($0) * ratio)] }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}
