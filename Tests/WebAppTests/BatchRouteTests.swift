import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The batch's routes", .endsInTime)
struct BatchRouteTests {
    private static let book = "# One\nThe keeper sleeps.\u{0C}\n# Two\nWaves come in.\n"

    @Test("make a recording of each document, name the one that fails, and continue")
    func failing() async throws {
        let studio = try await TestStudio(beforeSpeaking: { utterance in
            if "\(utterance.text)".contains("broken") { throw SynthesisError.voiceNotInstalled(utterance.voice) }
        })
        let first = try await studio.document("A first text.")
        let second = try await studio.document("A broken text.")
        let third = try await studio.document("A third text.")
        let subscription = await studio.events.subscribe()
        let body = #"{"documents":[{"id":"\#(first)"},{"id":"\#(second)"},{"id":"\#(third)"}]}"#
        let added = try await studio.ask(.post, "/api/batch", body).json
        #expect(added["total"] as? Int == 3)
        let ended = try #require(await Self.end(subscription))
        #expect((ended.counts.done, ended.counts.failed) == (2, 1))
        let batch = try await studio.ask(.get, "/api/batch").json
        #expect(batch["isFinished"] as? Bool == true)
        let entries = try #require(batch["entries"] as? [[String: Any]])
        #expect(entries.map { $0["state"] as? String } == ["done", "failed", "done"])
        #expect(entries.map { $0["document"] as? String } == [first, second, third])
        #expect((entries[1]["failure"] as? [String: Any])?["code"] as? String == "voice.not-installed")
        let recording = try #require(entries[2]["narration"] as? String)
        #expect(try await studio.ask(.get, "/api/library/\(recording)/text").json["text"] as? String == "A third text.")

        let failed = try #require(entries[1]["id"] as? Int)
        let left = try await studio.ask(.delete, "/api/batch/\(failed)", "{}").json
        #expect((left["total"] as? Int, left["failed"] as? Int) == (2, 0))
        #expect(try await studio.ask(.delete, "/api/batch/\(failed)", "{}").code == "batch.entry-not-found")
        #expect(try await studio.ask(.delete, "/api/batch/one", "{}").status == .notFound)
        #expect(try await studio.ask(.post, "/api/batch/dismiss", "{}").json["total"] as? Int == 0)
    }

    @Test("make a recording of each chapter of what is chosen")
    func chapters() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let subscription = await studio.events.subscribe()
        let body = #"{"documents":[{"id":"\#(id)","selection":{}}],"byChapter":true,"speed":0.5}"#
        #expect(try await studio.ask(.post, "/api/batch", body).json["total"] as? Int == 2)
        _ = await Self.end(subscription)
        let items = try await studio.ask(.get, "/api/library?order=name&ascending=true").json["items"]
        let names = (items as? [[String: Any]])?.map { $0["name"] as? String }
        #expect(names == ["A book – One", "A book – Two"])
    }

    @Test("make several recordings of one document, each of what is chosen for it")
    func parts() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let subscription = await studio.events.subscribe()
        let parts = #"[{"id":"\#(id)","selection":{"chapters":"2"}},{"id":"\#(id)","selection":{"chapters":"1"}}]"#
        #expect(try await studio.ask(.post, "/api/batch", #"{"documents":\#(parts)}"#).json["total"] as? Int == 2)
        #expect(await Self.end(subscription)?.counts.done == 2)
        let batch = try await studio.ask(.get, "/api/batch").json
        let names = (batch["entries"] as? [[String: Any]])?.map { $0["name"] as? String }
        #expect(names == ["A book – Two", "A book – One"])
    }

    @Test("take away what waits and what is spoken, which is unfinished then")
    func cancelling() async throws {
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        let studio = try await TestStudio(beforeSpeaking: { _ in
            beginning.yield()
            try await untilCancelled()
        })
        let first = try await studio.document("A first text.")
        let second = try await studio.document("A second text.")
        let body = #"{"documents":[{"id":"\#(first)"},{"id":"\#(second)"}]}"#
        let subscription = await studio.events.subscribe()
        let entries = try await studio.ask(.post, "/api/batch", body).json["entries"] as? [[String: Any]]
        for await _ in began { break }
        // The narration may begin before its entry names it.
        for await entry in subscription.entries {
            if case .batch(let progress) = entry.event, progress.working != nil { break }
        }
        let waiting = try #require(entries?[1]["id"] as? Int)
        #expect(try await studio.ask(.delete, "/api/batch/\(waiting)", "{}").json["total"] as? Int == 1)
        let cancelled = try await studio.ask(.post, "/api/batch/cancel", "{}").json
        #expect((cancelled["total"] as? Int, cancelled["current"] as? Int) == (0, 0))
        let unfinished = try await studio.ask(.get, "/api/narrations").list
        #expect(unfinished.map { $0["state"] as? String } == ["stopped"])
        #expect((unfinished.first?["document"] as? [String: Any])?["id"] as? String == first)
    }

    @Test("refuse what there is not")
    func nonsense() async throws {
        let studio = try await TestStudio()
        #expect(try await studio.ask(.post, "/api/batch", #"{"documents":[]}"#).code == "web.bad-request")
        let unknown = try await studio.ask(.post, "/api/batch", #"{"documents":[{"id":"x"}]}"#)
        #expect((unknown.status, unknown.code) == (.notFound, "document.not-found"))
        let id = try await studio.document(Self.book)
        let noPage = #"{"documents":[{"id":"\#(id)","selection":{"pages":"9"}}]}"#
        #expect(try await studio.ask(.post, "/api/batch", noPage).code == "pages.no-such-page")
        let both = #"{"documents":[{"id":"\#(id)","selection":{"pages":"1","chapters":"1"}}]}"#
        #expect(try await studio.ask(.post, "/api/batch", both).status.kind == .clientError)
        #expect(try await studio.ask(.post, "/api/batch/start", "{}").json["total"] as? Int == 0)
    }

    @Test("report the progress in few words")
    func events() async throws {
        let studio = try await TestStudio()
        let entry = BatchEntry(id: 1, order: SampleRecording.all[0].order, state: .begun)
        var counts = BatchCounts()
        (counts.total, counts.current) = (1_000, 1)
        let progress = BatchProgress(counts: counts, isRunning: true, working: .init(entry, number: 1))
        let event = try await ServerSentEvent(.batch(progress), id: "1", in: studio.web)
        #expect(event.name == "batch")
        #expect(event.data.utf8.count < 1_000)
        let reported = try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
        #expect((reported["total"] as? Int, reported["current"] as? Int) == (1_000, 1))
        #expect((reported["entry"] as? [String: Any])?["id"] as? Int == 1)
    }

    /// The last state of the batch.
    private static func end(_ subscription: StudioEvents.Subscription) async -> BatchProgress? {
        for await entry in subscription.entries {
            guard case .batch(let progress) = entry.event else { continue }
            if progress.counts.isFinished, !progress.isRunning { return progress }
        }
        return nil
    }
}
