import EchoText
import Testing

@Suite("What the name of a model says of a recognizer")
struct RecognizerTraitsTests {
    @Test(
        "is its name for people",
        arguments: [
            ("sherpa-onnx-whisper-tiny.en", "Whisper tiny EN"),
            ("sherpa-onnx-whisper-tiny", "Whisper tiny"),
            ("sherpa-onnx-whisper-distil-large-v3.5", "Whisper distil large v3.5"),
            ("sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8", "Parakeet 0.6B v2"),
            ("sherpa-onnx-nemo-parakeet_tdt_ctc_110m-en-36000-int8", "Parakeet CTC 110M EN 36000"),
            ("sherpa-onnx-nemo-ctc-fixture-en", "Nemo CTC fixture EN"),
            ("sherpa-onnx-zipformer-small-en-2023-06-26", "Zipformer small EN 2023-06-26"),
            ("moonshine-base-en-int8", "Moonshine base EN"),
            ("my-whisper.et", "My whisper ET"),
            ("int8", "Int8"),
            ("", ""),
        ]
    )
    func titles(name: String, title: String) {
        #expect(RecognizerTraits(ofModel: name).title == title)
    }

    @Test("tells people apart what is offered, without what only its makers understand")
    func offered() {
        let titles = ModelCatalogue.bundled.recognizers().map { RecognizerTraits(ofModel: $0.entry.id.rawValue).title }
        #expect(!titles.isEmpty && Set(titles).count == titles.count)
        let words = Set(titles.flatMap { $0.split(separator: " ").map(String.init) })
        #expect(words.isDisjoint(with: ["nemo", "tdt", "int8", "tiny.en", "0.6b"]))
    }

    @Test("is which model it is, whoever packed it")
    func model() {
        let names = [
            "sherpa-onnx-whisper-tiny.en", "whisper-tiny.en", "sherpa-onnx-whisper-tiny.en-attention",
            "Whisper-tiny.en-int8",
        ]
        #expect(Set(names.map { RecognizerTraits(ofModel: $0).model }).count == 1)
        let others = ["whisper-tiny", "whisper-base.en", "nemo-parakeet-tdt-0.6b-v2", "nemo-parakeet-tdt-0.6b-v3-int8"]
        #expect(Set((names + others).map { RecognizerTraits(ofModel: $0).model }).count == 5)
    }

    @Test("says what is installed already, unless that cannot be used")
    func installed() throws {
        let entry = try #require(CatalogueEntry(archive: "sherpa-onnx-whisper-tiny.en.tar.bz2"))
        let folder = "whisper-tiny.en-attention"
        let recognizer = Recognizer(
            id: Recognizer.ID(rawValue: "sherpa/\(folder)"),
            name: "Whisper tiny EN attention",
            engine: .sherpaOnnx,
            languages: ["en"],
            timing: .tokens
        )
        let local = LocalRecognizer(recognizer, model: .pocketSphinx(folder: "/nowhere"))
        let usable = InstalledRecognizer(folder: folder, result: .success(local), receipt: nil)
        let damaged = InstalledRecognizer(folder: folder, result: .failure(.missingFile("tokens.txt")), receipt: nil)
        let other = InstalledRecognizer(folder: "whisper-base.en", result: .success(local), receipt: nil)
        #expect(entry.isInstalled(among: [other, usable]))
        #expect(!entry.isInstalled(among: [other, damaged]) && !entry.isInstalled(among: []))
    }

    @Test("is whether it knows English alone without saying so")
    func english() {
        let names = ["whisper-distil-large-v3.5", "nemo-parakeet-tdt-0.6b-v2-int8"]
        #expect(names.allSatisfy { RecognizerTraits(ofModel: $0).isEnglishOnly })
        let others = ["whisper-large-v3", "nemo-parakeet-tdt-0.6b-v3-int8", "zipformer-ru-2024-09-18"]
        #expect(others.allSatisfy { !RecognizerTraits(ofModel: $0).isEnglishOnly })
    }

    @Test("is which languages it hears")
    func languages() {
        let whisper = RecognizerTraits(ofModel: "sherpa-onnx-whisper-base").hears
        #expect(whisper.contains("et") && whisper.contains("zh") && !whisper.contains("jw"))
        #expect(whisper == whisper.sorted())
        let parakeet = RecognizerTraits(ofModel: "nemo-parakeet-tdt-0.6b-v3-int8").hears
        #expect(parakeet.count == 25 && parakeet.contains("en") && !parakeet.contains("zh"))
        #expect(RecognizerTraits(ofModel: "paraformer").hears.isEmpty)
    }

    @Test("is how long it is expected to need, which falls with the cores and grows with the model")
    func pace() throws {
        let tiny = RecognizerTraits(ofModel: "whisper-tiny.en")
        let one = try #require(tiny.pace(cores: 1))
        #expect(tiny.pace(cores: 2) == one / 2 && tiny.pace(cores: 4) == tiny.pace(cores: 64))
        #expect(tiny.pace(cores: 0) == one)
        let paces = ["tiny", "base", "small", "medium", "turbo", "large-v3"].compactMap {
            RecognizerTraits(ofModel: "sherpa-onnx-whisper-\($0)").pace(cores: 2)
        }
        #expect(paces.count == 6 && paces == paces.sorted())
        #expect(RecognizerTraits(ofModel: "nobody").pace() == nil)
    }
}
