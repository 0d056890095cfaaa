import EchoText
import Foundation
import Testing

@Suite("The pace of recognizers on a machine")
struct RecognizerPacesTests {
    private static let tiny = Recognizer.ID(rawValue: "sherpa/whisper-tiny.en")
    private static let base = Recognizer.ID(rawValue: "sherpa/whisper-base.en")
    private static let basic = Recognizer.ID(rawValue: "pocketsphinx/en-US")

    private func estimate(of recognizer: Recognizer.ID) throws -> Double {
        try #require(RecognizerTraits(ofModel: recognizer.modelName).pace(cores: 2))
    }

    @Test("is an estimate before anything was heard, where the model is known")
    func estimated() throws {
        let paces = RecognizerPaces()
        let expected = try #require(paces.expectation(of: Self.tiny, cores: 2))
        #expect(try expected.pace == estimate(of: Self.tiny) && !expected.isMeasured)
        #expect(paces.expectation(of: Self.basic, cores: 2) == nil)
        #expect(paces.expectation(of: Recognizer.ID(rawValue: "remote/office"), cores: 2) == nil)
    }

    @Test("is what was measured afterwards, and corrects the estimates of others")
    func measured() throws {
        var paces = RecognizerPaces()
        paces.note(Self.tiny, length: 100, took: 20)
        paces.note(Self.basic, length: 60, took: 30)
        let tiny = try #require(paces.expectation(of: Self.tiny, cores: 2))
        #expect(tiny.pace == 0.2 && tiny.isMeasured)
        #expect(paces.expectation(of: Self.basic, cores: 2)?.pace == 0.5)
        let base = try #require(paces.expectation(of: Self.base, cores: 2))
        let slower = try 0.2 / estimate(of: Self.tiny)
        #expect(try abs(base.pace - estimate(of: Self.base) * slower) < 1e-9 && !base.isMeasured)
        paces.note(Self.tiny, length: 300, took: 20)
        #expect(paces.expectation(of: Self.tiny, cores: 2)?.pace == 0.1, "the mean of all the sound")
    }

    @Test("learns nothing from a few seconds, and forgets what was long ago")
    func weighs() throws {
        var paces = RecognizerPaces()
        paces.note(Self.tiny, length: 9.9, took: 60)
        paces.note(Self.tiny, length: 20, took: 0)
        #expect(paces == RecognizerPaces())
        paces.note(Self.tiny, length: 8_000, took: 8_000)
        for _ in 1...20 { paces.note(Self.tiny, length: 2_000, took: 200) }
        let pace = try #require(paces.expectation(of: Self.tiny, cores: 2)).pace
        #expect(pace >= 0.1 && pace < 0.11, "\(pace)")
    }

    @Test("decides who writes while somebody speaks: the first that keeps up, or the first of all")
    func keepsUp() {
        let named = { (name: String) in
            Recognizer(id: .init(rawValue: name), name: name, engine: .sherpaOnnx, languages: ["mul"], timing: .none)
        }
        let (large, tiny, own) = (named("sherpa/whisper-large-v3"), named(Self.tiny.rawValue), named("sherpa/own"))
        var paces = RecognizerPaces()
        #expect(paces.firstToKeepUp(among: []) == nil)
        #expect(paces.firstToKeepUp(among: [large]) == large)
        paces.note(large.id, length: 100, took: 90)
        paces.note(tiny.id, length: 100, took: 20)
        #expect(paces.firstToKeepUp(among: [large, tiny, own]) == tiny)
        #expect(paces.firstToKeepUp(among: [large, own, tiny]) == own, "one of an unknown pace is tried")
        let basic = Recognizer(
            id: .init(rawValue: "pocketsphinx/en-US"),
            name: "basic",
            engine: .pocketSphinx,
            languages: ["en-US"],
            timing: .none
        )
        #expect(paces.firstToKeepUp(among: [large, basic]) == large, "late, with fewer mistakes")
        #expect(paces.firstToKeepUp(among: [large, basic, tiny]) == tiny)
        #expect(paces.firstToKeepUp(among: [basic, tiny]) == basic, "a person's order goes before")
        paces.note(large.id, length: 300, took: 30)
        #expect(paces.firstToKeepUp(among: [large, tiny]) == large)
    }

    @Test("is kept as JSON, and numbers that make no sense count for nothing")
    func codes() throws {
        var paces = RecognizerPaces()
        paces.note(Self.tiny, length: 100, took: 20)
        let data = try JSONEncoder().encode(paces)
        #expect(try JSONDecoder().decode(RecognizerPaces.self, from: data) == paces)
        for numbers in [#""heard":0,"took":-1"#, #""heard":1e-300,"took":1e300"#, #""heard":1,"took":1e308"#] {
            let odd = #"{"records":{"sherpa/whisper-tiny.en":{\#(numbers)}}}"#
            let read = try JSONDecoder().decode(RecognizerPaces.self, from: Data(odd.utf8))
            #expect(read.expectation(of: Self.tiny, cores: 2)?.isMeasured == false)
            #expect(try #require(read.expectation(of: Self.base, cores: 2)).pace < 100)
        }
    }
}
