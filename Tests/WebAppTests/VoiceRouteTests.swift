import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The page's API of voices", .endsInTime)
struct VoiceRouteTests {
    private static let entry = "vits-piper-en_US-lessac-medium"
    private static let voice = "piper/en_US-lessac-medium"
    /// The number of voices: those of the catalogue and two built-in ones.
    private static let count = ModelCatalogue.bundled.voices.count + 2
    private static let order = #"{"entry":"\#(entry)"}"#

    /// Archives that report half, signal it, and then wait until they are cancelled.
    private static func endless(_ begun: AsyncStream<Void>.Continuation) -> ScriptedArchives {
        ScriptedArchives { _, report in
            await report(TransferProgress(bytes: 50, total: 200, rate: 10))
            begun.yield()
            try await untilCancelled()
        }
    }

    private func voices(_ studio: TestStudio) async throws -> [[String: Any]] {
        try await studio.ask(.get, "/api/voices/listings").json["voices"] as? [[String: Any]] ?? []
    }

    private func lessac(_ studio: TestStudio) async throws -> [String: Any] {
        try #require(try await voices(studio).first { $0["id"] as? String == Self.voice })
    }

    private func state(_ studio: TestStudio) async throws -> String? {
        (try await lessac(studio)["download"] as? [String: Any])?["state"] as? String
    }

    /// Downloads the voice, and waits until it is there.
    private func install(_ studio: TestStudio) async throws {
        let subscription = await studio.events.subscribe()
        #expect(try await studio.ask(.post, "/api/voices/downloads", Self.order).status == .accepted)
        for await entry in subscription.entries where entry.event == .voices { break }
    }

