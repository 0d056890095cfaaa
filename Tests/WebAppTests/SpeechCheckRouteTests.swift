import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Checks of narrations by the page", .endsInTime)
struct SpeechCheckRouteTests {
    private static let text = "The keeper sleeps. Waves come in. It is night."

    /// A studio whose recognizer returns these texts, one per clip.
    private func studio(hearing texts: [String] = []) async throws -> TestStudio {
        try await TestStudio(recognizer: ScriptedRecognizer(saying: texts))
    }

    /// Checks a narration, and returns the response about its state after the end.
    private func check(_ id: AudioItem.ID, in studio: TestStudio) async throws -> [String: Any] {
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/library/\(id)/speech-check", "{}")
        #expect(begun.status == .accepted, "\(begun.text)")
        for await entry in subscription.entries {
            if case .speechCheck(id, let status?) = entry.event, !status.isUnderWay { break }
        }
        return try await studio.ask(.get, "/api/library/\(id)/speech-check").json
    }

    @Test("report what differs, and where")
    func findings() async throws {
        let studio = try await studio(hearing: [
            "The keeper sleeps. Waves warning in. It is night.", "Waves warning in.",
        ])
        let id = try await studio.record(Self.text)
        let before = try await studio.ask(.get, "/api/library/\(id)/speech-check").json
        #expect(before["state"] as? String == "none" && before["recognizer"] is NSNull)
        let check = try await check(id, in: studio)
        #expect(check["state"] as? String == "done" && check["progress"] as? Double == 1)
        #expect(check["recognizer"] as? String == "scripted/plain" && check["recognizerName"] as? String == "Scripted")
        #expect((check["heard"] as? Int, check["sentences"] as? Int, check["found"] as? Int) == (3, 3, 1))
        let finding = try #require((check["findings"] as? [[String: Any]])?.first)
        #expect(finding["number"] as? Int == 2 && finding["isSpokenAgain"] as? Bool == false)
        #expect(finding["text"] as? String == "Waves come in." && finding["heard"] as? String == "Waves warning in.")
        let difference = try #require((finding["differences"] as? [[String: Int]])?.first)
        #expect(difference == ["from": 6, "to": 10, "heardFrom": 6, "heardTo": 13])
    }

    @Test("are stopped and forgotten")
    func forgotten() async throws {
        let studio = try await studio(hearing: [Self.text])
        let id = try await studio.record(Self.text)
        _ = try await check(id, in: studio)
        for _ in 1...2 {
            #expect(try await studio.ask(.delete, "/api/library/\(id)/speech-check", "{}").status == .noContent)
            #expect(try await studio.ask(.get, "/api/library/\(id)/speech-check").json["state"] as? String == "none")
        }
    }

    @Test("end when their narration is deleted, so that the next is heard")
    func deleted() async throws {
        let gate = Latch()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            try Task.checkCancellation()
            return ScriptedRecognizer.speech(Self.text, in: clip.seconds)
        }
        let studio = try await TestStudio(recognizer: recognizer)
        let ids = [try await studio.record(Self.text), try await studio.record(Self.text, name: "Another")]
        let subscription = await studio.events.subscribe()
        for id in ids {
            #expect(try await studio.ask(.post, "/api/library/\(id)/speech-check", "{}").status == .accepted)
        }
        let deletion = #"{"ids":["\#(ids[0])"]}"#
        #expect(try await studio.ask(.post, "/api/library/delete", deletion).status == .noContent)
        gate.set()
        var isForgotten = false
        for await entry in subscription.entries {
            if case .speechCheck(ids[0], nil) = entry.event { isForgotten = true }
            if case .speechCheck(ids[1], let status?) = entry.event, status.state == .done { break }
        }
        #expect(isForgotten)
        let gone = try await studio.ask(.get, "/api/library/\(ids[0])/speech-check")
        #expect((gone.status, gone.code) == (.notFound, "library.item-not-found"))
    }

    @Test("lose a sentence that was spoken again and sounds right now")
    func spoken() async throws {
        let studio = try await studio(
            hearing: ["The keeper sleeps. Waves warning in. It is night.", "Waves warning in.", "Waves come in."]
        )
        let id = try await studio.record(Self.text)
        _ = try await check(id, in: studio)
        let subscription = await studio.events.subscribe()
        let answer = try await studio.ask(.post, "/api/library/\(id)/sentences/2/speak", "{}")
        #expect(answer.status == .ok, "\(answer.text)")
        let item = try #require(try answer.json["item"] as? [String: Any])
        #expect(item["id"] as? String == id.rawValue)
        let (start, end) = (try answer.json["start"] as? Double ?? 0, try answer.json["end"] as? Double ?? 0)
        #expect(try answer.json["number"] as? Int == 2 && 0 < start && start < end)
        let check = try #require(try answer.json["check"] as? [String: Any])
        #expect((check["findings"] as? [Any])?.isEmpty == true && check["found"] as? Int == 0)
        for await entry in subscription.entries where entry.event == .library(changed: [id]) { break }
    }

    @Test(
        "are refused with the reason",
        arguments: [
            (HTTPRequest.Method.post, "none/speech-check", 404, "library.item-not-found"),
            (.get, "none/speech-check", 404, "library.item-not-found"),
            (.post, "none/sentences/1/speak", 404, "library.item-not-found"),
            (.post, "ID/sentences/4/speak", 422, "speech-check.no-such-sentence"),
            (.post, "ID/sentences/first/speak", 422, "web.bad-request"),
        ]
    )
    func refused(_ method: HTTPRequest.Method, _ path: String, _ status: Int, _ code: String) async throws {
        let studio = try await studio()
        let id = try await studio.record(Self.text)
        let path = path.replacing("ID", with: id.rawValue)
        let answer = try await studio.ask(method, "/api/library/\(path)", method == .get ? nil : "{}")
        #expect((answer.status.code, answer.code) == (status, code))
    }

    @Test("hear only by what is installed here")
    func local() async throws {
        let studio = try await studio()
        let id = try await studio.record(Self.text)
        let path = "/api/library/\(id)/speech-check"
        let service = try await studio.ask(.post, path, #"{"recognizer":"remote/office"}"#)
        #expect((service.status.code, service.code) == (422, "speech-check.needs-local-recognizer"))
        let unknown = try await studio.ask(.post, path, #"{"recognizer":"sherpa/none"}"#)
        #expect((unknown.status.code, unknown.code) == (404, "recognition.not-installed"))
        let nobody = try await TestStudio(recognizer: ScriptedRecognizer([]))
        let other = try await nobody.record(Self.text)
        let none = try await nobody.ask(.post, "/api/library/\(other)/speech-check", "{}")
        #expect((none.status.code, none.code) == (422, "recognition.none"))
    }

    @Test("are reported to the page as they continue")
    func event() async throws {
        let studio = try await studio(hearing: [Self.text])
        let id = try await studio.record(Self.text)
        _ = try await check(id, in: studio)
        let status = try #require(try await studio.librarySession.use().speechChecks.status(of: id))
        let event = try await ServerSentEvent(.speechCheck(id, status), id: "1", in: studio.web)
        let data = try #require(try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
        #expect(event.name == "speechCheck" && data["state"] as? String == "done" && data["findings"] == nil)
        let gone = try await ServerSentEvent(.speechCheck(id, nil), id: "2", in: studio.web)
        #expect(gone.data.contains(#""state":"none""#) && gone.data.contains(#""item":"\#(id)""#))
    }
}
