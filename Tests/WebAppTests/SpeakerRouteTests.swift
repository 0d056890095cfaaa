import API
import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The speakers of transcripts by the page", .endsInTime)
struct SpeakerRouteTests {
    /// A transcript of a recording in which two people speak for two seconds each.
    private func transcript(in studio: TestStudio) async throws -> Transcript.ID {
        let library = studio.vault.library
        let order = try RecordingOrder(name: "Talk", sampleRate: 16_000, source: .microphone)
        let session = try await library.recordings.begin(order)
        let samples = [Int16](repeating: 900, count: 32_000) + [Int16](repeating: -900, count: 32_000)
        try await library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
        let item = try await library.recordings.finish(session.id)
        let text = "one two three four"
        let words = text.spokenWords.enumerated().map { number, source in
            RecognizedWord(source: source, start: Double(number), end: Double(number) + 0.8)
        }
        let transcript = Transcript(
            item: item.id,
            created: Date(timeIntervalSince1970: 1_790_000_000),
            source: TranscriptSource(recognizer: Recognizer.ID(rawValue: "scripted/plain")),
            language: "en",
            segments: [TranscriptSegment(time: 0..<4, text: text, words: words, timing: .words)]
        )
        return try await library.transcripts.add(transcript).id
    }

    /// The first search after the beginning that fits.
    private func wait(in studio: TestStudio, until fits: (SpeakerSearch) -> Bool) async -> SpeakerSearch? {
        for await entry in await studio.events.subscribe(after: 0).entries {
            if case .speakers(let search) = entry.event, fits(search) { return search }
        }
        return nil
    }

    @Test("are found while the page waits, and named in a version of its own")
    func found() async throws {
        let studio = try await TestStudio()
        let id = try await transcript(in: studio)
        let state = try await studio.ask(.get, "/api/speakers").json
        #expect(state["isReady"] as? Bool == true && (state["models"] as? [Any])?.count == 2)
        let begun = try await studio.ask(.post, "/api/transcripts/\(id)/speakers", #"{"speakers":2}"#)
        #expect(begun.status == .accepted, "\(begun.text)")
        #expect(try begun.json["transcript"] as? String == id.rawValue)
        let done = try #require(await wait(in: studio) { !$0.state.isUnderWay })
        guard case .done(let version) = done.state else {
            Issue.record("\(done)")
            return
        }
        let event = try await ServerSentEvent(.speakers(done), id: "1", in: studio.web)
        #expect(event.name == "speakers" && event.data.contains(#""speakers":2"#) && event.data.contains(#""done""#))
        let named = try await studio.ask(.get, "/api/transcripts/\(version.id)").json
        let segments = try #require(named["segments"] as? [[String: Any]])
        #expect(segments.compactMap { $0["speaker"] as? String } == ["Speaker 1", "Speaker 2"])
        #expect(named["speakers"] as? Int == 2 && named["base"] as? String == id.rawValue)
    }

    @Test("need models, which are offered with their sizes")
    func offers() throws {
        let kind = SpeakerModel.Kind.embedding
        let entry = try #require(ModelCatalogue.bundled[kind.recommended])
        let download = ModelDownload.State.paused(TransferProgress(bytes: 50, total: 100))
        let response = SpeakersResponse([], by: [], [SpeakerModelOffer(kind, entry: entry, download: download)])
        let offer = try #require(response.offers.first)
        #expect(!response.isReady && offer.entry == kind.recommended.rawValue && offer.kind == "embedding")
        #expect(offer.expectedBytes == entry.expectedBytes && offer.download.state == "paused")
    }

    @Test("are not looked for any more when their recording is deleted")
    func deleted() async throws {
        let studio = try await TestStudio(diarizer: ScriptedDiarizer { try await untilCancelled() })
        let id = try await transcript(in: studio)
        #expect(try await studio.ask(.post, "/api/transcripts/\(id)/speakers", "{}").status == .accepted)
        let running = try #require(await wait(in: studio) { $0.progress > 0 })
        let deletion = #"{"ids":["\#(running.item)"]}"#
        #expect(try await studio.ask(.post, "/api/library/delete", deletion).status == .noContent)
        #expect(await wait(in: studio) { $0.state == .cancelled } != nil)
        #expect((try await studio.ask(.get, "/api/speakers").json["searches"] as? [Any])?.isEmpty == true)
    }

    @Test("are looked for until somebody stops it")
    func cancelled() async throws {
        let studio = try await TestStudio(diarizer: ScriptedDiarizer { try await untilCancelled() })
        let id = try await transcript(in: studio)
        #expect(try await studio.ask(.post, "/api/transcripts/\(id)/speakers", "{}").status == .accepted)
        #expect(await wait(in: studio) { $0.progress > 0 } != nil)
        let again = try await studio.ask(.post, "/api/transcripts/\(id)/speakers", "{}")
        #expect((again.status, again.code) == (.conflict, "speakers.busy"))
        let searches = try #require(try await studio.ask(.get, "/api/speakers").json["searches"] as? [[String: Any]])
        #expect(searches.compactMap { $0["state"] as? String } == ["running"])
        #expect(try await studio.ask(.delete, "/api/transcripts/\(id)/speakers", "{}").status == .noContent)
        let gone = try await studio.ask(.delete, "/api/transcripts/\(id)/speakers", "{}")
        #expect((gone.status, gone.code) == (.notFound, "speakers.not-found"))
    }

    @Test(
        "are not looked for without models, without a transcript, or with an odd number",
        arguments: [
            (false, "ID", "{}", "speakers.missing-models"), (true, "none", "{}", "transcript.not-found"),
            (true, "ID", #"{"speakers":0}"#, "speakers.invalid-count"),
            (true, "ID", #"{"speakers":21}"#, "speakers.invalid-count"),
        ]
    )
    func refused(isInstalled: Bool, name: String, body: String, code: String) async throws {
        let studio = try await TestStudio(diarizer: ScriptedDiarizer(isInstalled: isInstalled))
        let id = try await transcript(in: studio)
        let path = "/api/transcripts/\(name.replacing("ID", with: id.rawValue))/speakers"
        let refused = try await studio.ask(.post, path, body)
        #expect(refused.code == code)
        #expect(try await studio.ask(.get, "/api/speakers").json["isReady"] as? Bool == isInstalled)
    }
}
