import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite
struct RecognizerFolderTests {
    private let place = TemporaryFolder()

    private func folder(_ name: String, _ files: [String]) throws -> String {
        try FileManager.default.createDirectory(atPath: place(name), withIntermediateDirectories: true)
        for file in files { try place.write("x", to: "\(name)/\(file)") }
        return place(name)
    }

    private struct Case: Sendable {
        var name: String
        var files: [String]
        var layout: RecognizerFolder.Layout
        var languages: [String]
        var timing: Recognizer.Timing
        var takesLanguage = false
        var takesHotwords = false
    }

    private static let cases = [
        Case(
            name: "sherpa-onnx-whisper-tiny.en-attention",
            files: [
                "tiny.en-encoder.int8.onnx", "tiny.en-encoder.onnx", "tiny.en-decoder.int8.onnx", "tiny.en-tokens.txt",
            ],
            layout: .whisper,
            languages: ["en"],
            timing: .tokens,
            takesHotwords: true
        ),
        Case(
            name: "sherpa-onnx-whisper-base",
            files: ["base-encoder.onnx", "base-decoder.onnx", "base-tokens.txt"],
            layout: .whisper,
            languages: ["mul"],
            timing: .segments,
            takesLanguage: true,
            takesHotwords: true
        ),
        Case(
            name: "sherpa-onnx-moonshine-tiny-en-int8",
            files: [
                "preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx",
                "tokens.txt",
            ],
            layout: .moonshine,
            languages: ["en"],
            timing: .none
        ),
        Case(
            name: "sherpa-onnx-moonshine-base-en-quantized-2026-02-27",
            files: ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"],
            layout: .moonshine,
            languages: ["en"],
            timing: .none
        ),
        Case(
            name: "sherpa-onnx-zipformer-gigaspeech-2023-12-12-en",
            files: [
                "encoder-epoch-30-avg-1.int8.onnx", "encoder-epoch-30-avg-1.onnx", "decoder-epoch-30-avg-1.onnx",
                "joiner-epoch-30-avg-1.int8.onnx", "tokens.txt", "bpe.vocab",
            ],
            layout: .transducer,
            languages: ["en"],
            timing: .tokens,
            takesHotwords: true
        ),
        Case(
            name: "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8",
            files: ["encoder.int8.onnx", "decoder.int8.onnx", "joiner.int8.onnx", "tokens.txt"],
            layout: .transducer,
            languages: ["mul"],
            timing: .tokens
        ),
        Case(
            name: "sherpa-onnx-nemo-ctc-en-conformer-small",
            files: ["model.onnx", "tokens.txt"],
            layout: .nemoCTC,
            languages: ["en"],
            timing: .tokens
        ),
        Case(
            name: "sherpa-onnx-paraformer-zh-2024-03-09",
            files: ["model.int8.onnx", "model.onnx", "tokens.txt"],
            layout: .paraformer,
            languages: ["zh"],
            timing: .tokens
        ),
        Case(
            name: "sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17",
            files: ["model.int8.onnx", "tokens.txt"],
            layout: .senseVoice,
            languages: ["zh", "en", "ja", "ko"],
            timing: .tokens,
            takesLanguage: true
        ),
    ]

    @Test(arguments: RecognizerFolderTests.cases.indices)
    func `layouts are known by their files, and the rest by their names`(index: Int) throws {
        let wanted = Self.cases[index]
        let found = try RecognizerFolder.find(at: try folder(wanted.name, wanted.files))
        #expect(found.layout == wanted.layout)
        let recognizer = found.recognizer.recognizer
        #expect(recognizer.languages == wanted.languages)
        #expect(recognizer.timing == wanted.timing)
        #expect(recognizer.takesLanguage == wanted.takesLanguage)
        #expect(recognizer.takesHotwords == wanted.takesHotwords)
        #expect(recognizer.takesPrompt == (wanted.layout == .whisper))
        #expect(recognizer.size == Int64(wanted.files.count))
        #expect(recognizer.id.rawValue == "sherpa/" + wanted.name.dropFirst("sherpa-onnx-".count))
        for part in RecognizerFolder.Part.allCases {
            guard let file = found.file(part) else { continue }
            #expect(FileManager.default.fileExists(atPath: file))
        }
        #expect(found.file(.tokens) != nil)
    }

