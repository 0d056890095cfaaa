import API
import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Recognizers by the page", .endsInTime)
struct RecognizerRouteTests {
    private static let base = Recognizer(
        id: Recognizer.ID(rawValue: "sherpa/whisper-base"),
        name: "Whisper base",
        engine: .sherpaOnnx,
        languages: ["mul"],
        hears: ["en", "et"],
        timing: .segments
    )
    private static let tiny = Recognizer(
        id: Recognizer.ID(rawValue: "sherpa/whisper-tiny.en"),
        name: "Whisper tiny.en",
        engine: .sherpaOnnx,
        languages: ["en"],
        timing: .tokens
    )

    private func listed(_ recognizers: [Recognizer]) async throws -> [[String: Any]] {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(recognizers))
        return try #require(try await studio.ask(.get, "/api/recognizers").json["recognizers"] as? [[String: Any]])
    }

    @Test("say which languages they hear, and how long they are expected to need")
    func traits() async throws {
        let rows = try await listed([Self.base, Self.tiny, ScriptedRecognizer.standard])
        // Those that are small and quick come last.
        #expect(rows.map { $0["hears"] as? [String] } == [[], ["en", "et"], ["en"]])
        let paces = rows.map { $0["pace"] as? Double }
        let (base, tiny) = (try #require(paces[1]), try #require(paces[2]))
        #expect(base > tiny && tiny > 0)
        #expect(rows[0]["pace"] is NSNull)
    }

    @Test("are in the order that suits a recording's language")
    func ordered() async throws {
        let english = Recognizer(
            id: Recognizer.ID(rawValue: "sherpa/whisper-base.en"),
            name: "Whisper base.en",
            engine: .sherpaOnnx,
            languages: ["en"],
            timing: .tokens
        )
        let studio = try await TestStudio(recognizer: ScriptedRecognizer([Self.base, english]))
        for (query, first) in [("?language=en", english), ("?language=et", Self.base), ("", english)] {
            let answer = try await studio.ask(.get, "/api/recognizers\(query)").json
            let rows = try #require(answer["recognizers"] as? [[String: Any]])
            #expect(rows.map { $0["isDefault"] as? Bool } == [true, false])
            #expect(rows.first?["id"] as? String == first.id.rawValue, "\(query)")
        }
    }

    @Test("are named in full where they can be downloaded")
    func offers() throws {
        let entry = try #require(CatalogueEntry(archive: "sherpa-onnx-whisper-base.tar.bz2"))
        let offer = RecognizerOffer(entry: entry, reason: .quick, download: .none, isInstalled: false)
        let response = RecognizerOfferResponse(offer, RecognizerPaces())
        #expect(response.name == "Whisper base" && response.languages == ["mul"] && response.hears.contains("et"))
        #expect(response.pace == RecognizerTraits(ofModel: "whisper-base").pace() && !response.isPaceMeasured)
        var paces = RecognizerPaces()
        paces.note(Self.base.id, length: 100, took: 50)
        let measured = RecognizerOfferResponse(offer, paces)
        #expect(measured.pace == 0.5 && measured.isPaceMeasured)
    }
}
