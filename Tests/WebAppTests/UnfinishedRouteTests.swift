import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import WebApp

@Suite("The routes of unfinished narrations", .endsInTime)
struct UnfinishedRouteTests {
    private static let story = "One sentence is here. Another one follows it. And a third ends it all."

    /// Whether the voice is there that speaks texts with “broken” in them.
    private final class Repair: Sendable {
        private let isDone = Mutex(false)

        func finish() { isDone.withLock { $0 = true } }

        func speak(_ utterance: Utterance) throws {
            guard "\(utterance.text)".contains("broken"), !isDone.withLock(\.self) else { return }
            throw SynthesisError.voiceNotInstalled(utterance.voice)
        }
    }

    private static func unfinished(_ studio: TestStudio) async throws -> [[String: Any]] {
        try await studio.ask(.get, "/api/narrations/unfinished").list
    }

    private static func reasons(_ studio: TestStudio) async throws -> [String] {
        try await unfinished(studio).compactMap { $0["reason"] as? String }
    }

    /// Waits until no entry of the batch is left.
    private static func untilEnd(_ subscription: StudioEvents.Subscription) async {
        for await entry in subscription.entries {
            guard case .batch(let progress) = entry.event else { continue }
            if progress.counts.isFinished, !progress.isRunning { return }
        }
    }

    /// Waits until the batch names what it has spoken, which may be after that has begun.
    private static func untilWorking(_ subscription: StudioEvents.Subscription) async {
        for await entry in subscription.entries {
            if case .batch(let progress) = entry.event, progress.working != nil { return }
        }
    }

    /// Waits until a narration is spoken no more.
    private static func untilState(_ state: NarrationStatus.State, _ subscription: StudioEvents.Subscription) async {
        for await entry in subscription.entries {
            if case .narration(let status) = entry.event, status.state == state { return }
        }
    }

