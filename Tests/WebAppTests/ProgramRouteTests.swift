import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The API for developers", .endsInTime)
struct ProgramRouteTests {
    private static let addresses: [(String, String)] = [
        ("GET", "/v1/models"), ("GET", "/v1/models/x"), ("GET", "/v1/models/x/y"), ("POST", "/v1/audio/speech"),
        ("POST", "/v1/audio/transcriptions"), ("GET", "/v1"), ("GET", "/v1/files"), ("POST", "/v1/embeddings"),
        ("DELETE", "/v1/models/x"),
    ]

    @Test(
        "answers nobody who has no key",
        arguments: [
            nil, "", "Bearer", "Bearer sk-1", "et-1", "Bearer et-\(String(repeating: "0", count: 64))",
            "Basic et-\(String(repeating: "0", count: 64))",
        ]
    )
    func noKey(_ authorization: String?) async throws {
        let studio = try await TestStudio()
        _ = try await studio.programHeaders()
        for (method, path) in Self.addresses {
            // The page's session opens nothing here.
            var headers = studio.headers
            headers[.authorization] = authorization
            let answer = try await studio.ask(try #require(HTTPRequest.Method(method)), path, headers: headers)
            #expect(answer.status == .unauthorized, "\(method) \(path)")
            #expect(answer.headers[.wwwAuthenticate] == "Bearer")
            let failure = try answer.failure
            #expect(failure["code"] as? String == "invalid_api_key")
            #expect(failure["type"] as? String == "invalid_request_error")
            #expect(failure["param"] is NSNull)
            #expect((failure["message"] as? String)?.contains("echotext keys") == true)
        }
    }

    @Test("answers as long as there is the key that it was sent, and notes its use")
    func key() async throws {
        let studio = try await TestStudio()
        let keys = studio.vault.library.apiKeys
        let headers = try await studio.programHeaders()
        #expect(try await keys.keys().first?.lastUsed == nil)
        #expect(try await studio.ask(.get, "/v1/models", headers: headers).status == .ok)
        #expect(try await keys.keys().first?.lastUsed != nil)
        try await keys.remove("Editor")
        #expect(try await studio.ask(.get, "/v1/models", headers: headers).status == .unauthorized)
    }

    @Test("opens nothing of the page, which asks for its session")
    func page() async throws {
        let studio = try await TestStudio()
        let headers = try await studio.programHeaders()
        for path in ["/api/library", "/api/voices", "/api/settings"] {
            let answer = try await studio.ask(.get, path, headers: headers)
            #expect((answer.status, answer.code) == (.unauthorized, "web.no-session"), "\(path)")
        }
    }

    @Test("says that the library is locked, and how it is unlocked")
    func locked() async throws {
        let studio = try await TestStudio()
        let headers = try await studio.programHeaders()
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        for (method, path) in Self.addresses {
            let answer = try await studio.ask(try #require(HTTPRequest.Method(method)), path, headers: headers)
            #expect(answer.status.code == 423, "\(method) \(path)")
            let failure = try answer.failure
            #expect(failure["code"] as? String == "vault.locked")
            #expect((failure["message"] as? String)?.contains("vault unlock") == true)
        }
    }

    @Test(
        "is there under this machine's own names",
        arguments: ["localhost:80", "127.0.0.1:80", "[::1]:80", "LOCALHOST:80"]
    )
    func ownName(_ host: String) async throws {
        let studio = try await TestStudio()
        let headers = try await studio.programHeaders()
        #expect(try await studio.ask(.get, "/v1/models", host: host, headers: headers).status == .ok)
        #expect(try await studio.ask(.get, "/v1/models", host: TestStudio.host, headers: headers).status == .ok)
        #expect(try await studio.ask(.get, "/api/state", host: host).status == .misdirectedRequest, "the page is not")
    }

    @Test(
        "is under no other name, which somebody else might point at this machine",
        arguments: [
            "evil.example", "evil.example:80", "localhost", "localhost:81", "127.0.0.1", "2130706433:80",
            "0x7f000001:80",
            "localhost.:80", "evil.localhost:80", "localhost:80.evil.example", "localhost:80@evil.example", "", nil,
        ]
    )
    func foreignName(_ host: String?) async throws {
        let studio = try await TestStudio()
        let headers = try await studio.programHeaders()
        let answer = try await studio.ask(.get, "/v1/models", host: host, headers: headers)
        #expect(answer.status == .misdirectedRequest)
        #expect(try answer.failure["code"] as? String == "api.wrong-host")
    }

    @Test(
        "refuses pages of other origins, with a key and without",
        arguments: [
            ("http://evil.example", nil), ("http://localhost:80", nil), ("null", nil), (nil, "cross-site"),
            (nil, "same-site"),
        ] as [(String?, String?)]
    )
    func otherPage(_ origin: String?, _ site: String?) async throws {
        let studio = try await TestStudio()
        var headers = try await studio.programHeaders()
        headers[.origin] = origin
        headers[.secFetchSite] = site
        for (method, path) in Self.addresses + [("OPTIONS", "/v1/audio/speech")] {
            let answer = try await studio.ask(
                try #require(HTTPRequest.Method(method)),
                path,
                host: "localhost:80",
                headers: headers
            )
            #expect(answer.status == .forbidden, "\(method) \(path)")
            #expect(try answer.failure["code"] as? String == "web.foreign-page")
            #expect(!answer.headers.contains { $0.name.canonicalName.hasPrefix("access-control") })
        }
    }

    @Test("says what is wrong with an address or a method, in the form of every other error")
    func addresses() async throws {
        let studio = try await TestStudio()
        let headers = try await studio.programHeaders()
        for (method, path) in [
            ("GET", "/v1"), ("GET", "/v1/files"), ("POST", "/v1/embeddings"), ("DELETE", "/v1/a/b/c/d"),
            ("POST", "/v1/audio/translations"), ("GET", "/v1/audio"),
        ] {
            let answer = try await studio.ask(try #require(HTTPRequest.Method(method)), path, headers: headers)
            #expect(answer.status == .notFound, "\(method) \(path)")
            #expect(try answer.failure["code"] as? String == "api.not-found", "\(method) \(path)")
        }
        for (method, path, allowed) in [
            ("POST", "/v1/models", "GET, HEAD"), ("GET", "/v1/audio/speech", "POST"),
            ("HEAD", "/v1/audio/speech", "POST"),
            ("PUT", "/v1/audio/transcriptions", "POST"), ("DELETE", "/v1/models/x", "GET, HEAD"),
        ] {
            let answer = try await studio.ask(try #require(HTTPRequest.Method(method)), path, headers: headers)
            #expect((answer.status, answer.headers[.allow]) == (.methodNotAllowed, allowed), "\(method) \(path)")
        }
    }

    @Test("is never kept by a browser or shown as a page")
    func headers() async throws {
        let studio = try await TestStudio()
        let answer = try await studio.ask(.get, "/v1/models", headers: try await studio.programHeaders())
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        #expect(answer.headers[.setCookie] == nil)
    }

    @Test("lists what speaks and transcribes on this machine, and no service elsewhere")
    func models() async throws {
        let service = Recognizer(
            id: Recognizer.ID(rawValue: "remote/office"),
            name: "office",
            engine: .remote,
            languages: ["mul"],
            timing: .none
        )
        let studio = try await TestStudio(recognizer: ScriptedRecognizer([service, ScriptedRecognizer.standard]))
        let headers = try await studio.programHeaders()
        let list = try await studio.ask(.get, "/v1/models", headers: headers).json
        #expect(list["object"] as? String == "list")
        let models = try #require(list["data"] as? [[String: Any]])
        #expect(models.map { $0["id"] as? String } == ["espeak-ng", "scripted/plain"])
        #expect(models.allSatisfy { $0["object"] as? String == "model" && $0["owned_by"] as? String == "echotext" })
        for path in ["espeak-ng", "scripted/plain", "scripted%2Fplain"] {
            let model = try await studio.ask(.get, "/v1/models/\(path)", headers: headers).json
            #expect(model["id"] as? String == path.removingPercentEncoding)
        }
        for path in ["gpt-4o", "remote/office"] {
            let answer = try await studio.ask(.get, "/v1/models/\(path)", headers: headers)
            #expect(answer.status == .notFound)
            #expect(try answer.failure["code"] as? String == "model_not_found")
        }
    }
}

extension TestStudio {
    /// The header fields of a program, for which a key called “Editor” is made.
    func programHeaders() async throws -> HTTPFields {
        let key = try await vault.library.apiKeys.add("Editor", at: Date())
        return [.authorization: "Bearer \(key.revealed())", .contentType: "application/json"]
    }
}

extension Answer {
    /// The content of an error in OpenAI's form.
    var failure: [String: Any] {
        get throws { try json["error"] as? [String: Any] ?? [:] }
    }
}
