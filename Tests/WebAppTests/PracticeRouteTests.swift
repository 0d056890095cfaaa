import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Routes of practice", .endsInTime)
struct PracticeRouteTests {
    private static let text = "The keeper sleeps. Waves come in.\n\nIt is night. The lamp turns."

    private func body(_ value: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }

    /// Begins a session, and returns its path with the response.
    private func begin(
        _ studio: TestStudio,
        _ settings: [String: Any] = [:],
        text: String = text
    ) async throws -> (path: String, json: [String: Any]) {
        let order: [String: Any] = [
            "source": ["kind": "text", "text": text, "language": "en"], "settings": settings,
        ]
        let answer = try await studio.ask(.post, "/api/practice/sessions", body(order))
        #expect(answer.status == .created, "\(answer.text)")
        let json = try answer.json
        return ("/api/practice/sessions/\(try #require(json["id"] as? String))", json)
    }

    private func send(_ studio: TestStudio, _ path: String, _ events: [[String: Any]]) async throws -> (
        session: [String: Any], actions: [[String: Any]]
    ) {
        let answer = try await studio.ask(.post, "\(path)/events", body(["events": events]))
        #expect(answer.status == .ok, "\(answer.text)")
        let json = try answer.json
        return (
            try #require(json["session"] as? [String: Any]), try #require(json["actions"] as? [[String: Any]])
        )
    }

    private func kinds(_ actions: [[String: Any]]) -> [String] { actions.compactMap { $0["kind"] as? String } }

    private func token(_ actions: [[String: Any]], _ kind: String) throws -> Int {
        try #require(actions.last { $0["kind"] as? String == kind }?["token"] as? Int)
    }

    private func segment(_ session: [String: Any]) -> Int? { (session["position"] as? [String: Int])?["segment"] }

    @Test("are of the text of another session, in another voice (SP2)")
    func again() async throws {
        let studio = try await TestStudio()
        let (path, first) = try await begin(studio)
        let id = try #require(first["id"] as? String)
        let voice = ScriptedSynthesizer.actor.id.rawValue
        var order: [String: Any] = ["source": ["kind": "session", "id": id], "voice": voice, "speaker": 0, "from": 2]
        let answer = try await studio.ask(.post, "/api/practice/sessions", body(order))
        #expect(answer.status == .created, "\(answer.text)")
        let second = try answer.json
        #expect((second["voice"] as? String, second["speaker"] as? Int) == (voice, 0))
        #expect((second["source"] as? [String: Any])?["kind"] as? String == "text")
        #expect(second["title"] as? String == first["title"] as? String && segment(second) == 2)
        #expect(second["language"] as? String == first["language"] as? String)
        order["speaker"] = 9
        let refused = try await studio.ask(.post, "/api/practice/sessions", body(order))
        #expect((refused.status, refused.code) == (.unprocessableContent, "voice.no-such-speaker"))
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
        let late = try body(["source": ["kind": "session", "id": id]])
        let gone = try await studio.ask(.post, "/api/practice/sessions", late)
        #expect((gone.status, gone.code) == (.notFound, "practice.session-not-found"))
    }

    // MARK: - Reading (SP2, SP3, SP4)

    @Test("read a text segment by segment, with a pause as long as each took (SP2, SP3)")
    func course() async throws {
        let studio = try await TestStudio()
        let (path, json) = try await begin(studio)
        #expect(json["phase"] as? String == "idle" && json["voice"] as? String == "espeak/en-narrator")
        #expect(json["recognizer"] as? String == "scripted/plain")
        #expect((json["settings"] as? [String: Any])?["rate"] as? Double == 0.5)
        #expect(json["pausedIn"] is NSNull && json["summary"] is NSNull)
        var (session, actions) = try await send(studio, path, [["kind": "begin", "at": 0]])
        #expect(kinds(actions).prefix(2) == ["play", "prepare"] && session["phase"] as? String == "playing")
        let sound = try await studio.ask(.get, "\(path)/segments/1/sound?rate=0.5")
        #expect((sound.status, sound.headers[.contentType]) == (.ok, "audio/wav"))
        let timing = try await studio.ask(.get, "\(path)/segments/1/timing?rate=0.5").json
        let seconds = try #require(timing["seconds"] as? Double)
        #expect(sound.data.count == 44 + 2 * Int((seconds * 8_000).rounded()))
        let words = try #require(timing["words"] as? [[String: Any]])
        #expect(words.map { $0["from"] as? Double } == [0, 4, 11])
        #expect(words.map { $0["to"] as? Double } == [3, 10, 17])
        let heard: [String: Any] = [
            "kind": "playbackFinished", "at": seconds, "token": try token(actions, "play"), "seconds": seconds,
        ]
        (session, actions) = try await send(studio, path, [heard])
        let echo = try #require(actions.first { $0["kind"] as? String == "startEcho" })
        #expect(echo["seconds"] as? Double == seconds && session["phase"] as? String == "echo")
        let over: [String: Any] = ["kind": "echoElapsed", "at": 2 * seconds, "token": try token(actions, "startEcho")]
        (session, actions) = try await send(studio, path, [over])
        #expect(kinds(actions).contains("stopEcho") && segment(session) == 2)
        #expect(try token(actions, "play") > 1)
    }

