import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("A parameter that a route does not have")
struct UnknownParameterTests {
    @Test(
        "deletes nothing that its conditions do not hold for",
        arguments: [
            "orgin=recorded", "origin=recorded&words=no&limit=1", "Origin=recorded", "%6Frigin=recorded", "origin",
            "=recorded", "origin[]=recorded",
        ]
    )
    func deletion(_ query: String) async throws {
        let studio = try await TestStudio()
        let one = try await studio.record("A story.")
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.makeUnreadable(one)
        let refused = try await studio.ask(.delete, "/api/library/unreadable?\(query)", "{}")
        #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"))
        #expect(await library.unreadableItems() == [one])
    }

    @Test("is named, with those that there are")
    func words() async throws {
        let studio = try await TestStudio()
        let deletion = try await studio.ask(.delete, "/api/library/unreadable?words=a&orgin=recorded", "{}").text
        #expect(deletion.contains("“orgin” here, only words, in, favorite, origin,"), "\(deletion)")
        let settings = try await studio.ask(.delete, "/api/settings?name=a", "{}").text
        #expect(settings.contains("“name” here, nor any other"), "\(settings)")
    }

    @Test("is refused by every route that changes or deletes, before anything is done")
    func everywhere() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record("A story.")
        var asked = 0
        for route in studio.routes where route.path.hasPrefix("/api/") && !route.path.contains("*") {
            let method = try #require(HTTPRequest.Method(route.method))
            guard ![.get, .head].contains(method) else { continue }
            let path = route.path.replacing(/[{:][a-z]+[}]?/, with: "no-such")
            let answer = try await studio.ask(method, "\(path)?no-such=1", "{}")
            #expect((answer.status.code, answer.code) == (422, "web.bad-request"), "\(route.method) \(route.path)")
            #expect(answer.text.contains("“no-such”"), "\(route.method) \(route.path)")
            asked += 1
        }
        #expect(asked > 60)
        #expect(try await studio.ask(.get, "/api/library/\(id)").status == .ok)
    }

    @Test("is not a field of a deletion either, which has none")
    func fields() async throws {
        let studio = try await TestStudio()
        let one = try await studio.record("A story.")
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        await library.makeUnreadable(one)
        for body in [#"{"origin":["recorded"]}"#, "[]", "no JSON"] {
            for path in ["/api/library/unreadable", "/api/history", "/api/storage/files", "/api/settings"] {
                let refused = try await studio.ask(.delete, path, body)
                #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"), "\(path)")
            }
        }
        #expect(await library.unreadableItems() == [one])
        #expect(try await studio.ask(.delete, "/api/library/unreadable?origin=recorded", " {\n} ").status == .noContent)
        #expect(try await studio.ask(.delete, "/api/library/unreadable").status == .noContent)
        #expect(await library.unreadableItems() == [])
    }

    @Test("is ignored by what only reads, and never in the way of a lock")
    func others() async throws {
        let studio = try await TestStudio()
        let id = try await studio.record("A story.")
        #expect(try await studio.ask(.get, "/api/library/\(id)/sound?revision=2").status == .ok)
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        let locked = try await studio.ask(.delete, "/api/library/unreadable?orgin=recorded", "{}")
        #expect((locked.status.code, locked.code) == (423, "vault.locked"))
    }

    @Test("is not known where the description is none", arguments: ["", "[]", #"{"paths":{"/":[]}}"#])
    func broken(_ source: String) {
        #expect(throws: WebError.pageMissing) { try QueryParameters(of: Data(source.utf8)) }
    }
}
