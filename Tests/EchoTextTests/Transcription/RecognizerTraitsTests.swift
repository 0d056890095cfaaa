import EchoText
import Testing

@Suite("What the name of a model tells of a recogniser")
struct RecognizerTraitsTests {
    @Test(
        "is its whole name for people",
        arguments: [
            ("sherpa-onnx-whisper-tiny.en", "Whisper tiny.en"),
            ("sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8", "Parakeet tdt 0.6b v2 int8"),
            ("sherpa-onnx-nemo-ctc-fixture-en", "Nemo ctc fixture en"),
            ("moonshine-base-en-int8", "Moonshine base en int8"),
            ("", ""),
        ]
    )
    func titles(name: String, title: String) {
        #expect(RecognizerTraits(ofModel: name).title == title)
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