    @Test("cut sentences or paragraphs, as the settings say, also when they change on the way (SP2, SP3)")
    func granularity() async throws {
        let studio = try await TestStudio()
        let (path, _) = try await begin(studio)
        let sentences = try await studio.ask(.get, "\(path)/segments?from=2&count=2").json
        let listed = try #require(sentences["segments"] as? [[String: Any]])
        #expect(listed.map { $0["text"] as? String } == ["Waves come in.", "It is night."])
        #expect(listed.map { $0["paragraph"] as? Int } == [1, 2])
        #expect(try await studio.ask(.get, "\(path)/segments?from=5").json["isComplete"] as? Bool == true)
        _ = try await send(studio, path, [["kind": "begin", "at": 0], ["kind": "jump", "at": 1, "segment": 3]])
        let change: [String: Any] = ["kind": "setSettings", "at": 2, "settings": ["granularity": "paragraph"]]
        let (session, actions) = try await send(studio, path, [change])
        #expect(segment(session) == 2, "the paragraph of the sentence")
        #expect(kinds(actions).contains("play"))
        let paragraphs = try await studio.ask(.get, "\(path)/segments").json
        #expect((paragraphs["segments"] as? [[String: Any]])?.count == 2)
        let next = try await begin(studio)
        #expect((next.json["settings"] as? [String: Any])?["granularity"] as? String == "paragraph", "it is remembered")
    }

    @Test("keep a change for themselves that a person did not choose")
    func passingChange() async throws {
        let studio = try await TestStudio()
        let (path, _) = try await begin(studio)
        let change: [String: Any] = ["kind": "setSettings", "at": 1, "settings": ["rate": 0.3], "isKept": false]
        let (session, _) = try await send(studio, path, [change])
        #expect((session["settings"] as? [String: Any])?["rate"] as? Double == 0.3)
        let next = try await begin(studio)
        #expect((next.json["settings"] as? [String: Any])?["rate"] as? Double == 0.5)
    }

    @Test("skip forth and back, and jump (SP4)")
    func navigation() async throws {
        let studio = try await TestStudio()
        let (path, _) = try await begin(studio)
        var (session, actions) = try await send(
            studio,
            path,
            [["kind": "begin", "at": 0], ["kind": "next", "at": 1]]
        )
        #expect(segment(session) == 2 && kinds(actions).contains("signal"))
        (session, actions) = try await send(studio, path, [["kind": "previous", "at": 2]])
        #expect(segment(session) == 1)
        (session, actions) = try await send(studio, path, [["kind": "jump", "at": 3, "segment": 4]])
        #expect(segment(session) == 4)
        let beyond = try await studio.ask(
            .post,
            "\(path)/events",
            body(["events": [["kind": "jump", "at": 4, "segment": 9]]])
        )
        #expect((beyond.status, beyond.code) == (.notFound, "practice.no-such-segment"))
        (session, actions) = try await send(studio, path, [["kind": "next", "at": 5]])
        #expect(session["phase"] as? String == "finished" && kinds(actions).contains("summarize"))
    }

    @Test("are paused by an interruption, and said to be (SP5)")
    func interruption() async throws {
        let studio = try await TestStudio()
        let (path, _) = try await begin(studio)
        let (session, actions) = try await send(
            studio,
            path,
            [["kind": "begin", "at": 0], ["kind": "interrupt", "at": 1, "reason": "hidden"]]
        )
        #expect(kinds(actions).last == "suspendPlayback")
        #expect(session["phase"] as? String == "paused" && session["pausedIn"] as? String == "playing")
        #expect(session["interruption"] as? String == "hidden")
        let resumed = try await send(studio, path, [["kind": "resume", "at": 2]])
        #expect(kinds(resumed.actions) == ["resumePlayback"])
    }

