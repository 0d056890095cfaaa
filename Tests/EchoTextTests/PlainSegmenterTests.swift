import EchoTextTesting
import Testing

@Suite("Plain segmenter")
struct PlainSegmenterTests {
    @Test("keeps the contract", arguments: scriptSamples)
    func contract(_ sample: (language: String, text: String)) {
        verifyContract(of: PlainSegmenter(), text: sample.text, language: sample.language)
    }
}
