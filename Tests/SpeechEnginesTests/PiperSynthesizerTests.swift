import EchoText
import EchoTextTesting
import Foundation
import SpeechEngines
import Synchronization
import Testing
import Workers

@Suite("Piper voices", .endsInTime)
struct PiperSynthesizerTests {
    private func synthesizer() async throws -> PiperSynthesizer {
        try await Fixtures.synthesizer(loader: PiperModelLoader(libraries: Fixtures.library))
    }

    private var voice: Voice.ID { .init(rawValue: "piper/en_US-fixture-low") }

    @Test("keep the contract of an engine in this process")
    func contract() async throws {
        try await verifyContract(of: try await synthesizer())
    }

    @Test("keep the contract of an engine in a worker")
    func contractInWorker() async throws {
        let workers = Fixtures.workers()
        try await verifyContract(of: try await Fixtures.synthesizer(loader: workers))
        await workers.endAll()
    }

    @Test("sound the same from a worker as from this process")
    func workerIsTransparent() async throws {
        let workers = Fixtures.workers()
        let utterance = Utterance("The same words, said twice.", voice: voice, speaker: 1)
        let there = try await Fixtures.synthesizer(loader: workers).speech(for: utterance)
        let here = try await synthesizer().speech(for: utterance)
        #expect(there == here)
        await workers.endAll()
    }

    @Test("say how many people they are, and each sounds different")
    func speakers() async throws {
        let synthesizer = try await synthesizer()
        #expect(try await synthesizer.voices().first?.speakers == 2)
        #expect(try await synthesizer.voices().first?.speakerNames == ["low", "high"])
        let first = try await synthesizer.speech(for: Utterance("Hello there, world.", voice: voice, speaker: 0))
        let second = try await synthesizer.speech(for: Utterance("Hello there, world.", voice: voice, speaker: 1))
        #expect(first.clip.samples != second.clip.samples)
    }

    @Test("take as long as the speed asks for", arguments: [0.5, 0.8, 1.25, 1.5])
    func speed(_ speed: Double) async throws {
        let synthesizer = try await synthesizer()
        let text = "A sentence that is long enough to be measured without padding, as it must be."
        let natural = try await synthesizer.speech(for: Utterance(text, voice: voice)).clip.seconds
        let changed = try await synthesizer.speech(
            for: Utterance(text, voice: voice, prosody: try Prosody(speed: speed))
        ).clip.seconds
        #expect(abs(changed * speed / natural - 1) < 0.1)
    }