    @Test("lists the catalogue, downloads, chooses and deletes")
    func wholeLife() async throws {
        let studio = try await TestStudio()
        let listings = try await studio.ask(.get, "/api/voices/listings").json
        let all = try #require(listings["voices"] as? [[String: Any]])
        #expect(all.count == Self.count)
        let selected = all.filter { $0["isSelected"] as? Bool == true }
        #expect(selected.map { $0["id"] as? String } == [ScriptedSynthesizer.narrator.id.rawValue])
        #expect(selected.allSatisfy { $0["isBuiltIn"] as? Bool == true && $0["installed"] is NSNull })
        #expect(listings["refreshedAt"] is NSNull && listings["isOffline"] as? Bool == false)
        #expect(listings["source"] as? String == "sherpaOnnx")
        let before = try await lessac(studio)
        #expect(before["language"] as? String == "en-US" && before["quality"] as? String == "medium")
        #expect(before["archiveBytes"] is NSNull && before["expectedBytes"] as? Int == 65_000_000)
        #expect(before["hasChecksum"] as? Bool == false, "none is made up")
        #expect(before["installed"] is NSNull && before["problem"] is NSNull)
        #expect(before["availability"] as? String == "absent")
        #expect(try await state(studio) == "none")

        try await install(studio)
        let after = try await lessac(studio)
        #expect(after["availability"] as? String == "ready" && after["name"] as? String == "Lessac")
        #expect(try await state(studio) == "none", "nothing is on its way any more")
        let installed = try #require(after["installed"] as? [String: Any])
        #expect((installed["licence"] as? [String: Any])?["name"] as? String == "CC0 1.0")
        #expect(installed["installedAt"] as? String == "2026-09-21T14:13:20.000Z" && installed["bytes"] as? Int == 120)
        let speaking = try await studio.ask(.get, "/api/voices").list.map { $0["id"] as? String }
        let ready = try await voices(studio).filter { $0["availability"] as? String == "ready" }
        #expect(Set(speaking) == Set(ready.map { $0["id"] as? String }))
        #expect(speaking.first == Self.voice, "what was installed comes before what is built in")
        let builtIn = try #require(speaking.last)
        let favorite = #"{"voice":"\#(builtIn ?? "")","isFavorite":true}"#
        #expect(try await studio.ask(.put, "/api/voices/favorites", favorite).status == .noContent)
        let marked = try await studio.ask(.get, "/api/voices").list.map { $0["id"] as? String }
        #expect(marked.prefix(2) == [builtIn, Self.voice], "and favourites before both")

        let chosen = try await studio.ask(.put, "/api/voices/chosen", #"{"voice":"\#(Self.voice)"}"#)
        #expect(try chosen.json["voice"] as? String == Self.voice)
        #expect(try await lessac(studio)["isSelected"] as? Bool == true)
        let wrong = try await studio.ask(.put, "/api/voices/chosen", #"{"voice":"\#(Self.voice)","speaker":1}"#)
        #expect(wrong.status == .unprocessableContent)

        let name = "/api/voices/installed/en_US-lessac-medium"
        #expect(try await studio.ask(.delete, name, "{}").status == .noContent)
        let deleted = try await lessac(studio)
        #expect(deleted["availability"] as? String == "absent" && deleted["isSelected"] as? Bool == true)
        #expect(try await studio.ask(.get, "/api/profiles").json["isStandIn"] as? Bool == true)
        let gone = try await studio.ask(.delete, name, "{}")
        #expect((gone.status, gone.code) == (.notFound, "voice.not-installed-here"))
        let losses = try await studio.ask(.get, "/api/voices/listings").json["losses"] as? [Any]
        #expect(losses?.isEmpty == true, "what was deleted is not missed")
    }

    @Test("shows how a download comes on, stops it and throws it away")
    func stops() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let studio = try await TestStudio(archives: Self.endless(begin))
        _ = try await studio.ask(.post, "/api/voices/downloads", Self.order)
        for await _ in begun { break }
        let list = try await studio.ask(.get, "/api/voices/downloads").list
        let status = try #require(list.first)
        #expect(list.count == 1 && status["entry"] as? String == Self.entry)
        #expect(status["state"] as? String == "downloading" && status["bytes"] as? Int == 50)
        #expect(status["total"] as? Int == 200 && status["secondsLeft"] as? Double == 15)
        let address = "/api/voices/downloads/\(Self.entry)"
        #expect(try await studio.ask(.post, "\(address)/cancel", "{}").status == .noContent)
        #expect(try await state(studio) == "paused")
        #expect(try await studio.ask(.delete, address, "{}").status == .noContent)
        #expect(try await state(studio) == "none")
    }

    @Test("says why a download failed")
    func fails() async throws {
        let studio = try await TestStudio(archives: ScriptedArchives { _, _ in throw ModelDownloadError.cannotWrite })
        let subscription = await studio.events.subscribe()
        _ = try await studio.ask(.post, "/api/voices/downloads", Self.order)
        for await entry in subscription.entries {
            if case .voice(let status) = entry.event, case .failed = status.state { break }
        }
        let download = try #require(try await lessac(studio)["download"] as? [String: Any])
        #expect(download["state"] as? String == "failed")
        #expect((download["failure"] as? [String: Any])?["code"] as? String == "download.cannot-write")
    }

    @Test("connects to nothing when it is offline")
    func offline() async throws {
        let archives = ScriptedArchives()
        let studio = try await TestStudio(archives: archives)
        studio.rules.now = OutboundRules(isOffline: true)
        studio.catalogue.fail(.offline)
        let refused = try await studio.ask(.post, "/api/voices/downloads", Self.order)
        #expect((refused.status, refused.code) == (.conflict, "outbound.offline"))
        #expect(archives.fetches.isEmpty)
        let refresh = try await studio.ask(.post, "/api/voices/catalogue/refresh", "{}")
        #expect((refresh.status, refresh.code) == (.conflict, "outbound.offline"))
        #expect(try await studio.ask(.get, "/api/voices/listings").json["isOffline"] as? Bool == true)
        studio.rules.now = OutboundRules(isOffline: true, catalogue: .folder("/media/stick"))
        try await install(studio)
        #expect(archives.fetches.count == 1, "a folder is no connection")
        #expect(try await studio.ask(.get, "/api/voices/listings").json["isOffline"] as? Bool == false)
    }

    @Test("asks for what is new")
    func refreshes() async throws {
        let studio = try await TestStudio()
        let catalogue = try await studio.ask(.post, "/api/voices/catalogue/refresh", "{}").json
        #expect((catalogue["voices"] as? [Any])?.count == Self.count + 1)
        #expect(catalogue["refreshedAt"] as? String == "2026-09-21T14:13:20.000Z")
        studio.catalogue.fail(.tooManyRequests(host: "example.org", wait: .seconds(90)))
        let refused = try await studio.ask(.post, "/api/voices/catalogue/refresh", "{}")
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "90")
        for (error, status) in [
            (ModelDownloadError.unreachable(host: "x"), 502), (.stalled(host: "x"), 504), (.badAddress, 422),
            (.notThere("list"), 404), (.cannotWrite, 507),
        ] as [(ModelDownloadError, Int)] {
            studio.catalogue.fail(error)
            #expect(try await studio.ask(.post, "/api/voices/catalogue/refresh", "{}").status.code == status)
        }
    }

