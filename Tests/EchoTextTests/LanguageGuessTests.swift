import EchoTextTesting
import Foundation
import Testing

@testable import EchoText

@Suite("Language of a text")
struct LanguageGuessTests {
    @Test(
        arguments: [
            ("en", "The king fled to the sea, and nobody was there."),
            ("de", "Am 3. Oktober um 8:03 Uhr kamen 21 Leute."), ("et", "Kell 9.05 tuli 21 inimest."),
            ("et", "Tere, siin räägib eesti keel, ja kell on 9.05."),
            ("fr", "Le chat dort sur la chaise, et il fait nuit."), ("sv", "Katten sover på stolen och det är natt."),
            ("pt", "O gato dorme na cadeira e é noite."), ("ru", "Мы были дома, и вышел туман."),
            ("uk", "Їжак і ґава були вдома."), ("el", "Η γάτα κοιμάται."), ("he", "החתול ישן"), ("ja", "猫が椅子で寝ています。"),
            ("zh", "猫在椅子上睡觉。"), ("ko", "고양이가 잔다."), ("hi", "बिल्ली सोती है।"),
        ]
    )
    func `is recognized by its words or its script`(language: String, text: String) {
        #expect(LanguageGuess.language(of: text) == language)
    }

    @Test(
        arguments: [
            "", "12", "Chapter 3", "No, no, no, no!", "Van, van, van, van", "He said « Je ne sais quoi » and left.",
            "Lorem Kowalski", "La la la la la", "m. E. gilt das gem. Art. 5, a. a. O.",
        ]
    )
    func `is not guessed where it is not clear`(text: String) {
        #expect(LanguageGuess.language(of: text) == nil)
    }

    @Test(
        arguments: [
            ("ger", "de"), ("deu", "de"), ("de_DE", "de-DE"), ("EST", "et"), ("fre-CA", "fr-CA"), ("eng", "en"),
            ("gsw", "gsw"), ("en-gb", "en-GB"), ("zh_hant", "zh-Hant"), ("en, fr", nil), ("und", nil), ("mul", nil),
            ("", nil), ("en-us, de", nil), ("Deutsch", nil), ("zxx", nil),
        ] as [(String, String?)]
    )
    func `is read from tags with two or three letters`(tag: String, stated: String?) {
        #expect(LanguageTag.stated(tag) == stated)
    }

    @Test func `decides by what rules a passage is read`() async throws {
        let text = """
            He said “Je ne sais quoi” and left at 8:03.

            Es war am 3. Oktober um 8:03 Uhr.

            Kell 9.05 tuli 21 inimest.

            Chapter 3 was read on 3/4/2024 and it ended at 8:03.
            """
        let all = try await said(text).joined()
        #expect(all.contains("acht Uhr drei") && !all.contains("um eight"))
        #expect(all.components(separatedBy: "eight oh three").count == 3, "the English passages: \(all)")
    }

    /// The words said of each sentence of a text by a voice of American English.
    private func said(
        _ text: String,
        in languages: TextLanguages? = nil,
        by segmenter: any TextSegmenter = PlainSegmenter()
    ) async throws -> [String] {
        var plan = NarrationPlan(
            of: StringSource(text),
            language: "en-US",
            segmenter: segmenter,
            preparation: TextPreparation(language: "en-US"),
            pauses: .init(),
            languages: languages
        )
        var said: [String] = []
        while let chunk = try await plan.nextChunk() {
            said += chunk.map { sentence in
                sentence.phrases.flatMap(\.pieces).map { piece in
                    switch piece.content {
                    case .written(let text), .words(let text): text
                    case .phonemes(let phonemes): phonemes
                    }
                }.joined()
            }
        }
        return said
    }

    @Test func `is that of a passage where a document states one`() async throws {
        let text = "He read um 8:03 Uhr aloud.\n\nUm 8:03 Uhr.\n\nIt was 8:03."
        let words = try await said(text)
        #expect(words == ["He read um eight oh three Uhr aloud.", "Um eight oh three Uhr.", "It was eight oh three."])
        let passages = [
            LanguagePassage(range: 7..<19, language: "de"), LanguagePassage(range: 26..<40, language: "de"),
        ]
        let stated = try await said(text, in: TextLanguages(main: "en", passages: passages))
        #expect(stated == ["He read um acht Uhr drei aloud.", "Um acht Uhr drei.", "It was eight oh three."])
        let within = [LanguagePassage(range: 21..<23, language: "de")]
        #expect(try await said(text, in: TextLanguages(main: "en", passages: within)) == words, "no word is divided")
    }

    /// Knows no ends of German sentences.
    private struct OneSentenceOfGerman: TextSegmenter {
        func sentences(in text: String, language: String) -> [TextRange] {
            language == "de"
                ? [0..<text.utf16.count] : PlainSegmenter().sentences(in: text, language: language)
        }

        func words(in text: String, language: String) -> [TextRange] {
            PlainSegmenter().words(in: text, language: language)
        }
    }

    @Test func `ends no sentence within a passage whose own language does not`() async throws {
        let text = "He read am 3. Mai aloud. It was so."
        let passages = [LanguagePassage(range: 8..<17, language: "de")]
        let languages = TextLanguages(main: "en", passages: passages)
        let stated = try await said(text, in: languages, by: OneSentenceOfGerman())
        #expect(stated == ["He read am dritten Mai aloud.", "It was so."])
    }

    @Test func `is that of the document where its words do not show it`() async throws {
        #expect(try await said("Um 8:03 Uhr.", in: TextLanguages(main: "de")) == ["Um acht Uhr drei."])
        let british = try await said("It is 3/4/2024.", in: TextLanguages(main: "en-GB"))
        let own = try await said("It is 3/4/2024.")
        #expect(british == own, "the voice's own region decides")
    }
}