    @Test("without durations of symbols have estimated times, in order and inside the sound")
    func wordTimes() async throws {
        let text = "Seven silver swans swam silently, seaward."
        let speech = try await synthesizer().speech(for: Utterance(text, voice: voice))
        let units = Array(text.utf16)
        #expect(
            speech.marks.map { String(decoding: units[$0.source], as: UTF16.self) }
                == ["Seven", "silver", "swans", "swam", "silently", "seaward"]
        )
        #expect(speech.marks.allSatisfy { $0.precision == .estimated && !$0.samples.isEmpty })
    }

    @Test("say IPA instead of what is written")
    func phonemes() async throws {
        let synthesizer = try await synthesizer()
        let spelled = SpokenText(pieces: [
            .init(.phonemes("wˈɜːld"), source: 0..<3),
            .init(.written(" of words and of silent letters, again"), source: 3..<41),
        ])
        let speech = try await synthesizer.speech(for: Utterance(text: spelled, voice: voice))
        let plain = try await synthesizer.speech(
            for: Utterance("world of words and of silent letters, again", voice: voice)
        )
        #expect(abs(speech.clip.seconds - plain.clip.seconds) < 0.2)
        #expect(speech.marks.first?.source == 0..<3)
    }

    @Test("refuse a folder that holds no voice")
    func notAFolder() {
        #expect(throws: VoiceFolderError.notAVoiceFolder) { try VoiceFolder.find(at: "/proc/self") }
        #expect(throws: VoiceFolderError.notAVoiceFolder) { try VoiceFolder.find(at: "/nowhere/at/all") }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let folder: String
        let error: VoiceFolderError
        var testDescription: String { folder }
    }

    private static let model = "en_US-fixture-low.onnx"

    static let brokenFiles: [Fault] = [
        .init(folder: "no-model", error: .missingFile(model)),
        .init(folder: "no-tokens", error: .missingFile("tokens.txt")),
        .init(folder: "no-description", error: .missingFile(model + ".json")),
        .init(folder: "nothing", error: .notAVoiceFolder),
        .init(folder: "description-garbage", error: .badDescription(model + ".json")),
        .init(folder: "description-wrong-types", error: .badDescription(model + ".json")),
        .init(folder: "description-deep", error: .badDescription(model + ".json")),
        .init(folder: "description-huge-numbers", error: .badDescription(model + ".json")),
        .init(folder: "tokens-empty", error: .badTokens("tokens.txt")),
        .init(folder: "tokens-garbage", error: .badTokens("tokens.txt")),
        .init(folder: "tokens-without-numbers", error: .badTokens("tokens.txt")),
    ]

    @Test("that are incomplete or damaged are refused by the file's name", arguments: brokenFiles)
    func faultsInFiles(_ fault: Fault) {
        #expect(throws: fault.error) {
            try PiperVoice(in: VoiceFolder.find(at: "\(Fixtures.folder)/bad/\(fault.folder)"))
        }
    }

    static let brokenModels = [
        "model-cut-short", "model-empty", "model-garbage", "model-half-metadata", "model-matcha",
        "model-metadata-garbage",
        "model-recognizer", "model-text", "model-unknown-operator", "model-without-metadata", "output-4-terabytes",
    ]

    @Test("whose model cannot be loaded are refused by its name, and the program lives", arguments: brokenModels)
    func faultsInModels(_ folder: String) async throws {
        let workers = Fixtures.workers()
        let synthesizer = try await Fixtures.synthesizer(of: "\(Fixtures.folder)/bad/\(folder)", loader: workers)
        let hello = Utterance("Hello there, you.", voice: voice)
        let error = await #expect(throws: (any Error).self) { try await synthesizer.speech(for: hello) }
        let named = try #require(error as? any UserFacingError, "\(String(describing: error)) has no words")
        #expect(!named.message.contains("sherpa-onnx"), "most models are run without it")
        #expect(try await !Fixtures.synthesizer(loader: workers).speech(for: hello).clip.samples.isEmpty)
        await workers.endAll()
    }

    @Test("whose model says what is no sound are refused")
    func noNumbers() async throws {
        let workers = Fixtures.workers()
        let folder = "\(Fixtures.folder)/bad/says-not-a-number"
        let synthesizer = try await Fixtures.synthesizer(of: folder, loader: workers)
        await #expect(throws: VoiceFolderError.badModel(Self.model)) {
            try await synthesizer.speech(for: Utterance("Hello there, you.", voice: voice))
        }
        await workers.endAll()
    }

    @Test("whose model has another rate or fewer people than the description says are refused")
    func contradictions() async throws {
        let other = StubModel(sampleRate: 8_000, speakers: 2)
        let lone = StubModel(speakers: 1)
        for model in [other, lone] {
            let synthesizer = try await Fixtures.synthesizer(loader: StubLoader { model })
            await #expect(throws: VoiceFolderError.badDescription(Self.model + ".json")) {
                try await synthesizer.speech(for: Utterance("Hello.", voice: voice, speaker: 1))
            }
        }
    }

    @Test("whose model takes long to load keep no cancelled caller waiting, and load for the next")
    func cancelledWhileLoading() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let loads = Mutex(0)
        let synthesizer = try await Fixtures.synthesizer(
            loader: StubLoader {
                loads.withLock { $0 += 1 }
                begin.yield()
                for await _ in gate {}
                return StubModel()
            }
        )
        let hello = Utterance("Hello.", voice: voice)
        let impatient = Task { try await synthesizer.speech(for: hello) }
        for await _ in begun { break }
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        open.finish()
        #expect(try await !synthesizer.speech(for: hello).clip.samples.isEmpty)
        #expect(loads.withLock { $0 } == 1)
    }

    @Test("whose model could not be loaded are tried again")
    func retried() async throws {
        let loads = Mutex(0)
        let synthesizer = try await Fixtures.synthesizer(
            loader: StubLoader {
                let load = loads.withLock { loads in
                    loads += 1
                    return loads
                }
                if load == 1 { throw WorkerError.died(signal: 9) }
                return StubModel()
            }
        )
        let hello = Utterance("Hello.", voice: voice)
        await #expect(throws: VoiceFolderError.badModel(Self.model)) { try await synthesizer.speech(for: hello) }
        #expect(try await !synthesizer.speech(for: hello).clip.samples.isEmpty)
    }

    @Test("prepared before they speak are loaded once, and only for a language they speak")
    func prepared() async throws {
        let (loads, load) = AsyncStream.makeStream(of: Void.self)
        let synthesizer = try await Fixtures.synthesizer(
            loader: StubLoader {
                load.yield()
                return StubModel()
            }
        )
        await synthesizer.prepare(voice, for: "et")
        await synthesizer.prepare(.init(rawValue: "piper/en_US-absent-low"), for: nil)
        await synthesizer.prepare(voice, for: "en-GB")
        for await _ in loads { break }
        await synthesizer.prepare(voice, for: nil)
        #expect(try await !synthesizer.speech(for: Utterance("Hello.", voice: voice)).clip.samples.isEmpty)
        load.finish()
        #expect(await loads.reduce(0) { count, _ in count + 1 } == 0)
    }

    @Test("prepared in vain report that when they first speak, and are tried again then")
    func preparedInVain() async throws {
        let loads = Mutex(0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let synthesizer = try await Fixtures.synthesizer(
            loader: StubLoader {
                let load = loads.withLock { loads in
                    loads += 1
                    return loads
                }
                begin.yield()
                if load == 1 { throw WorkerError.died(signal: 9) }
                return StubModel()
            }
        )
        await synthesizer.prepare(voice, for: nil)
        for await _ in begun { break }
        let hello = Utterance("Hello.", voice: voice)
        await #expect(throws: VoiceFolderError.badModel(Self.model)) { try await synthesizer.speech(for: hello) }
        #expect(try await !synthesizer.speech(for: hello).clip.samples.isEmpty)
        #expect(loads.withLock { $0 } == 2)
    }

    /// A synthesizer with three voices of the same files, and their ids.
    private func synthesizerOfThree(
        in folder: TemporaryFolder,
        loader: any AcousticModelLoader
    ) async throws -> (PiperSynthesizer, [Voice.ID]) {
        let voices = try ["one", "two", "three"].map { name -> PiperVoice in
            let copy = folder("vits-piper-en_US-\(name)-low")
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
            for file in [Self.model, Self.model + ".json", "tokens.txt"] {
                try FileManager.default.copyItem(atPath: "\(Fixtures.voice)/\(file)", toPath: "\(copy)/\(file)")
            }
            return try PiperVoice(in: VoiceFolder.find(at: copy))
        }
        let synthesizer = PiperSynthesizer(
            voices: FixedPiperVoices(voices),
            pronouncer: try await EspeakEngine(),
            loader: loader,
            lanes: 1,
            logger: Fixtures.logger
        )
        return (synthesizer, voices.map(\.voice.id))
    }

    @Test("prepared for nothing are released once two others have spoken")
    func preparedForNothing() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Int.self)
        let loads = Mutex(0)
        let loader = StubLoader {
            let load = loads.withLock { loads in
                loads += 1
                return loads
            }
            let life = Life { release.yield(load) }
            begin.yield()
            return StubModel(hear: { _ in withExtendedLifetime(life) {} })
        }
        let folder = TemporaryFolder()
        let (synthesizer, ids) = try await synthesizerOfThree(in: folder, loader: loader)
        await synthesizer.prepare(ids[0], for: "en")
        for await _ in begun { break }
        for id in ids.dropFirst() {
            #expect(try await !synthesizer.speech(for: Utterance("Hello.", voice: id)).clip.samples.isEmpty)
        }
        for await load in released {
            #expect(load == 1)
            break
        }
        #expect(loads.withLock { $0 } == 3)
    }

    @Test("prepared in vain hinder no other")
    func preparedInVainBesideOthers() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let loads = Mutex(0)
        let loader = StubLoader {
            let load = loads.withLock { loads in
                loads += 1
                return loads
            }
            begin.yield()
            if load == 1 { throw WorkerError.died(signal: 9) }
            return StubModel()
        }
        let folder = TemporaryFolder()
        let (synthesizer, ids) = try await synthesizerOfThree(in: folder, loader: loader)
        await synthesizer.prepare(ids[0], for: nil)
        for await _ in begun { break }
        #expect(try await !synthesizer.speech(for: Utterance("Hello.", voice: ids[1])).clip.samples.isEmpty)
        await #expect(throws: VoiceFolderError.badModel(Self.model)) {
            try await synthesizer.speech(for: Utterance("Hello.", voice: ids[0]))
        }
    }

    @Test("read given phonemes as part of the sentence, its marks and the rest of the word")
    func phonemesInContext() async throws {
        let asked = Mutex<[String]>([])
        let synthesizer = try await Fixtures.synthesizer(
            loader: StubLoader {
                StubModel { request in
                    let symbols = request.phonemes.filter { $0 != "_" }.map(String.init)
                    asked.withLock { $0.append(symbols.joined()) }
                }
            }
        )
        let texts: [SpokenText] = [
            .init(pieces: [
                .init(.written("so, "), source: 0..<4), .init(.phonemes("təmˈɑːtoʊ"), source: 4..<10),
                .init(.written("ing, my "), source: 10..<18), .init(.phonemes("fˈuː"), source: 18..<21),
                .init(.written("."), source: 21..<22),
            ]),
            .init(pieces: [
                .init(.words("my"), source: 0..<2), .init(.phonemes("fˈuː"), source: 2..<5),
                .init(.written("! so"), source: 5..<9),
            ]),
        ]
        for text in texts { _ = try await synthesizer.speech(for: Utterance(text: text, voice: voice)) }
        #expect(asked.withLock { $0 } == ["sˈoʊ, təmˈɑːtoʊˈɪŋ, mˈaɪ fˈuː.", "mˈaɪ fˈuː! sˈoʊ"])
    }

    @Test("report which sounds they do not know, and not which marks")
    func unknownSounds() async throws {
        let synthesizer = try await Fixtures.synthesizer(loader: StubLoader { StubModel() })
        for (ipa, unknown) in [("təmˈɑːtoʊ…", ""), ("fˈꙮu\u{200D}—ɡé", "ꙮé"), ("t\u{361}su", "")] {
            let text = SpokenText(pieces: [
                .init(.written("my "), source: 0..<3), .init(.phonemes(ipa), source: 3..<6),
            ])
            let speech = try await synthesizer.speech(for: Utterance(text: text, voice: voice))
            #expect(speech.unknown == Array(unknown.unicodeScalars), "\(ipa)")
        }
    }

    @Test("do not report marks on the sounds of the engine that they were trained without, and report its other sounds")
    func unknownMarks() async throws {
        let synthesizer = PiperSynthesizer(
            voices: FixedPiperVoices([try PiperVoice(in: VoiceFolder.find(at: Fixtures.voice))]),
            pronouncer: StubPhonemizer(sounds: "bˈʌt\u{325}n\u{32A}ʱ é ꙮ"),
            loader: StubLoader { StubModel() },
            lanes: 1,
            logger: Fixtures.logger
        )
        let written = SpokenText.Piece(.written("button "), source: 0..<7)
        for (pieces, unknown) in [
            ([written], "ꙮ"), ([written, SpokenText.Piece(.phonemes("d\u{325}"), source: 7..<8)], "\u{325}ꙮ\u{325}"),
        ] {
            let text = SpokenText(pieces: pieces)
            let speech = try await synthesizer.speech(for: Utterance(text: text, voice: voice))
            #expect(speech.unknown == Array(unknown.unicodeScalars))
        }
    }

    /// Has a voice that knows other symbols read a text.
    ///
    /// - Returns: The symbols that it reads, and the sounds that it does not know.
    private func reading(
        of text: String,
        knowing known: String,
        type: String,
        pronounced sounds: String = ""
    ) async throws -> (read: [Unicode.Scalar], unknown: [Unicode.Scalar]) {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder("vits-piper-en_US-other-low")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: "\(Fixtures.voice)/\(Self.model)", toPath: "\(path)/\(Self.model)")
        let description = try String(contentsOfFile: "\(Fixtures.voice)/\(Self.model).json", encoding: .utf8)
        try description.replacing(#""phoneme_type": "espeak""#, with: #""phoneme_type": "\#(type)""#)
            .write(toFile: "\(path)/\(Self.model).json", atomically: false, encoding: .utf8)
        let tokens = known.unicodeScalars.enumerated().map { "\($0.element) \($0.offset)\n" }.joined()
        try tokens.write(toFile: "\(path)/tokens.txt", atomically: false, encoding: .utf8)
        let voice = try PiperVoice(in: VoiceFolder.find(at: path))
        let asked = Mutex<[Unicode.Scalar]>([])
        let synthesizer = PiperSynthesizer(
            voices: FixedPiperVoices([voice]),
            pronouncer: StubPhonemizer(sounds: sounds),
            loader: StubLoader {
                StubModel { request in
                    asked.withLock { $0 += request.phonemes.filter { !["_", "^", "$"].contains($0) } }
                }
            },
            lanes: 1,
            logger: Fixtures.logger
        )
        let speech = try await synthesizer.speech(for: Utterance(text, voice: voice.voice.id))
        return (asked.withLock { $0 }, speech.unknown)
    }

    @Test("that read letters read a capital as the small letter where they know that alone, and letters decomposed")
    func letters() async throws {
        let (read, unknown) = try await reading(
            of: "Привіт, їЙ. Є\u{301} Ж",
            knowing: "_^$ .привітйїєЄ\u{306}\u{308}",
            type: "text"
        )
        #expect(read == Array("привіт і\u{308}и\u{306}. Є".unicodeScalars))
        #expect(unknown == ["Ж"])
    }

    @Test("read a sound as two symbols, as they were trained to, where they know both")
    func decomposed() async throws {
        for (known, written) in [("_^$ɪçc\u{327}", "ɪc\u{327}"), ("_^$ɪçc", "ɪç")] {
            let (read, unknown) = try await reading(of: "ich", knowing: known, type: "espeak", pronounced: "ɪç")
            #expect(read == Array(written.unicodeScalars))
            #expect(unknown.isEmpty)
        }
    }

    @Test("whose model never returns are given up by the watchdog, which names what it waited for")
    func neverReturns() async throws {
        var timing = WorkerTiming()
        timing.responseTimeout = .seconds(10)
        let workers = Fixtures.workers(timing: timing)
        let synthesizer = try await Fixtures.synthesizer(of: "\(Fixtures.folder)/bad/never-returns", loader: workers)
        await #expect(throws: SynthesisError.timedOut(.piper, phase: .synthesizing, seconds: 10)) {
            try await synthesizer.speech(for: Utterance("Hello there, you.", voice: voice))
        }
        await workers.endAll()
    }
}