    /// Has a document spoken by the batch, which fails.
    private static func failInBatch(_ studio: TestStudio) async throws -> Int {
        let id = try await studio.document("A broken text.")
        let subscription = await studio.events.subscribe()
        let batch = try await studio.ask(.post, "/api/batch", #"{"documents":[{"id":"\#(id)"}]}"#).json
        await untilEnd(subscription)
        return try #require((batch["entries"] as? [[String: Any]])?.first?["id"] as? Int)
    }

    @Test("list one that was stopped to be continued later, with how far it is, and take it up again")
    func stopped() async throws {
        let isHeld = Mutex(true)
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        let studio = try await TestStudio(beforeSpeaking: { utterance in
            guard "\(utterance.text)".contains("third"), isHeld.withLock(\.self) else { return }
            beginning.yield()
            try await untilCancelled()
        })
        // Longer than the final seconds of a recording in which a position counts as its start.
        let story = Self.story + String(repeating: " And then the tale continues for a while.", count: 20)
        let status = try await studio.ask(.post, "/api/narrations", #"{"text":"\#(story)","name":"Tale"}"#).json
        let id = try #require(status["id"] as? String)
        for await _ in began { break }
        #expect(try await Self.unfinished(studio).isEmpty, "it is being spoken")
        let leaving = #"{"keepPart":false,"leave":true}"#
        #expect(try await studio.ask(.post, "/api/narrations/\(id)/stop", leaving).status == .noContent)
        let left = try #require(try await Self.unfinished(studio).first)
        #expect(left["id"] as? String == id && left["name"] as? String == "Tale")
        #expect(left["reason"] as? String == "stopped" && left["failure"] is NSNull && left["entry"] is NSNull)
        #expect(left["characters"] as? Int == story.utf16.count)
        #expect((left["position"] as? Int ?? 0) > 0 && (left["seconds"] as? Double ?? 0) > 0)

        let place = "/api/narrations/\(id)/place"
        #expect(try await studio.ask(.get, place).json["seconds"] as? Double == 0)
        #expect(try await studio.ask(.put, place, #"{"seconds":1.5}"#).status == .noContent)
        #expect(try await studio.ask(.put, place, #"{"seconds":-1}"#).status == .unprocessableContent)
        #expect(try await studio.ask(.get, place).json["seconds"] as? Double == 1.5)

        isHeld.withLock { $0 = false }
        let subscription = await studio.events.subscribe()
        #expect(try await studio.ask(.post, "/api/narrations/\(id)/continue", "{}").status == .ok)
        await Self.untilState(.finished, subscription)
        #expect(try await Self.unfinished(studio).isEmpty)
        #expect(try await studio.ask(.get, "/api/library/\(id)/text").json["text"] as? String == story)
        #expect(try await studio.ask(.get, place).status == .notFound, "a recording has a bookmark instead")
        #expect(try await studio.ask(.put, place, #"{"seconds":1}"#).status == .noContent)
        let bookmark = try await studio.ask(.get, "/api/playback").json["bookmark"] as? [String: Any]
        #expect((bookmark?["item"] as? [String: Any])?["id"] as? String == id)
        #expect(bookmark?["position"] as? Double == 1)
    }

    @Test("have the paragraphs of their text, and the headings that have been spoken as chapters")
    func chapters() async throws {
        let studio = try await TestStudio(beforeSpeaking: { utterance in
            if "\(utterance.text)".contains("third") { try await untilCancelled() }
        })
        let subscription = await studio.events.subscribe()
        let body = ##"{"text":"# One\n\nFirst words.\n\nThe third.\n\n# Two\n\nMore.","name":"Tale"}"##
        let begun = try await studio.ask(.post, "/api/narrations", body).json
        let id = try #require(begun["id"] as? String)
        let paragraphs = try #require(begun["paragraphs"] as? [[String: Any]])
        #expect(paragraphs.map { $0["isHeading"] as? Bool } == [true, false, false, true, false])
        for await entry in subscription.entries {
            if case .sentence = entry.event { break }
        }
        let chapters = try await studio.ask(.get, "/api/narrations/\(id)/chapters").list
        #expect(chapters.map { $0["title"] as? String } == ["One"])
        #expect(chapters.first?["start"] as? Double == 0)
        let all = try await studio.ask(.get, "/api/narrations/\(id)/chapters?ahead=true").list
        #expect(all.map { $0["title"] as? String } == ["One", "Two"])
        #expect(all.map { $0["ahead"] as? Int } == [nil, 33], "the second is still to be spoken")
        let discarding = #"{"keepPart":false,"leave":false}"#
        #expect(try await studio.ask(.post, "/api/narrations/\(id)/stop", discarding).status == .noContent)
        #expect(try await studio.ask(.get, "/api/narrations/\(id)/chapters").status == .notFound)
    }

    @Test("have the chapters of their document before the first word is spoken", arguments: ["", "Before all.\n"])
    func plannedChapters(beginning: String) async throws {
        let studio = try await TestStudio(beforeSpeaking: { _ in try await untilCancelled() })
        let document = try await studio.document("\(beginning)# One\nThe keeper sleeps.\n# Two\nWaves come in.\n")
        let begun = try await studio.ask(.post, "/api/documents/\(document)/narrations", #"{"name":"Tale"}"#).json
        let id = try #require(begun["id"] as? String)
        let all = try await studio.ask(.get, "/api/narrations/\(id)/chapters?ahead=true").list
        let titles = all.compactMap { $0["title"] as? String }
        #expect(titles == (beginning.isEmpty ? ["One", "Two"] : ["Tale", "One", "Two"]))
        #expect(all.allSatisfy { $0["start"] as? Double == 0 })
        #expect(all.first?["ahead"] == nil)
        #expect(all.dropFirst().allSatisfy { $0["ahead"] is Int }, "they are still to be spoken")
        let spoken = try await studio.ask(.get, "/api/narrations/\(id)/chapters").list
        #expect(spoken.count == 1)
        let discarding = #"{"keepPart":false,"leave":false}"#
        #expect(try await studio.ask(.post, "/api/narrations/\(id)/stop", discarding).status == .noContent)
    }

    @Test(arguments: ["keepPart", "discard"])
    func `leave nothing in the batch of what is kept or discarded there`(_ ending: String) async throws {
        let (began, beginning) = AsyncStream.makeStream(of: Void.self)
        let studio = try await TestStudio(beforeSpeaking: { utterance in
            guard "\(utterance.text)".contains("third") else { return }
            beginning.yield()
            try await untilCancelled()
        })
        let document = try await studio.document(Self.story)
        let subscription = await studio.events.subscribe()
        _ = try await studio.ask(.post, "/api/batch", #"{"documents":[{"id":"\#(document)"}]}"#)
        for await _ in began { break }
        await Self.untilWorking(subscription)
        let entries = try await studio.ask(.get, "/api/batch").json["entries"] as? [[String: Any]]
        let id = try #require(entries?.first?["narration"] as? String)
        let stopping = #"{"keepPart":\#(ending == "keepPart")}"#
        #expect(try await studio.ask(.post, "/api/narrations/\(id)/stop", stopping).status == .noContent)
        await Self.untilEnd(subscription)
        #expect((try await studio.ask(.get, "/api/batch").json["entries"] as? [Any])?.isEmpty == true)
        #expect(try await Self.unfinished(studio).isEmpty)
        let isKept = try await studio.ask(.get, "/api/library/\(id)").status == .ok
        #expect(isKept == (ending == "keepPart"))
    }

    @Test("list what failed with its reason, whoever asked for it, the latest first")
    func failed() async throws {
        let repair = Repair()
        let studio = try await TestStudio(beforeSpeaking: { try repair.speak($0) })
        let entry = try await Self.failInBatch(studio)
        let subscription = await studio.events.subscribe()
        _ = try await studio.ask(.post, "/api/narrations", #"{"text":"Another broken one.","name":"Own"}"#)
        await Self.untilState(.failed, subscription)
        let all = try await Self.unfinished(studio)
        #expect(all.map { $0["reason"] as? String } == ["failed", "failed"])
        #expect(all[0]["name"] as? String == "Own" && all[0]["entry"] is NSNull)
        #expect(all[1]["entry"] as? Int == entry && (all[1]["document"] as? [String: Any])?["id"] != nil)
        for one in all {
            #expect((one["failure"] as? [String: Any])?["code"] as? String == "voice.not-installed")
        }
    }

    @Test("list what the batch could not even begin")
    func unbegun() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document("A text.")
        let selection = #"{"documents":[{"id":"\#(id)","selection":{}}]}"#
        _ = try await studio.ask(.post, "/api/documents/delete", #"{"ids":["\#(id)"]}"#)
        #expect(try await studio.ask(.post, "/api/batch", selection).status == .notFound)
        let order = NarrationOrder(
            name: "Gone",
            voice: ScriptedSynthesizer.narrator,
            document: DocumentLink(id: "gone", part: nil)
        )
        let subscription = await studio.events.subscribe()
        let batch = try await studio.librarySession.use().batch
        _ = try await batch.add([order])
        await Self.untilEnd(subscription)
        let left = try #require(try await Self.unfinished(studio).first)
        #expect(left["id"] is NSNull && left["entry"] is Int && left["name"] as? String == "Gone")
        #expect((left["failure"] as? [String: Any])?["code"] as? String == "document.not-found")
    }

    @Test("try again what failed in the batch")
    func retried() async throws {
        let repair = Repair()
        let studio = try await TestStudio(beforeSpeaking: { try repair.speak($0) })
        let entry = try await Self.failInBatch(studio)
        repair.finish()
        let subscription = await studio.events.subscribe()
        let batch = try await studio.ask(.post, "/api/batch/\(entry)/retry", "{}").json
        #expect(batch["failed"] as? Int == 0)
        await Self.untilEnd(subscription)
        #expect(try await studio.ask(.get, "/api/batch").json["done"] as? Int == 1)
        #expect(try await Self.unfinished(studio).isEmpty)
        #expect(try await studio.ask(.get, "/api/library").json["total"] as? Int == 1)
        #expect(try await studio.ask(.post, "/api/batch/99/retry", "{}").code == "batch.entry-not-found")
    }

    @Test("have the batch forget one that failed there once it is discarded")
    func discarded() async throws {
        let repair = Repair()
        let studio = try await TestStudio(beforeSpeaking: { try repair.speak($0) })
        _ = try await Self.failInBatch(studio)
        let id = try #require(try await Self.unfinished(studio).first?["id"] as? String)
        #expect(try await studio.ask(.delete, "/api/narrations/\(id)", "{}").status == .noContent)
        #expect(try await Self.reasons(studio).isEmpty)
        #expect(try await studio.ask(.get, "/api/batch").json["total"] as? Int == 0)
    }
}
