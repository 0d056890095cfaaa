import EchoText
import Foundation
import Testing

@Suite("A speaker of a voice")
struct VoiceSpeakerTests {
    private static func voice(_ names: [String]?, count: Int = 3) -> Voice {
        Voice(
            id: .init(rawValue: "piper/en_US-three-low"),
            name: "three",
            language: "en-US",
            engine: .piper,
            speakers: count,
            speakerNames: names,
            sampleRate: 16_000
        )
    }

    @Test(
        "is meant by number from 0, or by name in whatever case",
        arguments: [("0", 0), ("2", 2), ("anna", 0), ("BERT", 1), ("3922", 2)]
    )
    func found(_ text: String, _ number: Int) throws {
        #expect(try Self.voice(["Anna", "Bert", "3922"]).number(of: VoiceSpeaker(text)) == number)
    }

    @Test("that there is not is refused with those that there are")
    func refused() {
        let named = Self.voice(["Anna", "Bert", "Carl"])
        #expect(throws: SynthesisError.noSuchSpeaker(3, of: named.id, count: 3)) { try named.number(of: 3) }
        #expect(throws: SynthesisError.noSuchSpeaker(-1, of: named.id, count: 3)) {
            try named.number(of: VoiceSpeaker("-1"))
        }
        let unknown = SynthesisError.noSpeakerCalled("Dora", of: named.id, names: ["Anna", "Bert", "Carl"])
        #expect(throws: unknown) { try named.number(of: .named("Dora")) }
        #expect(unknown.failure.suggestion?.contains("Anna, Bert, Carl") == true)
        let nameless = Self.voice(nil)
        #expect(throws: SynthesisError.noSpeakerCalled("Anna", of: nameless.id, names: [])) {
            try nameless.number(of: .named("Anna"))
        }
    }

    @Test("is shown by name, else by number, and not at all where there is but one")
    func shown() {
        #expect(Self.voice(["Anna", "Bert", "Carl"]).title(ofSpeaker: 1) == "Bert")
        #expect(Self.voice(nil).title(ofSpeaker: 1) == "1")
        #expect(Self.voice(nil, count: 1).title(ofSpeaker: 0) == nil)
    }

    @Test(
        "is kept with its voice, and not with numbers that no voice has",
        arguments: [("speakers", 0), ("speakers", -1), ("sampleRate", 0), ("sampleRate", -1), ("sampleRate", Int.max)]
    )
    func kept(_ key: String, _ number: Int) throws {
        for voice in [Self.voice(["Anna", "Bert", "Carl"]), Self.voice(nil)] {
            let kept = try JSONEncoder().encode(voice)
            #expect(try JSONDecoder().decode(Voice.self, from: kept) == voice)
            var fields = try #require(try JSONSerialization.jsonObject(with: kept) as? [String: Any])
            fields[key] = number
            let wrong = try JSONSerialization.data(withJSONObject: fields)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Voice.self, from: wrong) }
        }
    }
}
