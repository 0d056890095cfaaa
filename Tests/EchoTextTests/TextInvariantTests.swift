import EchoText
import EchoTextTesting
import Testing

@Suite("Prepared text, whatever is written")
struct TextInvariantTests {
    static let languages = ["en-US", "et", "de", "fr", "es", "ru", "ja", ""]

    /// Eleven scripts, with numbers and signs that rules might trip over.
    static let texts = [
        "Dr. Smith paid $5.50 on 21/11/2026 at 14:30 — about 3/4 of it; see No. 5, e.g. https://example.com/a-b.",
        "Быстрая лиса № 5 прыгнула 21.11.2026 в 14:30 через 100 км/ч и ёлку: «да», а не «нет»!",
        "Η γρήγορη αλεπού, 3,14 και 1984· ά\u{301} ΐ 50% στις 14:30.",
        "قفز الثعلب ١٢٣ البني السريع، ٥٠٪ و 2026-11-21 می‌خواهم ﷲ ﻻ",
        "השועל החום המהיר 5 קפץ מעל הכלב בשנת 1984, „שלום” שָׁלוֹם",
        "तेज़ भूरी लोमड़ी ५ क्‍ष आलसी कुत्ते पर 1,23,456 कूद गई।",
        "สุนัขจิ้งจอก 5 กม. สีน้ำตาล\u{200B}กระโดด ๑๒๓ ข้าม 50%",
        "敏捷的棕色狐狸在2026年11月21日跳过了https://example.com/中文一只懒狗，３％。",
        "素早い茶色のキツネﾊﾝｶｸがのろまな犬を飛び越える。㎏ ①２０２６年 か\u{3099}",
        "재빠른 갈색 여우가 5 km를 뛰어넘는다. \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}",
        "Emoji 👩‍👩‍👧‍👦 🇪🇪 👍🏽 ❤️ 1️⃣ 😀5€ 😀😀km x😀y **😀**",
        "ﬁne oﬃce Straße İstanbul ǆ 𝕳𝖊𝖑𝖑𝖔 H₂O x² ½ ⅔ Ⅷ ℃ №5 in\u{AD}ter Žižek õun",
    ]

    @Test("keeps every letter", arguments: texts, languages)
    func letters(_ text: String, _ language: String) {
        let spoken = TextPreparation(language: language).prepare(text, at: 1_000)
        expectSound(spoken, for: text, at: 1_000)
        #expect(lostLetters(of: text, in: spoken, at: 1_000).isEmpty)
    }

    /// Things that begin something, end something or look like it.
    private static let fragments = [
        "5", "12", "1984", "2026", "007", "1,234", "1 234 567", "3.14", "3,14", "½", "1/2", "10–20", "10-20", "-", "−",
        "–",
        "$", "€", "US$", "EUR", "m", "bn", "%", "km", "km/h", "°C", "²", "'", "\"", "11\"", ":", "14:30", ".", "...",
        "!!!",
        "Dr.", "St", "Mr", "e.g.", "z. B.", "a.m.", "pm", "Jan.", "21. november", "May", "IV", "Henry", "XXe", "siècle",
        "sajandil", "http://", "www.", "example.com", "@", "a@b.ee", "/", "?", "#", "*", "**", "_", "`", "~~", "[",
        "](x)",
        "![", "(", ")", "|", "|---|", "-----", ">", "<", "=", "→", " ", "  ", "\n", "\u{A0}", "\u{AD}", "\u{200D}",
        "\u{FE0F}",
        "\u{301}", "\u{FFFD}", "\u{0}", "ﬁ", "𝐀", "😀", "é", "õ", "Ж", "中", "한", "\u{1100}", "ก", "ا", "１", "℃", "＄",
        "+372",
        "(555)", "1e6", "2.0.1", "21.11.2026", "2026-11-21", "’", "ﷺ", "①", "㎏", "\u{202E}", "word", "un", "gif",
    ]

    @Test("holds for random writing", arguments: 0..<40)
    func random(_ seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        let dictionary = try PronunciationDictionary(
            parsing: "gif = /dʒɪf/\nun* = oon\n*ord = aard\n\"km\" = K\n5 m = x\n5 = 6"
        )
        for _ in 0..<60 {
            let count = Int.random(in: 1...14, using: &generator)
            let text = (0..<count).compactMap { _ in Self.fragments.randomElement(using: &generator) }.joined()
            let language = Self.languages.randomElement(using: &generator) ?? "en"
            let steps = TextPreparation.Steps(rawValue: UInt16.random(in: 0..<2_048, using: &generator))
            for steps in [steps, .all] {
                let spoken = TextPreparation(language: language, steps: steps, dictionary: dictionary).prepare(
                    text,
                    at: 50
                )
                expectSound(spoken, for: text, at: 50)
            }
        }
    }

    @Test("holds for any scalars", arguments: 100..<120)
    func scalars(_ seed: UInt64) {
        var generator = SeededNumbers(seed: seed)
        for limit in [0x80, 0x300, 0x3000, 0x1_0000, 0x11_0000] as [UInt32] {
            var text = String.UnicodeScalarView()
            for _ in 0..<200 {
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { text.append(scalar) }
            }
            for language in Self.languages {
                expectSound(TextPreparation(language: language).prepare(String(text), at: 0), for: String(text), at: 0)
            }
        }
    }

    @Test(
        "is reached for long runs of one thing",
        arguments: [
            "a", "a.", "A.", "1", "1 ", "1,234", "1.", "1-", "1/", "$", "$5", "(", "[", "[a](", "*", "_", "http://",
            "www.",
            "a@", "\u{301}", "\u{200D}", "\u{AD}", "|", "#", "-", ".", "😀", "中", "\u{1100}", "ﬁ", "X", "Henry X ", "'",
        ]
    )
    func long(_ unit: String) {
        let text = String(repeating: unit, count: 3_000)
        for language in ["en", "zz"] {
            let spoken = TextPreparation(language: language).prepare(text, at: 0)
            #expect(spoken.pieces.last.map { $0.source.upperBound <= text.utf16.count } ?? true)
        }
    }
}