    @Test("remembers favorites")
    func favorites() async throws {
        let studio = try await TestStudio()
        for (voice, status) in [
            (Self.voice, HTTPResponse.Status.noContent), (ScriptedSynthesizer.narrator.id.rawValue, .noContent),
            ("piper/nobody", .notFound),
        ] {
            let body = #"{"voice":"\#(voice)","isFavorite":true}"#
            #expect(try await studio.ask(.put, "/api/voices/favorites", body).status == status)
        }
        #expect(try await lessac(studio)["isFavorite"] as? Bool == true)
        _ = try await studio.ask(.put, "/api/voices/favorites", #"{"voice":"\#(Self.voice)","isFavorite":false}"#)
        #expect(try await lessac(studio)["isFavorite"] as? Bool == false)
    }

    @Test("takes in an archive of the person's own")
    func uploads() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        let bytes = Data("BZh".utf8)
        let answer = try await studio.ask(
            .post,
            "/api/voices/uploads?name=..%2Fmine.tar.bz2",
            bytes: bytes,
            headers: headers
        )
        #expect(answer.status == .created)
        #expect(try answer.json["entry"] is NSNull && answer.json["id"] as? String == "piper/mine")
        #expect(try await voices(studio).count == Self.count + 1)
        let other = try await studio.ask(.post, "/api/voices/uploads?name=mine.zip", bytes: bytes, headers: headers)
        #expect((other.status, other.code) == (.unprocessableContent, "voice.not-an-archive"))
        headers[.contentLength] = "1000000001"
        let large = try await studio.ask(.post, "/api/voices/uploads?name=a.tar.bz2", bytes: bytes, headers: headers)
        #expect((large.status, large.code) == (.contentTooLarge, "download.too-large"))
    }

    private func losses(_ studio: TestStudio) async throws -> [[String: Any]] {
        try await studio.ask(.get, "/api/voices/listings").json["losses"] as? [[String: Any]] ?? []
    }

    @Test("reports a voice whose files are gone until the report was dismissed, and writes nothing for it")
    func losses() async throws {
        let studio = try await TestStudio()
        try await install(studio)
        let registry = studio.vault.library.voices
        let known = try await registry.records()
        #expect(known[.init(rawValue: Self.voice)]?.installation != nil)
        // As if somebody had deleted the folder.
        try await studio.installer.remove(.init(rawValue: Self.voice))
        for _ in 0..<2 {
            let losses = try await losses(studio)
            #expect(losses.map { $0["entry"] as? String } == [Self.entry])
            #expect((losses.first?["failure"] as? [String: Any])?["code"] as? String == "voice.gone")
        }
        #expect(try await registry.records() == known)
        #expect(try await studio.ask(.post, "/api/voices/losses/dismiss", "{}").status == .noContent)
        #expect(try await losses(studio).isEmpty)
    }

    @Test("reports a voice that is there and cannot speak, which can be deleted")
    func broken() async throws {
        let studio = try await TestStudio()
        try await install(studio)
        studio.installer.spoil(.init(rawValue: Self.voice), VoiceFolderError.missingFile("a.onnx"))
        let loss = try #require(try await losses(studio).first)
        #expect(loss["voice"] as? String == Self.voice && loss["name"] as? String == "Lessac")
        #expect((loss["failure"] as? [String: Any])?["code"] as? String == "voice.missing-file")
        #expect(try await studio.ask(.post, "/api/voices/losses/dismiss", "{}").status == .noContent)
        #expect(try await losses(studio).isEmpty)
        let row = try await lessac(studio)
        #expect((row["problem"] as? [String: Any])?["code"] as? String == "voice.missing-file", "its row still says it")
        #expect(row["availability"] as? String == "faulty")
        #expect((row["installed"] as? [String: Any])?["folder"] as? String == Self.entry)
        let name = "/api/voices/installed/en_US-lessac-medium"
        #expect(try await studio.ask(.delete, name, "{}").status == .noContent)
        #expect(try await lessac(studio)["installed"] is NSNull)
    }

    @Test("forgets a deleted voice before its event is posted")
    func deletion() async throws {
        let studio = try await TestStudio()
        try await install(studio)
        let subscription = await studio.events.subscribe()
        let registry = studio.vault.library.voices
        let looking = Task { () -> VoiceRecord? in
            for await entry in subscription.entries where entry.event == .voices { break }
            return try await registry.records()[.init(rawValue: Self.voice)]
        }
        let name = "/api/voices/installed/en_US-lessac-medium"
        #expect(try await studio.ask(.delete, name, "{}").status == .noContent)
        let record = try #require(try await looking.value)
        #expect(record.installation == nil)
    }