    @Test("choose a voice of the text's language, and say when there is none (SP2, SP5)")
    func voices() async throws {
        let studio = try await TestStudio()
        func order(_ language: String, voice: String? = nil) throws -> String {
            var order: [String: Any] = ["source": ["kind": "text", "text": "Tere, maailm.", "language": language]]
            order["voice"] = voice
            return try body(order)
        }
        let estonian = try await studio.ask(.post, "/api/practice/sessions", order("et-EE"))
        #expect(try estonian.json["voice"] as? String == "espeak/et-actor")
        let none = try await studio.ask(.post, "/api/practice/sessions", order("fi"))
        #expect((none.status, none.code) == (.unprocessableContent, "practice.no-voice"))
        let named = try await studio.ask(.post, "/api/practice/sessions", order("fi", voice: "espeak/en-narrator"))
        #expect(try named.json["voice"] as? String == "espeak/en-narrator")
        let missing = try await studio.ask(.post, "/api/practice/sessions", order("et", voice: "espeak/nobody"))
        #expect(missing.code == "voice.not-installed")
    }

    @Test("send a segment's sound while it is spoken, in the same samples")
    func streamed() async throws {
        let studio = try await TestStudio()
        let (path, _) = try await begin(studio)
        for number in 1...2 {
            let streamed = try await studio.ask(.get, "\(path)/segments/\(number)/sound?rate=0.5&streamed=true")
            #expect((streamed.status, streamed.headers[.contentType]) == (.ok, "audio/wav"))
            let whole = try await studio.ask(.get, "\(path)/segments/\(number)/sound?rate=0.5")
            #expect(streamed.data.count > 44 && streamed.data.dropFirst(44) == whole.data.dropFirst(44))
            #expect(streamed.data[24..<28] == whole.data[24..<28])
            #expect(streamed.data[40..<44].allSatisfy { $0 == 255 }, "it does not know its length")
        }
        let refusals = [
            "1/sound?streamed=maybe": "web.bad-request", "99/sound?streamed=true": "practice.no-such-segment",
            "1/sound?rate=2&streamed=true": "practice.out-of-range",
        ]
        for (address, code) in refusals {
            #expect(try await studio.ask(.get, "\(path)/segments/\(address)").code == code)
        }
    }

    @Test("say when the engine fails (SP5)")
    func failingEngine() async throws {
        let studio = try await TestStudio(beforeSpeaking: { _ in
            throw SynthesisError.engineFailed(.espeakNG, status: 1)
        })
        let (path, _) = try await begin(studio)
        for query in ["", "?streamed=true"] {
            let sound = try await studio.ask(.get, "\(path)/segments/1/sound\(query)")
            #expect(sound.status.code >= 400 && sound.code != nil, "\(sound.text)")
        }
    }

