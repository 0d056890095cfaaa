import EchoText
import Foundation
import Testing

@Suite("The name of a neural voice")
struct NeuralVoiceNameTests {
    private static let cases: [(model: String, title: String, quality: VoiceQuality?)] = [
        ("en_US-joe-medium", "Joe", .medium), ("en_GB-southern_english_female-low", "Southern English female", .low),
        ("en_US-hfc_female-medium", "HFC female", .medium), ("en_US-libritts_r-medium", "LibriTTS R", .medium),
        ("en_GB-vctk-medium", "VCTK", .medium), ("fr_FR-tjiho-model1", "Tjiho", VoiceQuality(rawValue: "model1")),
        ("mine", "Mine", nil), ("mine-low", "Mine", .low), ("et_EE-õie-high", "Et EE-õie", .high),
        ("low", "Low", nil),
    ]

    @Test("is written as a person writes it, with its quality apart", arguments: cases)
    func titles(_ model: String, _ title: String, _ quality: VoiceQuality?) {
        let name = NeuralVoiceName(of: Voice.ID(rawValue: "piper/\(model)"))
        #expect(name?.title == title && name?.quality == quality && name?.variant == nil)
    }

    @Test("has its variant apart too")
    func variant() {
        let name = NeuralVoiceName(of: Voice.ID(rawValue: "piper/en_GB-alan-low-int8"))
        #expect(name?.title == "Alan" && name?.quality == .low && name?.variant == .int8)
    }

    @Test("leaves a built-in voice its own name")
    func builtIn() {
        let id = Voice.ID(rawValue: "espeak/en-US")
        #expect(NeuralVoiceName(of: id) == nil)
        #expect(Voice.name(of: id, given: "English (America)") == "English (America)")
    }

    @Test("is that of recordings and of what was kept of a voice before, which have its model's name")
    func kept() throws {
        let id = Voice.ID(rawValue: "piper/en_US-joe-medium")
        let voice = Voice(id: id, name: "en_US-joe-medium", language: "en-US", engine: .piper, sampleRate: 22_050)
        #expect(voice.name == "Joe" && voice.givenName == "en_US-joe-medium")
        let data = try JSONEncoder().encode(voice)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(object?["name"] as? String == "en_US-joe-medium", "it is kept as before")
        #expect(try JSONDecoder().decode(Voice.self, from: data) == voice)
        let origin = NarrationOrigin(
            voice: id,
            voiceName: "en_US-joe-medium",
            speaker: 0,
            engine: .piper,
            speed: 1,
            pitch: 1
        )
        #expect(origin.voiceName == "Joe")
    }
}