    @Test("says that a voice was disabled, and lets it speak again")
    func disabled() async throws {
        let studio = try await TestStudio(beforeSpeaking: { _ in throw VoiceFolderError.disabled("x.onnx", deaths: 3) })
        let narrator = ScriptedSynthesizer.narrator.id
        let sample = try await studio.ask(.get, "/api/voices/sample?voice=\(narrator.rawValue)&text=Hello")
        #expect(sample.code == "voice.set-aside")
        let registry = studio.vault.library.voices
        #expect(try await registry.records()[narrator]?.disabledBy == "voice.set-aside")

        try await install(studio)
        try await registry.update(.init(rawValue: Self.voice)) { $0.disabledBy = "voice.set-aside" }
        let problem = try await lessac(studio)["problem"] as? [String: Any]
        #expect(problem?["code"] as? String == "voice.set-aside")
        let body = #"{"voice":"\#(Self.voice)"}"#
        #expect(try await studio.ask(.post, "/api/voices/retry", body).status == .noContent)
        #expect(try await lessac(studio)["problem"] is NSNull)
        #expect(studio.enabled.voices == [.init(rawValue: Self.voice)])
    }

    @Test("says with every answer which event was the last before it")
    func lastEvent() async throws {
        let studio = try await TestStudio()
        let last = { (answer: Answer) -> Int in
            let parts = try #require(answer.headers[.lastEventID]).split(separator: "-")
            #expect(parts.first.map(String.init) == studio.events.run)
            return try #require(parts.last.flatMap { Int($0) })
        }
        let before = try last(try await studio.ask(.get, "/api/voices/listings"))
        #expect(before == (await studio.events.last))
        let mark = try await studio.ask(
            .put,
            "/api/voices/favorites",
            #"{"voice":"\#(Self.voice)","isFavorite":true}"#
        )
        #expect(try last(mark) == before, "what it did itself came later")
        let after = try await studio.ask(.get, "/api/voices/listings")
        #expect(try last(after) > before)
        for path in ["/api/voices", "/api/settings", "/api/profiles", "/api/batch", "/api/narrations", "/api/history"] {
            #expect(try last(try await studio.ask(.get, path)) == last(after), "\(path)")
        }
    }

    @Test("numbers its answers as the stream numbers its events")
    func eventNumbers() async throws {
        let studio = try await TestStudio()
        let known = try #require(try await studio.ask(.get, "/api/voices/listings").headers[.lastEventID])
        await studio.events.post(.voices)
        let stream = try await events(studio, after: known)
        let now = try #require(try await studio.ask(.get, "/api/voices/listings").headers[.lastEventID])
        #expect(stream.contains("id: \(now)\nevent: voices") && !stream.contains("event: reset"))
    }

    @Test("reports nothing while the library is locked")
    func locked() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        for (method, path, body) in [
            (HTTPRequest.Method.get, "listings", nil), (.post, "catalogue/refresh", "{}"), (.get, "downloads", nil),
            (.post, "downloads", Self.order), (.delete, "downloads/\(Self.entry)", "{}"),
            (.post, "downloads/\(Self.entry)/cancel", "{}"), (.put, "chosen", #"{"voice":"x"}"#),
            (.put, "favorites", #"{"voice":"x","isFavorite":true}"#), (.delete, "installed/x", "{}"),
            (.post, "uploads?name=a.tar.bz2", "{}"), (.post, "losses/dismiss", "{}"),
            (.post, "retry", #"{"voice":"x"}"#),
        ] as [(HTTPRequest.Method, String, String?)] {
            let answer = try await studio.ask(method, "/api/voices/\(path)", body)
            #expect(answer.status.code == 423, "\(path): \(answer.text)")
        }
    }

    /// The events of a stream until everything was reported.
    private func events(_ studio: TestStudio, after id: String) async throws -> String {
        var headers = studio.headers
        headers[.lastEventID] = id
        let stream = Task { [headers] in try await studio.ask(.get, "/api/events", headers: headers).text }
        // Event streams are ended until this one, which begins at some time, was included.
        let closing = Task {
            while !Task.isCancelled {
                await studio.events.close()
                // This throws only when it is cancelled.
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { closing.cancel() }
        return try await stream.value
    }

    @Test("reports no downloads while the library is locked")
    func lockedEvents() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        let reset = try await events(studio, after: "nobody-1")
        let id = try #require(reset.firstMatch(of: /id: ([a-z0-9-]+)\nevent: reset/)?.output.1)
        await studio.events.post(.voice(VoiceStatus(entry: .init(rawValue: Self.entry), state: .waiting)))
        await studio.events.post(.voices)
        await studio.events.post(.vault)
        let reported = try await events(studio, after: String(id))
        #expect(
            reported.contains("event: vault") && !reported.contains("event: voice") && !reported.contains(Self.entry)
        )
    }
}
