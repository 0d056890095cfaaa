import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import WebApp

@Suite("The page's API", .endsInTime)
struct RouteTests {
    private static let story = "One sentence is here. Another one follows it."
    /// Lasts long enough to be stopped in the middle.
    private static let long = String(repeating: "\(story) ", count: 10)

    @Test("makes a recording of a text, finds it, and reads it out")
    func narration() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story, name: "My story")
        let page = try await studio.ask(.get, "/api/library?words=another").json
        #expect(page["total"] as? Int == 1)
        let item = try #require((page["items"] as? [[String: Any]])?.first)
        #expect(item["name"] as? String == "My story")
        #expect((item["place"] as? [String: Any])?["from"] as? Int == 22)
        #expect(try await studio.ask(.get, "/api/library/\(id)/text").json["text"] as? String == Self.story)
        let late = try await studio.ask(.get, "/api/narrations/\(id)/text").json
        #expect(late["text"] as? String == Self.story, "who asked for the narration hears of its recording")
        let paragraphs = try #require(late["paragraphs"] as? [[String: Any]])
        #expect(paragraphs.map { $0["from"] as? Int } == [0] && paragraphs[0]["to"] as? Int == Self.story.utf16.count)
        #expect(paragraphs[0]["isHeading"] as? Bool == false)
        let chapters = try await studio.ask(.get, "/api/narrations/\(id)/chapters").list
        #expect(chapters.map { $0["title"] as? String } == ["My story"], "as those of the recording")
        let sentences = try await studio.ask(.get, "/api/library/\(id)/timings").json["sentences"] as? [[String: Any]]
        #expect(sentences?.count == 2)
        let lateSentences = try await studio.ask(.get, "/api/narrations/\(id)/timings").json["sentences"]
        #expect((lateSentences as? [[String: Any]])?.count == 2, "and the times of its words")
        let sound = try await studio.ask(.get, "/api/narrations/\(id)/sound?from=0")
        #expect(sound.headers[.sampleRate] == "8000")
        let wav = try await studio.ask(.get, "/api/library/\(id)/sound")
        let isSame = wav.data.dropFirst(44) == sound.data
        #expect(isSame, "what is heard live is what is kept")
    }

    @Test("reads sound by ranges")
    func ranges() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story)
        let whole = try await studio.ask(.get, "/api/library/\(id)/sound").data
        var headers = studio.headers
        headers[.range] = "bytes=10-19"
        let part = try await studio.ask(.get, "/api/library/\(id)/sound", headers: headers)
        #expect(part.status == .partialContent)
        #expect(part.headers[.contentRange] == "bytes 10-19/\(whole.count)")
        #expect(part.data == whole[10..<20])
        headers[.range] = "bytes=\(whole.count)-"
        #expect(try await studio.ask(.get, "/api/library/\(id)/sound", headers: headers).status == .rangeNotSatisfiable)
    }

    @Test("answers HEAD as GET, without the body")
    func headOnly() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story)
        let paths = ["/", "/library", "/app.js", "/api/openapi.json", "/api/library/\(id)/sound", "/api/library/none"]
        for path in paths {
            let whole = try await studio.ask(.get, path)
            let head = try await studio.ask(.head, path)
            #expect((head.status, head.data.count) == (whole.status, 0), "\(path)")
            #expect(head.headers[.contentLength] == String(whole.data.count), "\(path)")
            #expect(head.headers[.contentType] == whole.headers[.contentType], "\(path)")
        }
        #expect(try await studio.ask(.head, "/api/library/\(id)/sound").headers[.acceptRanges] == "bytes")
        var headers = studio.headers
        headers[.range] = "bytes=0-1"
        let part = try await studio.ask(.head, "/api/library/\(id)/sound", headers: headers)
        #expect((part.status, part.data.count, part.headers[.contentLength]) == (.partialContent, 0, "2"))
        headers[.cookie] = nil
        #expect(try await studio.ask(.head, "/api/state", headers: headers).status == .unauthorized)
    }

    @Test("uses up no ticket and no ordered download by HEAD")
    func headOfWhatIsGivenOnce() async throws {
        let studio = try await TestStudio()
        let ticket = try await studio.sessions.makeTicket()
        #expect(try await studio.ask(.head, "/open/\(ticket)").status == .notFound)
        #expect(try await studio.ask(.get, "/open/\(ticket)").headers[.setCookie] != nil)
        let id = try await studio.record(Self.story)
        let order = try await studio.ask(.post, "/api/exports", #"{"ids":["\#(id)"],"format":"txt"}"#)
        let download = try #require(try order.json["id"] as? String, "\(order.text)")
        #expect(try await studio.ask(.head, "/api/exports/\(download)").status == .notFound)
        #expect(try await studio.ask(.get, "/api/exports/\(download)").status == .ok)
    }

    @Test("says how loud a recording is from beginning to end")
    func waveform() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story)
        let answer = try await studio.ask(.get, "/api/library/\(id)/waveform")
        let peaks = try JSONDecoder().decode([UInt8].self, from: answer.data)
        #expect((answer.status, peaks.count) == (.ok, Waveform.mostParts))
        #expect(peaks.contains { $0 > 0 })
        let unknown = try await studio.ask(.get, "/api/library/no-such/waveform")
        #expect((unknown.status, unknown.code) == (.notFound, "library.item-not-found"))
    }

    @Test("renames, marks and deletes recordings")
    func changes() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story)
        let changed = try await studio.ask(.patch, "/api/library/\(id)", #"{"name":"New","isFavorite":true}"#).json
        #expect(changed["name"] as? String == "New")
        #expect(changed["isFavorite"] as? Bool == true)
        #expect(try await studio.ask(.get, "/api/library?favorite=true").json["total"] as? Int == 1)
        let refused = try await studio.ask(.patch, "/api/library/\(id)", #"{"name":" "}"#)
        #expect((refused.status, refused.code) == (.unprocessableContent, "library.invalid-name"))
        let deleted = try await studio.ask(.post, "/api/library/delete", #"{"ids":["\#(id)"]}"#)
        #expect(deleted.status == .noContent)
        #expect(try await studio.ask(.get, "/api/library/\(id)").status == .notFound)
    }

    @Test("keeps a queue and where listening stopped")
    func playback() async throws {
        let studio = try await TestStudio()
        let (one, other) = (try await studio.record(Self.long), try await studio.record("Second text."))
        let body = #"{"items":["\#(one)","\#(other)"],"start":true}"#
        let queue = try await studio.ask(.post, "/api/playback/entries", body).json
        let entries = try #require(queue["entries"] as? [[String: Any]])
        #expect(queue["current"] as? String == entries[0]["id"] as? String)
        let second = try #require(entries[1]["id"] as? String)
        let moved = try await studio.ask(.post, "/api/playback/entries/move", #"{"id":"\#(second)","position":0}"#).json
        #expect((moved["entries"] as? [[String: Any]])?.first?["id"] as? String == second)
        let place = #"{"item":"\#(one)","position":0.25,"list":"order=name&offset=1"}"#
        let mark = try await studio.ask(.put, "/api/playback/bookmark", place)
        #expect(mark.status == .noContent)
        let playback = try await studio.ask(.get, "/api/playback").json
        #expect((playback["bookmark"] as? [String: Any])?["position"] as? Double == 0.25)
        #expect((playback["bookmark"] as? [String: Any])?["list"] as? String == "order=name&offset=1")
        let list = String(repeating: "x", count: Bookmark.longestList + 1)
        let long = #"{"item":"\#(one)","position":0,"list":"\#(list)"}"#
        #expect(try await studio.ask(.put, "/api/playback/bookmark", long).status == .contentTooLarge)
        let cleared = try await studio.ask(.post, "/api/playback/clear", "{}").json
        #expect((cleared["entries"] as? [Any])?.isEmpty == true)
    }

    @Test("asks the library once about a long queue, and not about each entry")
    func longQueue() async throws {
        let studio = try await TestStudio()
        let ids = [try await studio.record(Self.story), try await studio.record("Second text.")]
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        let looks = Mutex(0)
        await library.holdUpLooks { looks.withLock { $0 += 1 } }
        let items = (0..<700).map { "\"\(ids[$0 % 2])\"" }.joined(separator: ",")
        let added = try await studio.ask(.post, "/api/playback/entries", "{\"items\":[\(items)]}").json
        #expect((added["entries"] as? [Any])?.count == 700)
        let shown = try #require(try await studio.ask(.get, "/api/playback").json["entries"] as? [[String: Any]])
        let named = shown.map { ($0["item"] as? [String: Any])?["id"] as? String }
        #expect(named == (0..<700).map { ids[$0 % 2].rawValue })
        #expect(looks.withLock { $0 } < 20, "about all of them together, each time")
        let missing = #"{"items":["\#(ids[0])","none"]}"#
        #expect(try await studio.ask(.post, "/api/playback/entries", missing).code == "library.item-not-found")
    }

    @Test("shows the queue without a recording that cannot be read, and says that the place in it is lost")
    func unreadableInQueue() async throws {
        let studio = try await TestStudio()
        let (one, other) = (try await studio.record(Self.story), try await studio.record("Second text."))
        _ = try await studio.ask(.post, "/api/playback/entries", #"{"items":["\#(one)","\#(other)"]}"#)
        _ = try await studio.ask(.put, "/api/playback/bookmark", #"{"item":"\#(one)","position":0.25}"#)
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.makeUnreadable(one)
        let playback = try await studio.ask(.get, "/api/playback").json
        let entries = try #require(playback["entries"] as? [[String: Any]])
        #expect(entries.map { ($0["item"] as? [String: Any])?["id"] as? String } == [other.rawValue])
        #expect(playback["unreadable"] as? Int == 1)
        #expect(playback["isBookmarkLost"] as? Bool == true)
        #expect(playback["lostName"] is NSNull, "it cannot be read")
    }

    @Test("moves an entry among those that a page shows, wherever others stand that cannot be read")
    func movesAmongShown() async throws {
        let studio = try await TestStudio()
        var ids: [AudioItem.ID] = []
        for text in ["First.", "Damaged.", "Second.", "Third."] { ids.append(try await studio.record(text)) }
        let items = ids.map { "\"\($0)\"" }.joined(separator: ",")
        _ = try await studio.ask(.post, "/api/playback/entries", "{\"items\":[\(items)]}")
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.makeUnreadable(ids[1])
        let shown = try #require(try await studio.ask(.get, "/api/playback").json["entries"] as? [[String: Any]])
        let first = try #require(shown.first?["id"] as? String)
        for (position, order) in [(1, [2, 0, 3]), (9, [2, 3, 0]), (-1, [0, 2, 3])] {
            let body = "{\"id\":\"\(first)\",\"position\":\(position)}"
            let moved = try await studio.ask(.post, "/api/playback/entries/move", body).json
            let entries = try #require(moved["entries"] as? [[String: Any]])
            let named = entries.map { ($0["item"] as? [String: Any])?["id"] as? String }
            #expect(named == order.map { ids[$0].rawValue })
        }
    }

    @Test("FR25: says the name that the recording had whose place is lost, until that has been reported")
    func lostName() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story, name: "My story")
        _ = try await studio.ask(.put, "/api/playback/bookmark", #"{"item":"\#(id)","position":0.25}"#)
        #expect(try await studio.ask(.get, "/api/playback").json["lostName"] is NSNull)
        _ = try await studio.ask(.patch, "/api/library/\(id)", #"{"name":"Our story"}"#)
        _ = try await studio.ask(.post, "/api/library/delete", #"{"ids":["\#(id)"]}"#)
        let playback = try await studio.ask(.get, "/api/playback").json
        #expect((playback["isBookmarkLost"] as? Bool, playback["lostName"] as? String) == (true, "Our story"))
        _ = try await studio.ask(.delete, "/api/playback/bookmark", "{}")
        #expect(try await studio.ask(.get, "/api/playback").json["lostName"] is NSNull)
    }

    @Test("deletes what a list leaves out as unreadable, and says so to the pages")
    func unreadableDeleted() async throws {
        let studio = try await TestStudio()
        let (one, other) = (try await studio.record(Self.story), try await studio.record("Second text."))
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.makeUnreadable(one)
        let path = "/api/library/unreadable"
        #expect(try await studio.ask(.delete, "\(path)?origin=recorded&origin=imported", "{}").status == .noContent)
        #expect(try await studio.ask(.get, "/api/library?origin=narrated").json["unreadable"] as? Int == 1)
        let refused = try await studio.ask(.delete, "\(path)?origin=nobody", "{}")
        #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"))

        let subscription = await studio.events.subscribe()
        #expect(try await studio.ask(.delete, "\(path)?origin=narrated", "{}").status == .noContent)
        for await entry in subscription.entries {
            guard case .library(_, _, let deleted) = entry.event else { continue }
            #expect(deleted == [one])
            break
        }
        let left = try await studio.ask(.get, "/api/library").json
        #expect((left["items"] as? [[String: Any]])?.map { $0["id"] as? String } == [other.rawValue])
        #expect(left["unreadable"] as? Int == 0)
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
        #expect(try await studio.ask(.get, "/api/library").json["total"] as? Int == 1)
    }

    @Test("deletes nothing that cannot be read while the library is locked")
    func unreadableLocked() async throws {
        let studio = try await TestStudio()
        let one = try await studio.record(Self.story)
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.makeUnreadable(one)
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        let refused = try await studio.ask(.delete, "/api/library/unreadable", "{}")
        #expect((refused.status.code, refused.code) == (423, "vault.locked"))
        #expect(await library.unreadableItems() == [one])
    }

    @Test("keeps every recording that is queued, however many are at once")
    func crowdedQueue() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record(Self.story)
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<50 {
                group.addTask { try await studio.ask(.post, "/api/playback/entries", #"{"items":["\#(id)"]}"#).status }
            }
            for try await status in group { #expect(status == .ok) }
        }
        #expect((try await studio.ask(.get, "/api/playback").json["entries"] as? [Any])?.count == 50)
    }

    @Test("keeps profiles, of which one speaks")
    func profiles() async throws {
        let studio = try await TestStudio()
        let body = #"{"name":"Slow","voice":"espeak/et-actor","speed":0.5}"#
        let made = try await studio.ask(.post, "/api/profiles", body)
        #expect(try made.status == .created && made.json["voiceName"] as? String == "Actor")
        let id = try #require(try made.json["id"] as? String)
        #expect(try await studio.ask(.put, "/api/profiles/chosen", #"{"id":"\#(id)"}"#).status == .noContent)
        let item = try await studio.record("Some text.")
        let kept = try await studio.ask(.get, "/api/library/\(item)").json
        let narration = try #require(kept["narration"] as? [String: Any])
        #expect(narration["voice"] as? String == "espeak/et-actor")
        #expect(narration["speed"] as? Double == 0.5)
        for change in [#"{"speed":0.8}"#, #"{"name":"Slower"}"#, #"{"pitch":1.2}"#] {
            #expect(try await studio.ask(.put, "/api/profiles/\(id)", change).status == .ok)
        }
        let changed = try await studio.ask(.put, "/api/profiles/\(id)", #"{"voice":"espeak/et-actor"}"#).json
        #expect((changed["name"] as? String, changed["speed"] as? Double) == ("Slower", 0.8), "what is left out stays")
        #expect((changed["pitch"] as? Double, changed["voice"] as? String) == (1.2, "espeak/et-actor"))
        #expect(try await studio.ask(.put, "/api/profiles/\(id)", #"{"speed":9}"#).status == .unprocessableContent)
        #expect(try await studio.ask(.put, "/api/profiles/none", #"{"speed":1}"#).code == "profile.not-found")
        #expect(try await studio.ask(.delete, "/api/profiles/default", "{}").status == .conflict)
        #expect(try await studio.ask(.delete, "/api/profiles/\(id)", "{}").status == .noContent)
    }

    @Test("changes settings and says what they take")
    func settings() async throws {
        let studio = try await TestStudio()
        let changed = try await studio.ask(.put, "/api/settings/playback.step", #"{"value":"30"}"#).json
        #expect(changed["value"] as? String == "30")
        #expect(changed["range"] as? [Double] == [1, 600])
        let refused = try await studio.ask(.put, "/api/settings/playback.step", #"{"value":"0"}"#)
        #expect((refused.status, refused.code) == (.unprocessableContent, "settings.invalid"))
        #expect(try await studio.ask(.put, "/api/settings/no.such", #"{"value":"0"}"#).status == .notFound)
        #expect(try await studio.ask(.delete, "/api/settings", "{}").status == .noContent)
        let all = try await studio.ask(.get, "/api/settings").list
        #expect(all.count == SettingsCatalogue.all.count)
        #expect(all.allSatisfy { $0["value"] as? String == $0["standard"] as? String })
    }

    @Test("uses the dictionary that is written, and says which line is wrong")
    func dictionary() async throws {
        let studio = try await TestStudio()
        let text = #"{"text":"sentence = phrase\n"}"#
        #expect(try await studio.ask(.put, "/api/dictionary", text).status == .ok)
        #expect(try await studio.ask(.get, "/api/dictionary").json["text"] as? String == "sentence = phrase\n")
        let wrong = try await studio.ask(.put, "/api/dictionary", #"{"text":"no equals sign"}"#)
        #expect(wrong.status == .unprocessableContent)
        #expect(try wrong.json["message"] as? String != "")
    }

    @Test("replaces no dictionary that was changed since the one that a change was made from")
    func basedDictionary() async throws {
        let studio = try await TestStudio()
        let path = "/api/dictionary"
        #expect(try await studio.ask(.put, path, #"{"text":"a = b","base":""}"#).status == .ok)
        let late = try await studio.ask(.put, path, #"{"text":"c = d","base":""}"#)
        #expect((late.status, late.code) == (.conflict, "settings.changed"))
        #expect(try await studio.ask(.get, path).json["text"] as? String == "a = b", "nothing is lost")
        #expect(try await studio.ask(.put, path, #"{"text":"a = b\nc = d","base":"a = b"}"#).status == .ok)
        #expect(try await studio.ask(.get, path).json["text"] as? String == "a = b\nc = d")
    }

    @Test("says where things are and how much speech is remembered, and forgets it")
    func storage() async throws {
        let studio = try await TestStudio()
        let request = SpeechRequest(Utterance("Word.", voice: ScriptedSynthesizer.narrator.id), version: "1")
        let clip = AudioClip(samples: [0, 0.5, 0], sampleRate: 8_000)
        try await studio.vault.library.speech.keep([(request, SpeechFragment(clip: clip, marks: []))])
        let before = try await studio.ask(.get, "/api/storage").json
        #expect(before["voices"] as? String == "/voices" && before["recognizers"] as? String == "/recognizers")
        #expect(before["speechBytes"] as? Int == 6)
        let sizes = try #require(before["libraryBytes"] as? [String: Int])
        #expect(Set(sizes.keys) == Set(LibrarySize.Kind.allCases.map(\.rawValue)))
        #expect(sizes.values.allSatisfy { $0 == 0 })
        #expect(try await studio.ask(.delete, "/api/storage/speech", "{}").status == .noContent)
        #expect(try await studio.ask(.get, "/api/storage").json["speechBytes"] as? Int == 0)
    }

    @Test("forgets texts one by one and all at once")
    func history() async throws {
        let studio = try await TestStudio()
        for text in ["First text.", "Second text."] { try await studio.record(text) }
        let entries = try await studio.ask(.get, "/api/history").json["entries"] as? [[String: Any]]
        #expect(entries?.map { $0["text"] as? String } == ["Second text.", "First text."])
        let id = try #require(entries?[0]["id"] as? Int)
        let memory = try #require(studio.vault.library.history as? MemoryHistory)
        await memory.damage(id)
        let damaged = try await studio.ask(.get, "/api/history").json
        #expect(damaged["unreadable"] as? [Int] == [id])
        #expect((damaged["entries"] as? [Any])?.count == (entries?.count ?? 0) - 1)
        #expect(try await studio.ask(.delete, "/api/history/\(id)", "{}").status == .noContent)
        #expect(try await studio.ask(.delete, "/api/history/\(id)", "{}").status == .notFound)
        #expect(try await studio.ask(.delete, "/api/history", "{}").status == .noContent)
    }

    @Test("speaks a sample of a voice")
    func sample() async throws {
        let studio = try await TestStudio()
        let sample = try await studio.ask(.get, "/api/voices/sample?voice=espeak/en-narrator&text=Hello")
        #expect(sample.headers[.contentType] == "audio/wav")
        #expect(sample.text.hasPrefix("RIFF"))
        let long = String(repeating: "a", count: 201)
        #expect(try await studio.ask(.get, "/api/voices/sample?text=\(long)").status == .contentTooLarge)
        #expect(try await studio.ask(.get, "/api/voices/sample?voice=nobody").code == "voice.not-installed")
    }

    @Test(
        "refuses what makes no sense, in words",
        arguments: [
            ("GET", "/api/library?limit=0"), ("GET", "/api/library?order=colour"), ("GET", "/api/library?favorite=yes"),
            ("GET", "/api/library?speedFrom=2&speedTo=1"), ("GET", "/api/library?createdFrom=yesterday"),
            ("POST", "/api/narrations"), ("POST", "/api/library/delete"), ("PUT", "/api/passcode"),
        ]
    )
    func nonsense(_ method: String, _ path: String) async throws {
        let studio = try await TestStudio()
        let method = try #require(HTTPRequest.Method(method))
        let answer = try await studio.ask(method, path, method == .get ? nil : "{}")
        #expect((answer.status, answer.code) == (.unprocessableContent, "web.bad-request"))
    }

    @Test("answers with 423 to everything but the way in while the library is locked")
    func locked() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        let locked = try await studio.ask(.post, "/api/lock", "{}").json
        #expect((locked["vault"] as? [String: Any])?["state"] as? String == "locked")
        let paths = [
            "/api/voices", "/api/narrations", "/api/library", "/api/library/voices", "/api/library/x/sound",
            "/api/library/x/file", "/api/library/x/export?format=wav", "/api/playback", "/api/history", "/api/profiles",
            "/api/settings",
            "/api/storage", "/api/dictionary", "/api/documents", "/api/documents/x", "/api/documents/x/original",
            "/api/documents/x/structure", "/api/documents/x/text", "/api/documents/x/places",
            "/api/documents/x/picture", "/api/documents/x/thumbnail", "/api/documents/x/selection", "/api/batch",
        ]
        for path in paths {
            let answer = try await studio.ask(.get, path)
            #expect((answer.status.code, answer.code) == (423, "vault.locked"), "\(path)")
        }
        let upload = try await studio.upload("Text.")
        #expect((upload.status.code, upload.code) == (423, "vault.locked"))
        let wrong = try await studio.ask(.post, "/api/unlock", #"{"passcode":"0000"}"#)
        #expect((wrong.status, wrong.code) == (.forbidden, "vault.wrong-passcode"))
        let opened = try await studio.ask(.post, "/api/unlock", #"{"passcode":"2580"}"#).json
        #expect((opened["vault"] as? [String: Any])?["state"] as? String == "unlocked")
        #expect(try await studio.ask(.get, "/api/library").status == .ok)
    }

    @Test("says that it is locked before anything else is looked at, on every route but the way in")
    func lockedFirst() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        let wayIn = [
            "/api/state", "/api/unlock", "/api/lock", "/api/recover", "/api/recovery-code/propose",
            "/api/recovery-code",
            "/api/passcode", "/api/passcode/remove", "/api/erase", "/api/events", "/api/openapi.json", "/api/proof",
            "/api/sessions/end",
        ]
        var asked = 0
        for route in studio.routes where route.path.hasPrefix("/api/") && !route.path.contains("*") {
            guard !wayIn.contains(route.path) else { continue }
            let parts = route.path.split(separator: "/").map { $0.hasPrefix(":") ? "no-such" : "\($0)" }
            let method = try #require(HTTPRequest.Method(route.method))
            let path = "/\(parts.joined(separator: "/"))?limit=0&order=none&format=none"
            let answer = try await studio.ask(method, path, method == .get ? nil : "no JSON")
            #expect((answer.status.code, answer.code) == (423, "vault.locked"), "\(route.method) \(route.path)")
            asked += 1
        }
        #expect(asked > 60)
    }

    @Test("says that it is older than it was until the person has seen that, and to every page that it was seen")
    func older() async throws {
        let studio = try await TestStudio()
        #expect(try await studio.ask(.get, "/api/state").json["isOlder"] as? Bool == false)
        await studio.vault.makeOlder()
        for _ in 0..<2 { #expect(try await studio.ask(.get, "/api/state").json["isOlder"] as? Bool == true) }
        let subscription = await studio.events.subscribe()
        let seen = try await studio.ask(.post, "/api/older/seen", "{}")
        #expect(try (seen.status, seen.json["isOlder"] as? Bool) == (.ok, false))
        #expect(await subscription.entries.first { _ in true }?.event == .vault)
        #expect(try await studio.ask(.get, "/api/state").json["isOlder"] as? Bool == false)
    }

    @Test("asks for the passcode again before it makes a recovery code")
    func recoveryCode() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        #expect(try await studio.ask(.post, "/api/recovery-code/propose", "{}").status.code == 423)
        let wrong = try await studio.ask(.post, "/api/recovery-code/propose", #"{"passcode":"0000"}"#)
        #expect((wrong.status, wrong.code) == (.forbidden, "vault.wrong-passcode"))
        let right = try await studio.ask(.post, "/api/recovery-code/propose", #"{"passcode":"2580"}"#)
        #expect(try right.json["code"] as? String != nil)
    }

    @Test(
        "refuses a wrong passcode without making anybody leave",
        arguments: [
            ("/api/passcode/remove", #"{"current":"0000"}"#),
            ("/api/erase", #"{"confirm":"erase everything","passcode":"0000"}"#),
        ]
    )
    func wrongPasscode(path: String, body: String) async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        let narrations = try await studio.librarySession.use().narrations
        let answer = try await studio.ask(.post, path, body)
        #expect((answer.status, answer.code) == (.forbidden, "vault.wrong-passcode"))
        #expect(try await studio.librarySession.use().narrations === narrations)
    }

    @Test("ends every stream of events when it is locked, with the news that it is")
    func streams() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        let subscription = await studio.events.subscribe()
        #expect(try await studio.ask(.post, "/api/lock", "{}").status == .ok)
        var heard: [StudioEvent] = []
        for await entry in subscription.entries { heard.append(entry.event) }
        #expect(heard == [.vault])
    }

    @Test("makes one wait who tries too often, and says how long")
    func waiting() async throws {
        let studio = try await TestStudio()
        let code = try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        for _ in 0..<5 { _ = try await studio.ask(.post, "/api/unlock", #"{"passcode":"0000"}"#) }
        let answer = try await studio.ask(.post, "/api/unlock", #"{"passcode":"2580"}"#)
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers[.retryAfter] == "30")
        let state = try await studio.ask(.get, "/api/state").json["vault"] as? [String: Any]
        #expect(state?["state"] as? String == "lockedOut")
        #expect(state?["retryAfter"] as? Double ?? 0 > 0)
        let recovered = try await studio.ask(.post, "/api/recover", #"{"code":"\#(code)","newPasscode":"1470"}"#)
        #expect(recovered.status == .ok)
        #expect(try await studio.ask(.get, "/api/library").status == .ok)
    }
}
