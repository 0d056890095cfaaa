import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Routes of the keys of programs", .endsInTime)
struct KeyRouteTests {
    private static let path = "/api/keys"

    private func names(_ studio: TestStudio) async throws -> [String] {
        let keys = try #require(try await studio.ask(.get, Self.path).json["keys"] as? [[String: Any]])
        return keys.compactMap { $0["name"] as? String }
    }

    @Test("make a key that is shown once, and lets a program in until it is revoked")
    func life() async throws {
        let studio = try await TestStudio()
        let empty = try await studio.ask(.get, Self.path)
        #expect(try empty.json["keys"] as? [String] == [] && empty.json["unreadable"] as? Int == 0)
        let made = try await studio.ask(.post, Self.path, #"{"name":" Editor "}"#)
        #expect(made.status == .created)
        #expect(made.headers[.cacheControl] == "no-store")
        #expect(try made.json["name"] as? String == "Editor")
        let key = try #require(try made.json["key"] as? String)
        #expect(APIKeySecret(key) != nil)

        let listed = try #require(try await studio.ask(.get, Self.path).json["keys"] as? [[String: Any]])
        #expect(Set(listed.flatMap(\.keys)) == ["name", "created"], "no program has used it")
        let program: HTTPFields = [.authorization: "Bearer \(key)"]
        #expect(try await studio.ask(.get, "/v1/models", headers: program).status == .ok)
        let used = try await studio.ask(.get, Self.path)
        let editor = try #require(try used.json["keys"] as? [[String: Any]]).first
        #expect(editor?["lastUsed"] is String)
        #expect(!used.text.contains(key))

        #expect(try await studio.ask(.delete, "\(Self.path)?name=Editor").status == .noContent)
        #expect(try await studio.ask(.get, "/v1/models", headers: program).status == .unauthorized)
        let again = try await studio.ask(.delete, "\(Self.path)?name=Editor")
        #expect((again.status, again.code) == (.notFound, "api.key-not-found"))
    }

    @Test("list a key that a command has made", arguments: ["..", "a/b", "a+b & c=d", "Õpik", "100%"])
    func ofCommand(_ name: String) async throws {
        let studio = try await TestStudio()
        _ = try await studio.vault.library.apiKeys.add(try ItemName(name), at: Date())
        #expect(try await names(studio) == [name])
        let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try await studio.ask(.delete, "\(Self.path)?name=\(encoded)").status == .noContent)
        #expect(try await names(studio) == [])
    }

    @Test("refuse a name that there is, and what is no name", arguments: ["Editor", "", "  ", "a\\nb"])
    func refused(_ name: String) async throws {
        let studio = try await TestStudio()
        _ = try await studio.vault.library.apiKeys.add("Editor", at: Date())
        let refused = try await studio.ask(.post, Self.path, #"{"name":"\#(name)"}"#)
        if name == "Editor" {
            #expect((refused.status, refused.code) == (.conflict, "api.key-name-taken"))
        } else {
            #expect((refused.status, refused.code) == (.unprocessableContent, "library.invalid-name"))
        }
        #expect(try await names(studio) == ["Editor"])
    }

    @Test("revoke nothing without a name", arguments: ["", "?names=Editor", "?name="])
    func nameless(_ query: String) async throws {
        let studio = try await TestStudio()
        _ = try await studio.vault.library.apiKeys.add("Editor", at: Date())
        #expect(try await studio.ask(.delete, Self.path + query).status == .unprocessableContent)
        #expect(try await names(studio) == ["Editor"])
    }

    @Test("say to every page that the keys have changed, and never which text one has")
    func events() async throws {
        let studio = try await TestStudio()
        #expect(try await names(studio) == [], "the library is open")
        let before = await studio.events.last
        let made = try await studio.ask(.post, Self.path, #"{"name":"Editor"}"#)
        _ = try await studio.ask(.delete, "\(Self.path)?name=Editor")
        let entries = await studio.events.subscribe(after: before).entries
        await studio.events.close()
        var posted: [StudioEvent] = []
        for await entry in entries { posted.append(entry.event) }
        #expect(posted == [.settings, .settings])
        let key = try #require(try made.json["key"] as? String)
        for path in ["/api/settings", "/api/diagnostics", "/api/state"] {
            let answer = try await studio.ask(.get, path)
            #expect(answer.status == .ok && !answer.text.contains(key), "\(path)")
        }
    }

    @Test("answer no program, whatever key it has")
    func notForPrograms() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.cookie] = nil
        headers[.authorization] = try await studio.programHeaders()[.authorization]
        for method in [HTTPRequest.Method.get, .delete] {
            let answer = try await studio.ask(method, "\(Self.path)?name=Editor", headers: headers)
            #expect((answer.status, answer.code) == (.unauthorized, "web.no-session"))
        }
        #expect(try await names(studio) == ["Editor"])
    }
}
