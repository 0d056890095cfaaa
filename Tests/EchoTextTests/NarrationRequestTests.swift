import EchoText
import EchoTextTesting
import Testing

@Suite("A narration request")
struct NarrationRequestTests {
    private static let voices = [
        Voice(
            id: .init(rawValue: "espeak/en-US"),
            name: "English",
            language: "en-US",
            engine: .espeakNG,
            sampleRate: 22_050
        ),
        Voice(
            id: .init(rawValue: "piper/two"),
            name: "Two",
            language: "en-GB",
            engine: .piper,
            speakers: 2,
            speakerNames: ["Anna", "Bert"],
            sampleRate: 16_000
        ),
    ]

    private static func profile(_ voice: String, speaker: Int = 0) -> ChosenProfile {
        let profile = VoiceProfile(
            name: "Mine",
            voice: .init(rawValue: voice),
            speaker: speaker,
            speed: 0.7,
            pitch: 1.2,
            liveliness: 0.5,
            rhythm: 0.4
        )
        return ChosenProfile(profile: profile, isStandIn: false)
    }

    private static func defaults(_ profile: ChosenProfile = profile("piper/two", speaker: 1)) -> NarrationDefaults {
        var defaults = NarrationDefaults()
        defaults.chosen = profile
        defaults.pauses = .init(sentence: 1, paragraph: 2, heading: 3)
        defaults.dictionary = "GIF = jif"
        defaults.lanes = 3
        return defaults
    }

    private static func resolve(
        with defaults: NarrationDefaults = defaults(),
        _ change: (inout NarrationRequest) -> Void = { _ in }
    ) throws -> (order: NarrationOrder, substitution: NarrationRequest.Substitution?) {
        var request = NarrationRequest()
        change(&request)
        return try request.resolve(with: defaults, among: voices, naming: "Once upon a time.")
    }

    @Test func `takes from the defaults what it does not say`() throws {
        let order = try Self.resolve().order
        #expect(order.voice.id.rawValue == "piper/two" && order.speaker == 1)
        #expect(try order.prosody == Prosody(speed: 0.7, pitch: 1.2, liveliness: 0.5, rhythm: 0.4))
        #expect(order.pauses == .init(sentence: 1, paragraph: 2, heading: 3))
        #expect(order.dictionary == "GIF = jif" && order.name.text == "Once upon a time.")
        #expect(NarrationRequest().lanes(with: Self.defaults(), cores: 8) == 3)
        #expect(NarrationRequest().lanes(with: NarrationDefaults(), cores: 8) == 8)
    }

    @Test func `wins over the defaults value by value`() throws {
        let order = try Self.resolve {
            $0.speaker = 0
            $0.speed = 1.5
            $0.rhythm = 0
            $0.pauses.paragraph = 0
            $0.dictionary = "PNG = ping"
            $0.name = "Tale"
            $0.withoutSteps = ["numbers"]
            $0.lanes = 1
        }.order
        #expect(order.speaker == 0)
        #expect(try order.prosody == Prosody(speed: 1.5, pitch: 1.2, liveliness: 0.5, rhythm: 0))
        #expect(order.pauses == .init(sentence: 1, paragraph: 0, heading: 3))
        #expect(order.dictionary == "PNG = ping" && order.name.text == "Tale" && order.withoutSteps == ["numbers"])
        var one = NarrationRequest()
        one.lanes = 1
        #expect(one.lanes(with: Self.defaults(), cores: 8) == 1)
    }

    @Test func `keeps the profile's settings for another voice, but not its speaker`() throws {
        let order = try Self.resolve { $0.voice = "en-us" }.order
        #expect(order.voice.id.rawValue == "espeak/en-US" && order.speaker == 0 && order.speed == 0.7)
        #expect(try Self.resolve { $0.voice = "piper/two" }.order.speaker == 1)
    }