    @Test("cut a long text as it is asked for (SP8)")
    func lazily() async throws {
        let studio = try await TestStudio()
        let long = (1...20_000).map { "This is sentence number \($0) of a long text." }.joined(separator: " ")
        let (path, json) = try await begin(studio, text: long)
        let known = try #require((json["segments"] as? [String: Any])?["known"] as? Int)
        #expect(known < 200 && (json["segments"] as? [String: Any])?["isComplete"] as? Bool == false)
        let far = try await studio.ask(.get, "\(path)/segments?from=4000&count=1").json
        #expect(
            (far["segments"] as? [[String: Any]])?.first?["text"] as? String
                == "This is sentence number 4000 of a long text."
        )
    }

    // MARK: - Sources

    @Test("take speeches, recordings, documents and texts of the history")
    func sources() async throws {
        let studio = try await TestStudio()
        let speech = try await studio.ask(
            .post,
            "/api/speeches",
            #"{"title":"Toast","text":"Dear guests! Welcome.","language":"en"}"#
        )
        let item = try await studio.record("The keeper sleeps.", name: "Keeper")
        let entries = try await studio.ask(.get, "/api/history").json["entries"] as? [[String: Any]]
        let entry = try #require(entries?.first?["id"] as? Int)
        for (source, title) in [
            (["kind": "speech", "id": try #require(try speech.json["id"] as? String)], "Toast"),
            (["kind": "recording", "id": item.rawValue], "Keeper"),
            (["kind": "history", "id": "\(entry)"], "The keeper sleeps."),
        ] {
            let answer = try await studio.ask(.post, "/api/practice/sessions", body(["source": source]))
            #expect(answer.status == .created, "\(answer.text)")
            #expect((try answer.json["title"] as? String)?.hasPrefix(String(title.prefix(5))) == true)
            #expect((try answer.json["source"] as? [String: Any])?["id"] as? String == source["id"])
        }
        for source in [
            ["kind": "speech", "id": "none"], ["kind": "recording", "id": "none"], ["kind": "history", "id": "9"],
            ["kind": "document", "id": "none"],
        ] {
            let answer = try await studio.ask(.post, "/api/practice/sessions", body(["source": source]))
            #expect(answer.status == .notFound, "\(source)")
        }
        let odd = try await studio.ask(.post, "/api/practice/sessions", body(["source": ["kind": "dream"]]))
        #expect(odd.status == .unprocessableContent)
        let blank = try await studio.ask(
            .post,
            "/api/practice/sessions",
            body(["source": ["kind": "text", "text": " … ", "language": "en"]])
        )
        #expect(blank.code == "practice.nothing-to-say")
        #expect(try (await studio.ask(.get, "/api/practice/sessions").json["sessions"] as? [Any])?.count == 3)
    }

    @Test("continue with the text of a recording that is deleted meanwhile, also when they are opened again")
    func deletedSource() async throws {
        let studio = try await TestStudio()
        let item = try await studio.record("The keeper sleeps. Waves come in.")
        let source = ["kind": "recording", "id": item.rawValue]
        let begun = try await studio.ask(.post, "/api/practice/sessions", body(["source": source]))
        let id = try #require(try begun.json["id"] as? String)
        let deletion = #"{"ids":["\#(item)"]}"#
        #expect(try await studio.ask(.post, "/api/library/delete", deletion).status == .noContent)
        for isOpenedAgain in [false, true] {
            if isOpenedAgain { await studio.librarySession.close() }
            let sound = try await studio.ask(.get, "/api/practice/sessions/\(id)/segments/2/sound")
            #expect(sound.status == .ok, "\(isOpenedAgain)")
        }
    }

    @Test("say that their document was deleted meanwhile, and are still listed and deleted")
    func deletedDocument() async throws {
        let studio = try await TestStudio()
        let document = try await studio.document(Self.text)
        let source = ["kind": "document", "id": document]
        let begun = try await studio.ask(.post, "/api/practice/sessions", body(["source": source]))
        let id = try #require(try begun.json["id"] as? String)
        let path = "/api/practice/sessions/\(id)"
        let deletion = try body(["ids": [document]])
        #expect(try await studio.ask(.post, "/api/documents/delete", deletion).status == .noContent)
        #expect(try await studio.ask(.get, "\(path)/segments").status == .ok, "while it is open")
        await studio.librarySession.close()
        for address in ["\(path)/segments", "\(path)/segments/1/sound", "\(path)/segments/1/sound?streamed=true"] {
            let gone = try await studio.ask(.get, address)
            #expect((gone.status, gone.code) == (.notFound, "practice.document-deleted"), "\(address)")
        }
        let again = try await studio.ask(
            .post,
            "/api/practice/sessions",
            body(["source": ["kind": "session", "id": id]])
        )
        #expect(again.code == "practice.document-deleted", "in another voice")
        #expect(try await studio.ask(.get, path).status == .ok)
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
    }

    @Test("are listed, the unfinished first, and deleted with their takes")
    func list() async throws {
        let studio = try await TestStudio()
        let (first, _) = try await begin(studio)
        let (second, _) = try await begin(studio)
        _ = try await send(studio, second, [["kind": "begin", "at": 0], ["kind": "end", "at": 3]])
        let sessions = try #require(
            try await studio.ask(.get, "/api/practice/sessions").json["sessions"] as? [[String: Any]]
        )
        #expect(sessions.map { $0["phase"] as? String } == ["idle", "finished"])
        #expect(try await studio.ask(.delete, first, "{}").status == .noContent)
        #expect(try await studio.ask(.get, first).code == "practice.session-not-found")
        #expect(try await studio.ask(.post, "\(first)/events", #"{"events":[]}"#).status == .notFound)
        #expect(try await studio.ask(.get, "\(first)/segments/1/sound").status == .notFound)
    }

    @Test("refuse what is no event and what is out of range")
    func refusals() async throws {
        let studio = try await TestStudio()
        let (path, _) = try await begin(studio)
        for events in [
            #"[{"kind":"dance","at":0}]"#, #"[{"kind":"begin"}]"#, #"[{"kind":"begin","at":-1}]"#,
            #"[{"kind":"jump","at":0}]"#, #"[{"kind":"playbackFinished","at":0,"token":1}]"#,
            #"[{"kind":"setSettings","at":0,"settings":{"rate":2}}]"#,
            #"[{"kind":"interrupt","at":0,"reason":"boredom"}]"#,
        ] {
            let answer = try await studio.ask(.post, "\(path)/events", #"{"events":\#(events)}"#)
            #expect(answer.status == .unprocessableContent, "\(events) \(answer.text)")
        }
        #expect(try await studio.ask(.get, "\(path)/segments/1/sound?rate=2").code == "practice.out-of-range")
        #expect(try await studio.ask(.get, "\(path)/segments/99/sound").code == "practice.no-such-segment")
        #expect(try await studio.ask(.get, "\(path)/segments/one/sound").status == .unprocessableContent)
    }
}
