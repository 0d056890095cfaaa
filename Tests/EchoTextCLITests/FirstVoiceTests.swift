import EchoText
import Testing

@testable import EchoTextCLI

@Suite("The voice that is opened while a narration starts")
struct FirstVoiceTests {
    private static let english = voice("piper/en_US-joe-medium", "en-US")
    private static let estonian = voice("piper/et_EE-mari-medium", "et-EE")

    private static func voice(_ id: String, _ language: String) -> Voice {
        Voice(id: .init(rawValue: id), name: id, language: language, engine: .piper, sampleRate: 22_050)
    }

    /// Whether somebody named a voice or a profile, and what the text is in.
    struct Case: Sendable, CustomTestStringConvertible {
        var voice: String?
        var profile: VoiceProfile.ID?
        var language: String?

        var testDescription: String {
            [voice, profile.map { "profile \($0.rawValue)" }, language].compactMap(\.self).joined(separator: ", ")
        }

        var request: NarrationRequest {
            var request = NarrationRequest()
            (request.voice, request.profile, request.language) = (voice, profile, language)
            return request
        }
    }

    private static let languages: [String?] = [nil, "en", "en-GB", "et"]
    private static let cases = languages.flatMap { (language: String?) -> [Case] in
        [
            Case(language: language), Case(profile: .standard, language: language),
            Case(voice: english.id.rawValue, language: language),
            Case(voice: estonian.id.rawValue, language: language),
        ]
    }

    @Test("is the voice that speaks, or none is opened", arguments: cases)
    func speaks(_ one: Case) throws {
        let defaults = NarrationDefaults(voice: Self.english.id)
        let first = Studio.FirstVoice(for: one.request, with: defaults, language: one.language)
        let voices = [Self.english, Self.estonian]
        let speaking = try one.request.resolve(with: defaults, among: voices, naming: "").order.voice
        let opened = try #require(voices.first { $0.id == first.id })
        guard let language = first.language, !opened.speaks(language) else {
            #expect(opened == speaking)
            return
        }
        #expect(speaking != opened)
    }

    @Test("is the one of a named profile in whatever language the text is")
    func namedProfile() {
        var request = NarrationRequest()
        request.profile = .standard
        let first = Studio.FirstVoice(for: request, with: NarrationDefaults(voice: Self.english.id), language: "et")
        #expect(first == .init(id: Self.english.id, language: nil))
    }
}