    @Test
    func `clips that may be in several languages have a silence between them even if words have times`() throws {
        func local(_ name: String) throws -> LocalRecognizer {
            let files = ["a-encoder.onnx", "a-decoder.onnx", "a-tokens.txt"]
            return try RecognizerFolder.find(at: try folder(name, files)).recognizer
        }
        let (english, any) = (
            try local("sherpa-onnx-whisper-a.en-attention"), try local("sherpa-onnx-whisper-a-attention")
        )
        #expect(english.pauseInPacks(with: RecognitionSettings()) == 0)
        #expect(any.pauseInPacks(with: RecognitionSettings(language: "et")) == 0)
        for language in [nil, "und", "mul"] {
            #expect(any.pauseInPacks(with: RecognitionSettings(language: language)) == 39)
        }
    }

    @Test
    func `clips of a pack are two seconds apart for a Whisper that knows the times of passages alone`() throws {
        let files = ["a-encoder.onnx", "a-decoder.onnx", "a-tokens.txt"]
        let english = try RecognizerFolder.find(at: try folder("sherpa-onnx-whisper-b.en", files)).recognizer
        let pause = try #require(english.pauseInPacks(with: RecognitionSettings()))
        #expect(pause + 2 * SegmentationRules.long.margin == SegmentationRules.long.longPause)
        let any = try RecognizerFolder.find(at: try folder("sherpa-onnx-whisper-b", files)).recognizer
        #expect(any.pauseInPacks(with: RecognitionSettings(language: "et")) == pause)
        #expect(any.pauseInPacks(with: RecognitionSettings()) == pause)
        let transducer = try RecognizerFolder.find(at: try folder(Self.cases[4].name, Self.cases[4].files)).recognizer
        #expect(transducer.pauseInPacks(with: RecognitionSettings(language: "en")) == nil)
    }

    @Test
    func `of several files the one of 8-bit numbers is taken`() throws {
        let found = try RecognizerFolder.find(at: try folder(Self.cases[4].name, Self.cases[4].files))
        #expect(found.file(.encoder)?.hasSuffix("encoder-epoch-30-avg-1.int8.onnx") == true)
        #expect(found.file(.decoder)?.hasSuffix("decoder-epoch-30-avg-1.onnx") == true)
    }

    @Test
    func `other folders are refused, each with its reason`() throws {
        let cases: [(name: String, files: [String], error: RecognitionError)] = [
            ("empty", [], .notARecognizer),
            ("text", ["tokens.txt", "notes.txt"], .notARecognizer),
            ("sherpa-onnx-whisper-a", ["a-encoder.onnx", "a-decoder.onnx"], .missingFile("a-tokens.txt")),
            ("sherpa-onnx-whisper-b", ["b-decoder.onnx", "b-tokens.txt"], .missingFile("b-encoder.onnx")),
            ("sherpa-onnx-zipformer-a", ["joiner.onnx", "encoder.onnx", "tokens.txt"], .missingFile("decoder.onnx")),
            (
                "sherpa-onnx-streaming-zipformer-en", ["joiner.onnx", "encoder.onnx", "decoder.onnx", "tokens.txt"],
                .unsupportedModel("joiner.onnx")
            ),
            ("vits-piper-en_US-x-low", ["en_US-x-low.onnx", "tokens.txt"], .unsupportedModel("en_US-x-low.onnx")),
        ]
        for one in cases {
            let path = try folder(one.name, one.files)
            #expect(throws: one.error, "\(one.name)") { try RecognizerFolder.find(at: path) }
        }
        #expect(throws: RecognitionError.notARecognizer) { try RecognizerFolder.find(at: place("nowhere")) }
    }

