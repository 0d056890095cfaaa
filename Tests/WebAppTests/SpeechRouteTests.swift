import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Routes of speeches (SP1)", .endsInTime)
struct SpeechRouteTests {
    private func body(
        _ text: String,
        language: String = "en-GB",
        title: String? = nil,
        base: String? = nil
    ) throws -> String {
        var body = ["text": text, "language": language]
        body["title"] = title
        body["base"] = base
        return String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
    }

    @Test("create, show, change, list and delete")
    func life() async throws {
        let studio = try await TestStudio()
        let toast = try await studio.ask(.post, "/api/speeches", body("Dear guests!\nWelcome.", title: "Toast"))
        #expect(toast.status == .created)
        #expect(try toast.json["title"] as? String == "Toast" && toast.json["characters"] as? Int == 21)
        #expect(try toast.json["language"] as? String == "en-GB")
        let poem = try await studio.ask(.post, "/api/speeches", body("Mu isamaa, mu õnn ja rõõm.", language: "ET"))
        #expect(try poem.json["language"] as? String == "et")
        #expect((try poem.json["title"] as? String)?.hasPrefix("Mu isamaa") == true, "the first words are its title")
        let path = "/api/speeches/\(try #require(try toast.json["id"] as? String))"
        let changed = try await studio.ask(.put, path, body("Dear all!", language: "en-US", title: "Toast 2"))
        #expect(try changed.json["title"] as? String == "Toast 2" && changed.json["text"] as? String == "Dear all!")
        #expect(try changed.json["created"] as? String == toast.json["created"] as? String)
        #expect(try await studio.ask(.get, path).json["text"] as? String == "Dear all!")
        let list = try await studio.ask(.get, "/api/speeches").json
        let listed = try #require(list["speeches"] as? [[String: Any]])
        #expect(listed.map { $0["title"] as? String ?? "" }.first == "Toast 2", "the last changed first")
        #expect(listed[0]["excerpt"] as? String == "Dear all!" && listed[0]["text"] == nil)
        #expect(list["limit"] as? Int == 10_000)
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
        #expect(try await studio.ask(.get, path).code == "speech.not-found")
        #expect(try await studio.ask(.delete, path, "{}").status == .notFound)
        #expect(try await studio.ask(.put, path, body("Gone.")).status == .notFound)
    }

    @Test("are replaced by what was made from them, and not by what was made from an earlier one")
    func base() async throws {
        let studio = try await TestStudio()
        let made = try await studio.ask(.post, "/api/speeches", body("One."))
        let path = "/api/speeches/\(try #require(try made.json["id"] as? String))"
        var seen = try #require(try made.json["updated"] as? String)
        let first = seen
        for text in ["Two.", "Three.", "Four."] {
            #expect(try await studio.ask(.get, path).json["updated"] as? String == seen)
            let changed = try await studio.ask(.put, path, body(text, base: seen))
            #expect(changed.status == .ok)
            let updated = try #require(try changed.json["updated"] as? String)
            #expect(updated > seen)
            seen = updated
        }
        let refused = try await studio.ask(.put, path, body("Five.", base: first))
        #expect((refused.status, refused.code) == (.conflict, "speech.changed"))
        #expect(try await studio.ask(.get, path).json["text"] as? String == "Four.")
        #expect(try await studio.ask(.put, path, body("Six.")).status == .ok, "without a base, whatever there is")
    }

    @Test("take 10,000 characters, whatever they are made of, and refuse one more with the count")
    func length() async throws {
        let studio = try await TestStudio()
        let family = String(repeating: "👩‍👩‍👧‍👦", count: Speech.longest)
        let kept = try await studio.ask(.post, "/api/speeches", body(family))
        #expect(kept.status == .created)
        #expect(try kept.json["characters"] as? Int == 10_000)
        let refused = try await studio.ask(.post, "/api/speeches", body(String(repeating: "õ", count: 10_001)))
        #expect((refused.status, refused.code) == (.contentTooLarge, "speech.too-long"))
        #expect(refused.text.contains("10,001") && refused.text.contains("10,000"))
        #expect(try await studio.ask(.post, "/api/speeches", body(" \n ")).code == "speech.empty")
        for name in ["1", "English"] {
            let unnamed = try await studio.ask(.post, "/api/speeches", body("One.", language: name))
            #expect((unnamed.status, unnamed.code) == (.unprocessableContent, "speech.invalid-language"))
        }
        #expect(try (await studio.ask(.get, "/api/speeches").json["speeches"] as? [Any])?.count == 1)
    }

    @Test("say when the list has changed")
    func events() async throws {
        let studio = try await TestStudio()
        let subscription = await studio.events.subscribe()
        let speech = try await studio.ask(.post, "/api/speeches", body("One."))
        let id = try #require(try speech.json["id"] as? String)
        _ = try await studio.ask(.delete, "/api/speeches/\(id)", "{}")
        var seen = 0
        for await entry in subscription.entries where entry.event == .speeches {
            seen += 1
            if seen == 2 { break }
        }
        #expect(seen == 2)
    }
}
