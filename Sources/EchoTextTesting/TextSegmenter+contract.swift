package import EchoText
import Testing

/// Checks every promise ``TextSegmenter`` makes, on `text`.
package func verifyContract(of segmenter: some TextSegmenter, text: String, language: String) {
    let units = Array(text.utf16)
    let sentences = segmenter.sentences(in: text, language: language)
    var end = 0
    for sentence in sentences {
        #expect(sentence.lowerBound == end, "sentences must follow one another without a gap")
        #expect(!sentence.isEmpty, "a sentence has something in it")
        end = sentence.upperBound
    }
    #expect(end == units.count, "sentences must cover the whole text")

    end = 0
    for word in segmenter.words(in: text, language: language) {
        #expect(word.lowerBound >= end && word.upperBound <= units.count, "words must follow one another in the text")
        #expect(!word.isEmpty)
        end = word.upperBound
    }
    #expect(segmenter.sentences(in: "", language: language).isEmpty)
    #expect(segmenter.words(in: "", language: language).isEmpty)
}

/// A text in each of twelve languages, with the punctuation of its script.
package let scriptSamples: [(language: String, text: String)] = [
    ("en", "Dr. Smith met J. R. R. Tolkien at 5 p.m. “Really?” she asked. It cost $3.50! Then they left…"),
    ("et", "Tere! Kas sa tuled 21. novembril kell 14.30? Dr. Tamm ootab. Õues on külm ja öö läheneb."),
    ("de", "Am 3. Mai kam Dr. Müller, z. B. mit dem Zug. „Wirklich?“ fragte er. Schöne Grüße!"),
    ("ru", "Привет, мир! Это г. Москва, не так ли? Да… и т. д. Ёжик ушёл."),
    ("el", "Καλημέρα κόσμε. Τι κάνεις; Είμαι καλά!"),
    ("ar", "مرحبا بالعالم. كيف حالك؟ أنا بخير، شكرا!"),
    ("he", "שלום עולם. מה שלומך? אני בסדר!"),
    ("hi", "नमस्ते दुनिया। आप कैसे हैं? मैं ठीक हूँ।"),
    ("th", "สวัสดีชาวโลก ฉันชอบอ่านหนังสือ มันสนุกมาก"),
    ("zh", "你好，世界。今天天气怎么样？很好！我们走吧。"),
    ("ja", "こんにちは、世界。元気ですか？はい、元気です！"),
    ("ko", "안녕하세요, 세계. 잘 지내세요? 네, 잘 지내요!"),
    ("en", "Emoji 👨‍👩‍👧‍👦 family. Flags 🇪🇪 and 👍🏽! Combining e\u{301} and ẛ̣."),
]