    @Test
    func `a folder of recognizers lists what can be used, and what is wrong with the rest`() throws {
        #expect(RecognizerFolders(in: place("nowhere")).contents().isEmpty)
        _ = try folder("homes/sherpa-onnx-whisper-base", Self.cases[1].files)
        _ = try folder("homes/sherpa-onnx-whisper-small", ["small-encoder.onnx", "small-decoder.onnx"])
        _ = try folder("homes/.incoming-1", Self.cases[1].files)
        let folders = RecognizerFolders(in: place("homes"))
        #expect(folders.recognizers().map(\.recognizer.id.rawValue) == ["sherpa/whisper-base"])
        #expect(folders.contents().map(\.name) == ["sherpa-onnx-whisper-base", "sherpa-onnx-whisper-small"])
    }

    @Test
    func `recognizers whose names would be the same have their folders' names beside them`() throws {
        _ = try folder("homes/moonshine-tiny-en", Self.cases[2].files)
        _ = try folder("homes/sherpa-onnx-moonshine-tiny-en-int8", Self.cases[2].files)
        _ = try folder("homes/sherpa-onnx-whisper-base", Self.cases[1].files)
        let names = RecognizerFolders(in: place("homes")).recognizers().map(\.recognizer.name)
        let both = ["moonshine-tiny-en", "moonshine-tiny-en-int8"].map { "Moonshine tiny EN (\($0))" }
        #expect(names == both + ["Whisper base"])
    }
}

@Suite
struct RecommendedRecognizerTests {
    @Test(arguments: ["en-GB", "et", "zh", "und", nil])
    func `every recommended one is in the catalogue`(language: String?) {
        let recommended = RecommendedRecognizer.all(for: language)
        let offers = ModelCatalogue.bundled.recognizers(for: language)
        #expect(offers.prefix(3).map(\.entry.id) == recommended.map(\.entry))
        #expect(offers.prefix(3).compactMap(\.reason) == RecommendedRecognizer.Reason.allCases)
        let paces = recommended.compactMap { RecognizerTraits(ofModel: $0.entry.rawValue).pace(cores: 2) }
        #expect(paces.count == 3 && paces.first == paces.min(), "the quick one is the quickest")
        let ids = offers.map(\.entry.id)
        #expect(Set(ids).count == ids.count)
        #expect(!ids.contains { $0.rawValue.contains("streaming") })
    }

    @Test(
        arguments: [
            (nil, "et", "et"), (nil, "en", nil), (nil, "und", nil), (nil, "mul", nil), ("de", "et", "de"),
            ("und", "et", nil),
        ] as [(String?, String, String?)]
    )
    func `a recording's language is taken where none is set and one of them knows it`(
        set: String?,
        spoken: String,
        settled: String?
    ) {
        let estonian = Recognizer(
            id: .init(rawValue: "a/et"),
            name: "et",
            engine: .sherpaOnnx,
            languages: ["et"],
            timing: .none
        )
        var settings = RecognitionSettings(language: set)
        settings.settleLanguage(spoken: spoken, among: [estonian])
        #expect(settings.language == settled)
    }

    @Test(
        arguments: [
            ("et", "et"), ("et-EE", "et-EE"), ("vro", nil), ("zxx", nil), ("mis", nil), ("mul", nil),
        ] as [(String, String?)]
    )
    func `a language that a multilingual model would refuse is left to it to find out`(
        spoken: String,
        settled: String?
    ) {
        let multilingual = Recognizer(
            id: .init(rawValue: "a/base"),
            name: "base",
            engine: .sherpaOnnx,
            languages: ["mul"],
            hears: ["en", "et"],
            timing: .none,
            takesLanguage: true
        )
        let service = Recognizer(
            id: .init(rawValue: "remote/office"),
            name: "Office",
            engine: .remote,
            languages: ["mul"],
            timing: .none
        )
        for recognizers in [[multilingual], [multilingual, service]] {
            var settings = RecognitionSettings()
            settings.settleLanguage(spoken: spoken, among: recognizers)
            #expect(settings.language == settled)
        }
    }

