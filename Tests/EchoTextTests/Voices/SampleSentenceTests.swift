import EchoText
import Testing

@Suite("Sample sentences")
struct SampleSentenceTests {
    @Test func `are in the language of every voice of the catalogue`() {
        let english = SampleSentence.sentence(in: "en-US")
        for entry in ModelCatalogue.bundled.voices {
            let sentence = SampleSentence.sentence(in: entry.language)
            let isEnglish = LanguageTag.language(of: entry.language) == "en"
            #expect((sentence == english) == isEnglish, "\(entry.language)")
            #expect((10...200).contains(sentence.count))
        }
    }

    @Test func `are English where there is none`() {
        #expect(SampleSentence.sentence(in: "tlh") == SampleSentence.sentence(in: "en"))
    }
}
