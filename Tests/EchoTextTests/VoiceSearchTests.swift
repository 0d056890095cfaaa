import EchoText
import Testing

@Suite("Voice search")
struct VoiceSearchTests {
    private static func voice(_ id: String, _ language: String) -> Voice {
        let engine: Voice.Engine = id.hasPrefix("espeak") ? .espeakNG : .piper
        return Voice(id: .init(rawValue: id), name: id, language: language, engine: engine, sampleRate: 22_050)
    }

    private let search = VoiceSearch(among: [
        voice("espeak/en-GB", "en-GB"), voice("espeak/en-US", "en-US"), voice("espeak/et", "et"),
        voice("piper/en_US-lessac-medium", "en-US"), voice("piper/et_EE-aivo-medium", "et-EE"),
    ])

    @Test(
        "finds a voice by its id, its short name or its language",
        arguments: [
            ("espeak/en-US", "espeak/en-US"), ("en-us", "espeak/en-US"), ("EN_us", "espeak/en-US"),
            ("en", "espeak/en-GB"),
            ("et", "espeak/et"), ("en_US-lessac-medium", "piper/en_US-lessac-medium"),
            ("piper/en_us-LESSAC-medium", "piper/en_US-lessac-medium"), ("en-US+f3", "espeak/en-US+f3"),
        ]
    )
    func finds(_ name: String, _ id: String) throws {
        #expect(try search.voice(called: name).id.rawValue == id)
    }

    @Test("finds a variant again among what it has found, as the voice of a session of practice is")
    func variantAgain() throws {
        let variant = try search.voice(called: "en-US+f3")
        #expect(try VoiceSearch(among: [variant]).voice(called: variant.id.rawValue) == variant)
        var request = NarrationRequest()
        request.voice = variant.id.rawValue
        let order = try request.resolve(with: NarrationDefaults(), among: [variant], naming: "").order
        #expect(order.voice.id.rawValue == "espeak/en-US+f3")
    }

    @Test(
        "suggests the nearest names",
        arguments: [
            ("espeak/en-SU", "espeak/en-US"), ("en_US-lesac-medium", "piper/en_US-lessac-medium"),
            ("espeak/ett", "espeak/et"),
        ]
    )
    func suggests(_ name: String, _ id: String) {
        let error = #expect(throws: SynthesisError.self) { try search.voice(called: name) }
        guard case .voiceNotInstalled(_, let similar) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(similar.first?.rawValue == id)
        #expect(error?.suggestion?.contains(id) == true)
    }

    @Test("suggests nothing for what looks like nothing")
    func suggestsNothing() {
        #expect(throws: SynthesisError.voiceNotInstalled(.init(rawValue: "zzzzzzzz"), similar: [])) {
            try search.voice(called: "zzzzzzzz")
        }
    }
}

@Suite("Language tags")
struct LanguageTagTests {
    @Test(
        "take their canonical form",
        arguments: [
            ("EN-gb", "en-GB"), ("zh_hant_tw", "zh-Hant-TW"), ("en-gb-scotland", "en-GB-scotland"),
            ("en-us-nyc", "en-US-x-nyc"),
            ("en-gb-x-rp", "en-GB-x-rp"), ("es-419", "es-419"), ("cmn-latn-pinyin", "cmn-Latn-pinyin"), ("", "und"),
            ("et", "et"),
        ]
    )
    func canonical(_ tag: String, _ form: String) {
        #expect(LanguageTag.canonical(tag) == form)
    }

    @Test(
        "are well formed, or not",
        arguments: [
            ("et", true), ("en-GB", true), ("zh-Hant-TW", true), ("es-419", true), ("und", true), ("cmn", true),
            ("en-GB-x-rp", true), ("en-x-a", true), ("de-u-co-phonebk", true), ("chr-US-Qaaa-x-west", true),
            ("", false), ("a", false), ("english", false), ("en-", false), ("en GB", false), ("e1", false),
            ("en-x", false), ("en-u", false), ("en-a-b-co", false), ("en-x-longerthan8", false), ("õä", false),
        ]
    )
    func wellFormed(_ tag: String, _ expected: Bool) {
        #expect(LanguageTag.isWellFormed(tag) == expected)
    }

    @Test(
        "match wider ranges",
        arguments: [
            ("en-GB", "en", true), ("en-GB", "EN-gb", true), ("en", "en-GB", false), ("eng", "en", false),
            ("et", "*", true),
        ]
    )
    func matches(_ tag: String, _ range: String, _ expected: Bool) {
        #expect(LanguageTag.matches(tag, range: range) == expected)
    }
}