    @Test func `names a speaker by number or by name`() throws {
        #expect(try Self.resolve { $0.speaker = .named("bert") }.order.speaker == 1)
        #expect(try Self.resolve { $0.speaker = VoiceSpeaker("0") }.order.speaker == 0)
        let voice = Self.voices[1].id
        #expect(throws: SynthesisError.noSpeakerCalled("Carl", of: voice, names: ["Anna", "Bert"])) {
            try Self.resolve { $0.speaker = .named("Carl") }
        }
    }

    @Test func `says what speaks in place of something else`() throws {
        let gone = try Self.resolve(with: Self.defaults(Self.profile("piper/gone", speaker: 4)))
        #expect(gone.order.voice.id.rawValue == "espeak/en-US" && gone.order.speaker == 0 && gone.order.speed == 0.7)
        guard case .voice(.init(rawValue: "piper/gone"), .voiceNotInstalled)? = gone.substitution else {
            Issue.record("it says \(String(describing: gone.substitution))")
            return
        }
        var standIn = Self.profile("piper/two")
        standIn.isStandIn = true
        guard case .profile? = try Self.resolve(with: Self.defaults(standIn)).substitution else {
            Issue.record("it does not say that the chosen profile is missing")
            return
        }
        guard case .profile? = try Self.resolve(with: Self.defaults(standIn), { $0.voice = "en-us" }).substitution
        else {
            Issue.record("it does not say whose speed and pitch a named voice has")
            return
        }
        #expect(try Self.resolve().substitution == nil)
    }

    @Test func `takes a voice of the text's language, unless one is named`() throws {
        let estonian = Voice(
            id: .init(rawValue: "espeak/et"),
            name: "Estonian",
            language: "et",
            engine: .espeakNG,
            sampleRate: 22_050
        )
        func resolve(
            _ change: (inout NarrationRequest) -> Void
        ) throws -> (order: NarrationOrder, substitution: NarrationRequest.Substitution?) {
            var request = NarrationRequest()
            request.language = "et-EE"
            change(&request)
            return try request.resolve(with: Self.defaults(), among: Self.voices + [estonian], naming: "Tere.")
        }
        let chosen = try resolve { _ in }
        #expect(chosen.order.voice.id == estonian.id && chosen.order.speaker == 0)
        guard case .language("et-EE", isSpoken: true)? = chosen.substitution else {
            Issue.record("it says \(String(describing: chosen.substitution))")
            return
        }
        #expect(try resolve { $0.voice = "piper/two" }.order.voice.id == Self.voices[1].id)
        let english = try resolve { $0.language = "en" }
        #expect(english.order.voice.id == Self.voices[1].id && english.substitution == nil)
        let latvian = try resolve { $0.language = "lv" }
        guard latvian.order.voice.id == Self.voices[1].id, case .language("lv", isSpoken: false)? = latvian.substitution
        else {
            Issue.record("it says \(String(describing: latvian.substitution))")
            return
        }
    }

    @Test func `is refused for what there is not`() throws {
        #expect(throws: SynthesisError.noSuchSpeaker(2, of: Self.voices[1].id, count: 2)) {
            try Self.resolve { $0.speaker = 2 }
        }
        #expect(throws: SynthesisError.self) { try Self.resolve { $0.voice = "xx" } }
        #expect(throws: SynthesisError.speedOutOfRange(9)) { try Self.resolve { $0.speed = 9 } }
        #expect(throws: PronunciationDictionaryError.self) { try Self.resolve { $0.dictionary = "no entry" } }
        #expect(throws: (any Error).self) { try Self.resolve { $0.name = "" } }
    }
}

@Suite("The dictionary")
struct DictionaryReplacementTests {
    /// Settings in which another program writes the dictionary once, after it was read.
    private actor SharedSettings: SettingsStore {
        private var kept: [String: String]
        private var written: String?

        init(_ dictionary: String, written: String) {
            kept = [SettingsCatalogue.dictionary.name: dictionary]
            self.written = written
        }

        func stored() -> [String: String] {
            defer {
                if let written { kept[SettingsCatalogue.dictionary.name] = written }
                written = nil
            }
            return kept
        }

        func store(_ value: String?, for name: String) { kept[name] = value }

        func store(_ value: String?, for name: String, insteadOf seen: String?) -> Bool {
            guard kept[name] == seen else { return false }
            kept[name] = value
            return true
        }

        func reset() { kept = [:] }
    }

    @Test(
        "that is replaced is given back as it was then, also one that another program has just written or that cannot be read",
        arguments: [nil, "cat = dog"] as [String?]
    )
    func replaced(by text: String?) async throws {
        let settings = SharedSettings("old = older", written: "old = older\nno entry")
        #expect(try await settings.replaceDictionary(by: text) == "old = older\nno entry")
        #expect(try await settings.dictionary() == text)
    }
}