    @Test
    func `the order that a person named comes first`() throws {
        let names = ["a/one", "a/two", "a/three"]
        let recognizers = names.map { name in
            Recognizer(id: .init(rawValue: name), name: name, engine: .sherpaOnnx, languages: ["mul"], timing: .none)
        }
        let order = try #require(RecognizerOrder(text: "a/three a/gone a/one a/three"))
        #expect(order.text == "a/three a/gone a/one")
        #expect(order.sorted(recognizers).map(\.id.rawValue) == ["a/three", "a/one", "a/two"])
        #expect(RecognizerOrder(text: "")?.sorted(recognizers) == recognizers)
        let english = Recognizer(
            id: .init(rawValue: "a/en"),
            name: "en",
            engine: .sherpaOnnx,
            languages: ["en-US"],
            timing: .none
        )
        let all = [english] + recognizers
        #expect(RecognizerOrder([]).sorted(all, for: "et").last == english)
        #expect(RecognizerOrder([]).sorted(all, for: "en-GB") == all)
        #expect(RecognizerOrder([]).sorted(all, for: "und") == all)
        for text in ["nothing", "/x", "x/"] { #expect(RecognizerOrder(text: text) == nil) }
    }

    private static func installed(_ id: String, _ languages: [String]) -> Recognizer {
        let engine: Recognizer.Engine =
            id.hasPrefix("pocketsphinx/") ? .pocketSphinx : id.hasPrefix("remote/") ? .remote : .sherpaOnnx
        return Recognizer(id: .init(rawValue: id), name: id, engine: engine, languages: languages, timing: .none)
    }

    @Test(arguments: [
        ("en", ["nemo-parakeet-tdt-0.6b-v2-int8", "whisper-base.en", "own", "whisper-turbo", "whisper-tiny.en"]),
        ("et", ["own", "whisper-turbo"]),
        ("und", ["whisper-turbo", "nemo-parakeet-tdt-0.6b-v2-int8", "whisper-base.en", "own", "whisper-tiny.en"]),
    ])
    func `without a person's order the best is first, and the basic one is the last on this machine`(
        language: String,
        expected: [String]
    ) {
        // As they are listed: by name, then the basic one, then services.
        let all = [
            Self.installed("sherpa/nemo-parakeet-tdt-0.6b-v2-int8", ["en"]), Self.installed("sherpa/own", ["mul"]),
            Self.installed("sherpa/whisper-base.en", ["en"]), Self.installed("sherpa/whisper-tiny.en", ["en"]),
            Self.installed("sherpa/whisper-turbo", ["mul"]), Self.installed("pocketsphinx/en-US", ["en-US"]),
            Self.installed("remote/office", ["mul"]),
        ]
        let sorted = RecognizerOrder([]).sorted(all, for: language)
        let known = sorted.filter { $0.knows(language) }
        #expect(known.filter { $0.engine == .sherpaOnnx }.map(\.id.modelName) == expected)
        let others = known.drop { $0.engine == .sherpaOnnx }.map(\.engine)
        #expect(others == (language == "et" ? [.remote] : [.pocketSphinx, .remote]))
        #expect(Set(sorted) == Set(all) && sorted.prefix(known.count) == known[...])
        let basic = RecognizerOrder([Recognizer.ID(rawValue: "pocketsphinx/en-US")])
        #expect(basic.sorted(all, for: "en").first?.engine == .pocketSphinx, "a person's order goes before")
    }
}

@Suite
struct EnergyDetectorTests {
    @Test
    func `it keeps the promises of the port`() async throws {
        try await verifyContract(of: EnergyDetector(), on: .hum(3))
    }
}