/// Answers every request with one tone.
private struct StubModel: AcousticModel {
    var sampleRate = 16_000
    var speakers = 2
    var hear: @Sendable (PhonemeRequest) -> Void = { _ in }

    let layout = ModelLayout.whole(.durations)

    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        hear(request)
        try await deliver(.samples((0..<8_000).map { Float($0 % 80) / 160 }))
    }
}

/// Pronounces every text in the same way.
private struct StubPhonemizer: Phonemizer {
    let sounds: String

    func introduction() -> EngineIntroduction { EngineIntroduction(version: "1", voices: []) }

    func phonemes(of texts: [String], in language: String) -> [String] { texts.map { _ in sounds } }

    func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) throws -> PhraseSpeech {
        throw SynthesisError.nothingToSay
    }
}

/// Reports its end.
private final class Life: Sendable {
    private let ended: @Sendable () -> Void

    init(ended: @escaping @Sendable () -> Void) {
        self.ended = ended
    }

    deinit { ended() }
}

private struct StubLoader: AcousticModelLoader {
    let load: @Sendable () async throws -> StubModel

    func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        try await load()
    }
}

@Suite("The natural voices' libraries")
struct NaturalVoiceLibraryTests {
    @Test("are missed by their names, with words that say how to get them")
    func missing() {
        let sherpa = #expect(throws: EngineLibraryError.missing(.sherpaOnnx)) { try SherpaLibrary(folder: "/nowhere") }
        #expect(sherpa?.message.contains("sherpa-onnx") == true)
        let runtime = #expect(throws: EngineLibraryError.missing(.onnxRuntime)) {
            try ONNXRuntimeLibrary(folder: "/nowhere")
        }
        #expect(runtime?.message.contains("ONNX Runtime") == true)
        for error in [sherpa, runtime] { #expect(error?.failure.inTerminal.suggestion?.contains("make deps") == true) }
    }
}
