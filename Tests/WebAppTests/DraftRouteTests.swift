import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The routes of the draft", .endsInTime)
struct DraftRouteTests {
    @Test("keep what is being written, and forget it when it is empty")
    func draft() async throws {
        let studio = try await TestStudio()
        #expect(try await studio.ask(.get, "/api/draft").json["text"] as? String == "")
        #expect(try await studio.ask(.put, "/api/draft", #"{"text":"Not done"}"#).status == .noContent)
        #expect(try await studio.ask(.get, "/api/draft").json["text"] as? String == "Not done")
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        #expect(try await studio.ask(.get, "/api/draft").status.code == 423)
        _ = try await studio.ask(.post, "/api/unlock", #"{"passcode":"2580"}"#)
        #expect(try await studio.ask(.put, "/api/draft", #"{"text":""}"#).status == .noContent)
        #expect(try await studio.ask(.get, "/api/draft").json["text"] as? String == "")
    }

    @Test("keep what each page is writing, though another one's is forgotten")
    func pages() async throws {
        let studio = try await TestStudio()
        for body in [#"{"text":"One","page":"a"}"#, #"{"text":"Two","page":"b"}"#, #"{"text":"","page":"a"}"#] {
            #expect(try await studio.ask(.put, "/api/draft", body).status == .noContent)
            let kept = try await studio.ask(.get, "/api/draft").json["drafts"] as? [[String: String]]
            #expect(kept?.contains(["page": "b", "text": "Two"]) == !body.contains("One"))
        }
        #expect(try await studio.ask(.put, "/api/draft", #"{"text":""}"#).status == .noContent)
        let left = try await studio.ask(.get, "/api/draft").json
        #expect(left["text"] as? String == "Two")
        #expect(left["drafts"] as? [[String: String]] == [["page": "b", "text": "Two"]])
        for name in [String(repeating: "a", count: 65), "a" + String(repeating: "\u{301}", count: 64)] {
            let long = try await studio.ask(.put, "/api/draft", #"{"text":"One","page":"\#(name)"}"#)
            #expect(long.status == .contentTooLarge)
        }
    }

    @Test("refuse another page's text where as many are kept as can be, and delete none of them")
    func tooMany() async throws {
        let studio = try await TestStudio()
        for number in 0..<Draft.most {
            let body = #"{"text":"One","page":"\#(number)"}"#
            #expect(try await studio.ask(.put, "/api/draft", body).status == .noContent)
        }
        let refused = try await studio.ask(.put, "/api/draft", #"{"text":"Two","page":"a"}"#)
        #expect((refused.status, refused.code) == (.conflict, "draft.too-many"))
        #expect(try await studio.ask(.put, "/api/draft", #"{"text":"More","page":"0"}"#).status == .noContent)
        let kept = try await studio.ask(.get, "/api/draft").json["drafts"] as? [[String: String]]
        #expect(kept?.count == Draft.most && kept?.last == ["page": "1", "text": "One"])
        #expect(try await studio.ask(.put, "/api/draft", #"{"text":"","page":"0"}"#).status == .noContent)
        #expect(try await studio.ask(.put, "/api/draft", #"{"text":"Two","page":"a"}"#).status == .noContent)
    }

    @Test("give a draft to another page, and notify the page that had it")
    func taking() async throws {
        let studio = try await TestStudio()
        _ = try await studio.ask(.put, "/api/draft", #"{"text":"One","page":"a"}"#)
        let subscription = await studio.events.subscribe()
        let taking = try await studio.ask(.post, "/api/draft/take", #"{"from":"a","page":"b"}"#)
        #expect(try taking.json["isTaken"] as? Bool == true)
        for await entry in subscription.entries {
            guard case .draft(taken: let taken) = entry.event else { continue }
            #expect(taken == "a")
            break
        }
        // The first page's saves from now on replace nothing of the other's.
        _ = try await studio.ask(.put, "/api/draft", #"{"text":"Two","page":"a"}"#)
        let kept = try await studio.ask(.get, "/api/draft").json["drafts"] as? [[String: String]]
        #expect(kept == [["page": "a", "text": "Two"], ["page": "b", "text": "One"]])
        let missing = try await studio.ask(.post, "/api/draft/take", #"{"from":"c","page":"d"}"#)
        #expect(try missing.json["isTaken"] as? Bool == false)
        let name = String(repeating: "a", count: 65)
        let long = try await studio.ask(.post, "/api/draft/take", #"{"from":"a","page":"\#(name)"}"#)
        #expect(long.status == .contentTooLarge)
    }

    @Test("read a dropped file without keeping it, and refuse one that is no text")
    func file() async throws {
        let studio = try await TestStudio()
        let read = try await studio.ask(.post, "/api/draft/file", bytes: Data("Öösel".utf8)).json
        #expect(read["text"] as? String == "Öösel" && (read["notices"] as? [Any])?.isEmpty == true)
        #expect(try await studio.ask(.get, "/api/draft").json["text"] as? String == "")
        let refused = try await studio.ask(.post, "/api/draft/file", bytes: Data([0x61, 0, 0, 0x62, 0]))
        #expect((refused.status, refused.code) == (.unprocessableContent, "text.binary"))
        let long = try await studio.ask(.post, "/api/draft/file", bytes: Data(repeating: 0x61, count: 4_000_001))
        #expect((long.status, long.code) == (.contentTooLarge, "web.too-large"))
    }
}
