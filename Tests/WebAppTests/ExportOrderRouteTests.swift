import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import WebApp

@Suite("The export of several recordings or documents", .endsInTime)
struct ExportOrderRouteTests {
    private static let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 7, count: 100)

    private func order(_ body: String, of studio: TestStudio) async throws -> String {
        let answer = try await studio.ask(.post, "/api/exports", body)
        return try #require(try answer.json["id"] as? String, "\(answer.text)")
    }

    /// The headers with which a browser sends a file.
    private func fileHeaders(of studio: TestStudio) -> HTTPFields {
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        return headers
    }

    private func setCover(_ picture: Data, of order: String, in studio: TestStudio) async throws -> Answer {
        let headers = fileHeaders(of: studio)
        return try await studio.ask(.put, "/api/exports/\(order)/cover", bytes: picture, headers: headers)
    }

    /// Fetches an order.
    ///
    /// - Returns: The response, `nil` when it was cut off, and the event that reports its end.
    private func fetch(_ id: String, of studio: TestStudio) async throws -> (answer: Answer?, outcome: ExportOutcome) {
        let subscription = await studio.events.subscribe()
        let answer = try? await studio.ask(.get, "/api/exports/\(id)")
        for await entry in subscription.entries {
            if case .export(id: id, let outcome) = entry.event { return (answer, outcome) }
        }
        throw CancellationError()
    }

    @Test("joins recordings into one audiobook in their order, with title, author and cover")
    func joined() async throws {
        let sounds = PlainSounds()
        let studio = try await TestStudio(sounds: sounds)
        let first = try await studio.record("The first part.", name: "First")
        let second = try await studio.record("The second part.", name: "Second")
        let id = try await order(
            #"{"ids":["\#(second)","\#(first)"],"format":"m4b","joined":{"title":"Tales","author":"A. Writer"}}"#,
            of: studio
        )
        #expect(try await setCover(Self.picture, of: id, in: studio).status == .noContent)
        let (answer, outcome) = try await fetch(id, of: studio)
        #expect(answer?.headers[.contentType] == "audio/mp4")
        #expect(answer?.headers[.contentDisposition]?.contains("Tales.m4b") == true)
        #expect(outcome == ExportOutcome())
        let made = try #require(sounds.orders.withLock { $0.first })
        #expect(made.chapters.map(\.title) == ["Second", "First"])
        #expect((made.tags.title, made.tags.artist, made.tags.album) == ("Tales", "A. Writer", "Tales"))
        #expect(made.cover?.data == Self.picture)
    }

    @Test("sends the files that recordings were imported from, each byte for byte")
    func files() async throws {
        let studio = try await TestStudio()
        let narration = try await studio.record("No file.", name: "Spoken")
        let alone = try await studio.ask(.post, "/api/exports", #"{"files":["\#(narration)"]}"#)
        #expect((alone.status, alone.code) == (.notFound, "library.file-not-kept"))
        var ids = [narration]
        let waves = [3, 4].map { number in
            WAVHeader.file(of: (0..<9_000).map { Int16(truncatingIfNeeded: $0 * number) }, sampleRate: 8_000)
        }
        for wave in waves {
            let headers = fileHeaders(of: studio)
            let made = try await studio.ask(.post, "/api/library/imports?name=talk.wav", bytes: wave, headers: headers)
            let item = try made.json["item"] as? [String: Any]
            ids.append(AudioItem.ID(rawValue: try #require(item?["id"] as? String)))
        }
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let (answer, outcome) = try await fetch(try await order("{\"files\":[\(list)]}", of: studio), of: studio)
        #expect(outcome == ExportOutcome(), "what has no file is not missing")
        let data = try #require(answer?.data)
        #expect(waves.allSatisfy { data.range(of: $0) != nil }, "a ZIP file has such bytes as they are")
        for name in ["talk.wav", "talk (2).wav"] { #expect(data.range(of: Data(name.utf8)) != nil) }
        let late = try await order("{\"files\":[\(list)]}", of: studio)
        _ = try await studio.ask(.post, "/api/library/delete", "{\"ids\":[\"\(ids[1])\"]}")
        _ = try await studio.ask(.delete, "/api/library/\(ids[2])/file", "{}")
        let rest = try await fetch(late, of: studio)
        #expect(rest.outcome == ExportOutcome(leftOut: 2), "deleted since")
        for words in ["Left out.txt", "\n\(ids[1])\n", "\n\(ids[2])\n"] {
            #expect(rest.answer?.data.range(of: Data(words.utf8)) != nil, "who hears no events reads \(words)")
        }
        #expect(data.range(of: Data("Left out".utf8)) == nil)
        for body in [#"{"files":[]}"#, #"{"files":["x"]}"#, #"{"files":["x"],"documents":["y"]}"#] {
            #expect(try await studio.ask(.post, "/api/exports", body).status.code >= 400, "\(body)")
        }
    }

    @Test("puts texts and captions beside each sound, or beside the joined one")
    func beside() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let first = try await studio.record("The first part.", name: "First")
        let second = try await studio.record("The second part.", name: "Second")
        let both = #""ids":["\#(first)","\#(second)"],"format":"mp3","beside":["srt","txt"]"#
        let parts = try await order("{\(both)}", of: studio)
        let each = try await studio.ask(.get, "/api/exports/\(parts)")
        for name in ["First.mp3", "First.srt", "First.txt", "Second.mp3", "Second.srt", "Second.txt"] {
            #expect(each.data.range(of: Data(name.utf8)) != nil, "\(name)")
        }
        let id = try await order(#"{\#(both),"joined":{}}"#, of: studio)
        let joined = try await studio.ask(.get, "/api/exports/\(id)")
        #expect(joined.headers[.contentType] == "application/zip")
        #expect(joined.data.range(of: Data("First.mp3".utf8)) != nil)
        #expect(joined.data.range(of: Data("Second.mp3".utf8)) == nil)
        #expect(joined.data.range(of: Data("The first part.\n\nThe second part.".utf8)) != nil)
    }

    @Test("refuses what is no cover, is too large, or has no room in what was ordered")
    func covers() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await studio.record("A part.")
        let book = try await order(#"{"ids":["\#(item)"],"format":"m4b","joined":{}}"#, of: studio)
        let refused: [(Data, String, String)] = [
            (Data("GIF89a".utf8), book, "export.cover-not-image"),
            (Self.picture + Data(count: CoverImage.largest), book, "export.cover-too-large"),
            (Self.picture, "no-such", "export.order-over"),
            (
                Self.picture, try await order(#"{"ids":["\#(item)"],"format":"mp3","joined":{}}"#, of: studio),
                "export.no-room-for-cover"
            ),
            (
                Self.picture, try await order(#"{"ids":["\#(item)"],"format":"m4b"}"#, of: studio),
                "export.no-room-for-cover"
            ),
        ]
        for (picture, order, code) in refused {
            #expect(try await setCover(picture, of: order, in: studio).code == code)
        }
        #expect(try await studio.ask(.get, "/api/exports/\(book)").status == .ok, "it is left as it was")
    }

    @Test("keeps few covers that nobody fetches: the oldest order with one gives way")
    func manyCovers() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await studio.record("A part.")
        var books: [String] = []
        for _ in 0..<5 {
            let book = try await order(#"{"ids":["\#(item)"],"format":"m4b","joined":{}}"#, of: studio)
            #expect(try await setCover(Self.picture, of: book, in: studio).status == .noContent)
            books.append(book)
        }
        #expect(try await studio.ask(.get, "/api/exports/\(books[0])").code == "export.order-over")
        #expect(try await studio.ask(.get, "/api/exports/\(books[1])").status == .ok)
    }

    @Test("refuses an order that names nothing, too much, or what does not go together")
    func refusals() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await studio.record("A part.")
        for body in [
            "{}", #"{"ids":["\#(item)"]}"#, #"{"ids":["\#(item)"],"documents":["d"],"format":"mp3"}"#,
            #"{"ids":["\#(item)"],"format":"srt","joined":{}}"#,
            #"{"ids":["\#(item)"],"format":"epub","joined":{"title":"Tales"}}"#,
            #"{"ids":["\#(item)"],"format":"mp3","beside":["wav"]}"#,
            #"{"ids":["\#(item)"],"format":"epub","beside":["srt"]}"#,
        ] {
            let refused = try await studio.ask(.post, "/api/exports", body)
            #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"), "\(body)")
        }
        let named = #"{"ids":["\#(item)"],"format":"m4b","joined":{"title":"\#(String(repeating: "x", count: 201))"}}"#
        #expect(try await studio.ask(.post, "/api/exports", named).status == .unprocessableContent)
        for body in [#"{"documents":["no-such"]}"#, #"{"documents":[]}"#, #"{"ids":[],"format":"mp3"}"#] {
            #expect(try await studio.ask(.post, "/api/exports", body).status == .notFound, "\(body)")
        }
    }

    @Test("gives the files of documents as one ZIP file")
    func documents() async throws {
        let studio = try await TestStudio()
        let ids = [try await studio.document("The first text."), try await studio.document("The second text.")]
        let id = try await order(#"{"documents":["\#(ids[0])","\#(ids[1])"]}"#, of: studio)
        let (answer, outcome) = try await fetch(id, of: studio)
        #expect(answer?.headers[.contentType] == "application/zip")
        for part in ["The first text.", "The second text.", " (2)."] {
            #expect(answer?.data.range(of: Data(part.utf8)) != nil, "\(part)")
        }
        #expect(outcome == ExportOutcome())
    }

    @Test("makes one file of one recording, and reports how much of it is made")
    func progress() async throws {
        let sounds = PlainSounds()
        let studio = try await TestStudio(sounds: sounds)
        let item = try await studio.record("A part.", name: "Part")
        let start = await studio.events.last
        for (format, ending) in [("m4b", "m4b"), ("mp3", "mp3"), ("epub", "epub"), ("chapters", "zip")] {
            sounds.orders.withLock { $0 = [] }
            let id = try await order(#"{"ids":["\#(item)"],"format":"\#(format)","joined":{}}"#, of: studio)
            let (answer, outcome) = try await fetch(id, of: studio)
            #expect(answer?.headers[.contentDisposition]?.contains("Part.\(ending)") == true, "\(format)")
            #expect(outcome == ExportOutcome())
            #expect(sounds.orders.withLock { $0.count } == 1, "it is made once")
            let isReported = await studio.events.haveComeAfter(start) { event in
                if case .exportProgress(id: id, percent: 99) = event { true } else { false }
            }
            #expect(isReported, "\(format)")
        }
    }

    @Test("is forgotten, or broken off, where somebody stops it")
    func stopped() async throws {
        let sounds = PlainSounds(isHeld: true)
        let studio = try await TestStudio(sounds: sounds)
        let item = try await studio.record("A part.")
        let body = #"{"ids":["\#(item)"],"format":"m4b","joined":{}}"#
        let waiting = try await order(body, of: studio)
        #expect(try await studio.ask(.delete, "/api/exports/\(waiting)").status == .noContent)
        #expect(try await studio.ask(.get, "/api/exports/\(waiting)").code == "export.order-over")
        let id = try await order(body, of: studio)
        let start = await studio.events.last
        async let answer = try? studio.ask(.get, "/api/exports/\(id)")
        await sounds.begun.wait()
        #expect(try await studio.ask(.delete, "/api/exports/\(id)").status == .noContent)
        #expect(await answer == nil, "it is cut off")
        let isReported = await studio.events.haveComeAfter(start) { event in
            if case .export(id: id, _) = event { true } else { false }
        }
        #expect(!isReported, "who has stopped it knows that")
    }

    @Test("is broken off also where somebody stops it before the first piece is made")
    func stoppedAtOnce() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await studio.record("A part.")
        let id = try await order(#"{"ids":["\#(item)"],"format":"m4b","joined":{}}"#, of: studio)
        let response = try await studio.respond(.get, "/api/exports/\(id)")
        #expect(try await studio.ask(.delete, "/api/exports/\(id)").status == .noContent)
        await #expect(throws: CancellationError.self) { try await response.body.write(Unread()) }
    }

    @Test("says that a joined sound has ended only when it has been sent")
    func endOfJoined() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await studio.record("A part.")
        let id = try await order(#"{"ids":["\#(item)"],"format":"m4b","joined":{}}"#, of: studio)
        let last = await studio.events.last
        let response = try await studio.respond(.get, "/api/exports/\(id)")
        #expect(response.status == .ok)
        let isReported = await studio.events.haveComeAfter(last) { event in
            if case .export = event { true } else { false }
        }
        #expect(!isReported)
    }

    @Test("counts what was deleted since it was ordered, and joins nothing that lacks a part")
    func deletedSince() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let first = try await studio.record("The first part.", name: "First")
        let second = try await studio.record("The second part.", name: "Second")
        let both = #""ids":["\#(first)","\#(second)"],"format":"mp3""#
        let each = try await order("{\(both)}", of: studio)
        let joined = try await order(#"{\#(both),"joined":{}}"#, of: studio)
        let withText = try await order(#"{\#(both),"joined":{},"beside":["txt"]}"#, of: studio)
        _ = try await studio.ask(.post, "/api/library/delete", #"{"ids":["\#(second)"]}"#)
        let parts = try await fetch(each, of: studio)
        #expect(parts.answer?.status == .ok)
        #expect(parts.outcome == ExportOutcome(leftOut: 1))
        for id in [joined, withText] {
            let (answer, outcome) = try await fetch(id, of: studio)
            #expect(answer?.code == "library.item-not-found")
            #expect(outcome.failure?.code == "library.item-not-found")
        }
    }

    @Test("leaves out, and counts, what is deleted while another one is made")
    func deletedMeanwhile() async throws {
        let gate = Latch()
        let sounds = PlainSounds(until: gate)
        let studio = try await TestStudio(sounds: sounds)
        let first = try await studio.record("The first part.", name: "First")
        let second = try await studio.record("The second part.", name: "Second")
        let id = try await order(#"{"ids":["\#(first)","\#(second)"],"format":"mp3"}"#, of: studio)
        async let fetched = fetch(id, of: studio)
        await sounds.begun.wait()
        _ = try await studio.ask(.post, "/api/library/delete", #"{"ids":["\#(second)"]}"#)
        gate.set()
        let (answer, outcome) = try await fetched
        #expect(answer?.status == .ok)
        #expect(answer?.data.range(of: Data("First.mp3".utf8)) != nil)
        #expect(outcome == ExportOutcome(leftOut: 1))
    }

    @Test("sends the others where some are damaged, and names those with the reason", arguments: ["mp3", "wav", "m4b"])
    func damaged(format: String) async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        var ids: [AudioItem.ID] = []
        for name in ["First", "Second", "Third", "Fourth"] {
            ids.append(try await studio.record("A part.", name: name))
        }
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let id = try await order(#"{"ids":[\#(list)],"format":"\#(format)"}"#, of: studio)
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.damageSound(of: ids[1])
        await library.makeUnreadable(ids[3])
        let (answer, outcome) = try await fetch(id, of: studio)
        let data = try #require(answer?.data, "it is not broken off")
        #expect(outcome == ExportOutcome(leftOut: 2))
        let words = [
            "First.\(format)", "Third.\(format)",
            "\nSecond.\(format) (\(ids[1])): \(VaultError.contentDamaged.failure.message)\n",
            "\n\(ids[3]): \(VaultError.databaseDamaged.failure.message)\n",
        ]
        for part in words { #expect(data.range(of: Data(part.utf8)) != nil, "\(part)") }
    }

    @Test("sends what stands beside a damaged sound")
    func damagedBeside() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let item = try await studio.record("The only words.", name: "Only")
        let id = try await order(#"{"ids":["\#(item)"],"format":"mp3","beside":["txt"]}"#, of: studio)
        await (studio.vault.library.audio as? MemoryLibrary)?.damageSound(of: item)
        let (answer, outcome) = try await fetch(id, of: studio)
        #expect(outcome == ExportOutcome(leftOut: 1))
        for part in ["The only words.", "\nOnly.mp3 (\(item)): "] {
            #expect(answer?.data.range(of: Data(part.utf8)) != nil, "\(part)")
        }
    }

    @Test("counts what the library cannot read when everything is exported")
    func unreadable() async throws {
        let studio = try await TestStudio(sounds: PlainSounds())
        let history = try #require(studio.vault.library.history as? MemoryHistory)
        await history.add("A text.", at: Date(timeIntervalSince1970: 1_790_000_000))
        let entry = try #require(await history.texts().entries.first)
        await history.damage(entry.id)
        let ordered = try await studio.ask(.post, "/api/export-all", #"{"format":"wav"}"#)
        let id = try #require(try ordered.json["id"] as? String, "\(ordered.text)")
        #expect(try await fetch(id, of: studio).outcome == ExportOutcome(leftOut: 1))
    }

    @Test("joins no more than can be held in memory, and says so")
    func tooLong() throws {
        var recordings = MemoryRecordings()
        var item = try recordings.add("Long", samples: [0], sampleRate: 48_000)
        item.duration = 10_000  // 0.96 GB at two bytes a sample
        let (two, three) = ([item, item], [item, item, item])
        try DownloadMaker.checkRoom(for: two, .sound(.wav))
        for format in [ExportFormat.wav, .flac] {
            #expect(throws: ExportError.joinedTooLarge) { try DownloadMaker.checkRoom(for: three, .sound(format)) }
        }
        try DownloadMaker.checkRoom(for: three, .sound(.m4b))
        let many = Array(repeating: item, count: 300)
        #expect(throws: ExportError.joinedTooLarge) { try DownloadMaker.checkRoom(for: many, .sound(.m4b)) }
        try DownloadMaker.checkRoom(for: many, .captions(.srt))
    }

    @Test("says by an event why it was refused: fetched before, of a locked library, or not to be made")
    func refusedDownload() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        let item = try await studio.record("A part.")
        let book = try await order(#"{"ids":["\#(item)"],"format":"m4b","joined":{}}"#, of: studio)
        let failed = try await fetch(book, of: studio)
        #expect(failed.answer == nil, "it does not look whole")
        #expect(failed.outcome.failure?.code == "export.folder-not-usable")
        let again = try await fetch(book, of: studio)
        #expect(again.answer?.status == .notFound)
        #expect(again.outcome.failure?.code == "export.order-over")
        let other = try await order(#"{"ids":["\#(item)"],"format":"m4b"}"#, of: studio)
        _ = try await studio.ask(.post, "/api/lock", "{}")
        let locked = try await fetch(other, of: studio)
        #expect(locked.answer?.status.code == 423)
        #expect(locked.outcome.failure?.code == "vault.locked")
    }

    @Test("says by an event what broke it off", arguments: ["m4b", "chapters", "epub"])
    func broken(format: String) async throws {
        let studio = try await TestStudio()
        let item = try await studio.record("A part.")
        let id = try await order(#"{"ids":["\#(item)"],"format":"\#(format)"}"#, of: studio)
        let (answer, outcome) = try await fetch(id, of: studio)
        #expect(answer == nil, "it does not look whole")
        #expect(outcome.failure?.code == "export.folder-not-usable")
    }
}

/// The end of a connection that drops whatever is sent.
private struct Unread: ResponseBodyWriter {
    func write(_ buffer: ByteBuffer) async throws {}

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
