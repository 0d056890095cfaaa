import Crypto
import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The page's guard", .endsInTime)
struct SecurityTests {
    private static let routes: [(String, String)] = [
        ("GET", "/api/state"), ("POST", "/api/older/seen"), ("POST", "/api/unlock"), ("POST", "/api/lock"),
        ("POST", "/api/recover"), ("POST", "/api/recovery-code/propose"), ("PUT", "/api/recovery-code"),
        ("PUT", "/api/passcode"),
        ("POST", "/api/passcode/remove"), ("POST", "/api/erase"), ("GET", "/api/voices"),
        ("GET", "/api/voices/sample"), ("GET", "/api/narrations"), ("POST", "/api/narrations"),
        ("GET", "/api/narrations/x"), ("DELETE", "/api/narrations/x"), ("GET", "/api/narrations/x/text"),
        ("GET", "/api/narrations/x/timings"), ("GET", "/api/narrations/x/chapters"),
        ("GET", "/api/narrations/x/sound"), ("POST", "/api/narrations/x/stop"),
        ("POST", "/api/narrations/x/continue"), ("GET", "/api/library"), ("GET", "/api/library/voices"),
        ("POST", "/api/library/favorite"), ("POST", "/api/library/delete"), ("GET", "/api/library/x"),
        ("DELETE", "/api/library/unreadable"),
        ("PATCH", "/api/library/x"), ("GET", "/api/library/x/text"), ("GET", "/api/library/x/timings"),
        ("GET", "/api/library/x/sound"), ("GET", "/api/library/x/file"), ("GET", "/api/library/x/export"),
        ("DELETE", "/api/library/x/file"), ("POST", "/api/exports"),
        ("GET", "/api/exports/x"), ("DELETE", "/api/exports/x"),
        ("POST", "/api/export-all"), ("POST", "/api/sessions/end"), ("GET", "/api/playback"),
        ("POST", "/api/playback/entries"), ("POST", "/api/playback/entries/remove"),
        ("POST", "/api/playback/entries/move"), ("PUT", "/api/playback/current"), ("POST", "/api/playback/clear"),
        ("PUT", "/api/playback/bookmark"), ("GET", "/api/history"), ("DELETE", "/api/history"),
        ("DELETE", "/api/history/1"), ("GET", "/api/profiles"), ("POST", "/api/profiles"),
        ("PUT", "/api/profiles/chosen"), ("PUT", "/api/profiles/x"), ("DELETE", "/api/profiles/x"),
        ("GET", "/api/settings"), ("DELETE", "/api/settings"), ("PUT", "/api/settings/x"),
        ("DELETE", "/api/settings/x"), ("GET", "/api/dictionary"), ("PUT", "/api/dictionary"),
        ("GET", "/api/storage"), ("DELETE", "/api/storage/speech"),
        ("DELETE", "/api/storage/files"),
        ("GET", "/api/diagnostics"), ("GET", "/api/events"), ("GET", "/api/openapi.json"),
        ("GET", "/api/documents"), ("POST", "/api/documents"), ("POST", "/api/documents/delete"),
        ("GET", "/api/documents/x"), ("PATCH", "/api/documents/x"), ("GET", "/api/documents/x/original"),
        ("GET", "/api/documents/languages"),
        ("GET", "/api/documents/x/structure"), ("GET", "/api/documents/x/text"), ("GET", "/api/documents/x/places"),
        ("GET", "/api/documents/x/picture"), ("GET", "/api/documents/x/thumbnail"),
        ("GET", "/api/documents/x/selection"), ("PUT", "/api/documents/x/selection"),
        ("POST", "/api/documents/x/preview"), ("POST", "/api/documents/x/narrations"), ("GET", "/api/batch"),
        ("POST", "/api/batch"), ("POST", "/api/batch/start"), ("POST", "/api/batch/cancel"),
        ("POST", "/api/batch/dismiss"), ("DELETE", "/api/batch/1"),
    ]

    @Test("asks for a session on every route", arguments: ["", "echotext=", "echotext=0123", "other=1"])
    func session(_ cookie: String) async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.cookie] = cookie.isEmpty ? nil : cookie
        for (method, path) in Self.routes {
            let method = try #require(HTTPRequest.Method(method))
            let answer = try await studio.ask(method, path, method == .get ? nil : "{}", headers: headers)
            #expect((answer.status, answer.code) == (.unauthorized, "web.no-session"), "\(method) \(path)")
        }
    }

    @Test(
        "answers to no name but its own",
        arguments: [
            "evil.example", "evil.example:80", "localhost", "test.localhost", "test.localhost:81", "TEST.localhost.:80",
            "127.0.0.1", "2130706433:80", "0x7f000001:80", "[::1]:80", "test.localhost:80.evil.example",
            "evil.test.localhost:80", "test.localhost:80@evil.example", "localhost:80", "127.0.0.1:80", "[::1]:80", "",
            nil,
        ]
    )
    func foreignName(_ host: String?) async throws {
        let studio = try await TestStudio()
        let ticket = try await studio.sessions.makeTicket()
        for path in ["/", "/api/state", "/open/\(ticket)"] {
            let answer = try await studio.ask(.get, path, host: host)
            #expect((answer.status, answer.code) == (.misdirectedRequest, "web.wrong-address"), "\(path)")
            #expect(answer.headers[.setCookie] == nil)
        }
    }

    @Test("answers no request that names more than one host")
    func severalNames() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.secondHost] = "evil.example"  // The remains of two `Host` lines.
        #expect(try await studio.ask(.get, "/api/state", headers: headers).status == .misdirectedRequest)
        for address in ["http://test.localhost:80/api/state", "http://evil.example/api/state", "//", "*"] {
            let answer = try await studio.ask(.get, address)
            #expect(answer.status == (address == "//" ? .ok : .misdirectedRequest), "\(address)")
        }
    }

    @Test(
        "explains itself to a person who comes by a name that it had once, and clears what a browser keeps of that",
        arguments: [
            ("echotext-abcdefghij234567.localhost:80", true), ("abcdefghij.localhost:7340", true),
            ("localhost:80", false),
            ("127.0.0.1:80", false), ("evil.example", false),
        ]
    )
    func formerName(_ host: String, _ isCleared: Bool) async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.secFetchSite] = "none"
        headers[.secFetchMode] = "navigate"
        headers[.secFetchDest] = "document"
        let answer = try await studio.ask(.get, "/library", host: host, headers: headers)
        #expect(answer.status == .misdirectedRequest)
        #expect(answer.text.contains("<title>Elsewhere</title>"))
        #expect(answer.headers[.clearSiteData] == (isCleared ? "\"*\"" : nil))
        #expect(answer.headers[.location] == nil)
        #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        #expect(!answer.text.contains(TestStudio.host))
    }

    @Test("shows by a proof that it is the server that gave the key, and asks for no session")
    func proof() async throws {
        let studio = try await TestStudio()
        let state = try await studio.ask(.get, "/api/state").json
        let key = try #require(state["proofKey"] as? String)
        #expect(key.count == 64)
        var headers = studio.headers
        headers[.cookie] = nil
        let challenge = "0123456789abcdef-not-used-before"
        let answer = try await studio.ask(.get, "/api/proof?of=\(challenge)", headers: headers)
        let bytes = stride(from: 0, to: 64, by: 2).map { offset in
            UInt8(key.dropFirst(offset).prefix(2), radix: 16) ?? 0
        }
        let code = HMAC<SHA256>.authenticationCode(for: Data(challenge.utf8), using: SymmetricKey(data: bytes))
        #expect(try answer.json["proof"] as? String == code.map { String(format: "%02x", $0) }.joined())
        for challenge in ["", "?of=", "?of=short", "?of=\(String(repeating: "x", count: 129))"] {
            #expect(
                try await studio.ask(.get, "/api/proof\(challenge)", headers: headers).status == .unprocessableContent
            )
        }
        #expect(try await TestStudio().ask(.get, "/api/state").json["proofKey"] as? String != key)
    }

    struct Caller: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let headers: [String: String]
    }

    static let strangers: [Caller] = [
        .init(testDescription: "another site", headers: ["Sec-Fetch-Site": "cross-site"]),
        .init(testDescription: "another port", headers: ["Sec-Fetch-Site": "same-site"]),
        .init(testDescription: "an old browser elsewhere", headers: ["Origin": "http://evil.example"]),
        .init(testDescription: "a page without an origin", headers: ["Origin": "null"]),
        .init(testDescription: "the same name on another port", headers: ["Origin": "http://test.localhost:81"]),
        .init(
            testDescription: "a form elsewhere",
            headers: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        ),
    ]

    @Test("lets no other page read or change anything", arguments: strangers)
    func foreignPage(_ caller: Caller) async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.secFetchSite] = nil
        for (name, value) in caller.headers { headers[try #require(HTTPField.Name(name))] = value }
        for (method, path) in Self.routes {
            let method = try #require(HTTPRequest.Method(method))
            let answer = try await studio.ask(method, path, method == .get ? nil : "{}", headers: headers)
            #expect((answer.status, answer.code) == (.forbidden, "web.foreign-page"), "\(method) \(path)")
        }
    }

    @Test("lets the page be opened from anywhere")
    func opening() async throws {
        let studio = try await TestStudio()
        var headers: HTTPFields = [:]
        headers[.secFetchSite] = "cross-site"
        headers[.secFetchMode] = "navigate"
        headers[.secFetchDest] = "document"
        #expect(try await studio.ask(.get, "/library", headers: headers).status == .ok)
        headers[.secFetchDest] = "iframe"
        #expect(try await studio.ask(.get, "/library", headers: headers).status == .forbidden)
    }

    @Test(
        "takes changes as JSON only",
        arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", nil]
    )
    func forms(_ type: String?) async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.contentType] = type
        for (method, path) in Self.routes where method != "GET" {
            let answer = try await studio.ask(try #require(HTTPRequest.Method(method)), path, "{}", headers: headers)
            #expect((answer.status, answer.code) == (.unsupportedMediaType, "web.not-json"), "\(method) \(path)")
        }
    }

    @Test("says on every answer what a browser may do with it")
    func headers() async throws {
        let studio = try await TestStudio()
        for (method, path) in Self.routes where !["/api/events", "/api/sessions/end"].contains(path) {
            let method = try #require(HTTPRequest.Method(method))
            let answer = try await studio.ask(method, path, method == .get ? nil : "{}")
            let headers = answer.headers
            #expect(headers[.xContentTypeOptions] == "nosniff", "\(method) \(path)")
            #expect(headers[.cacheControl] == "no-store", "\(method) \(path)")
            #expect(headers[.crossOriginResourcePolicy] == "same-origin", "\(method) \(path)")
            #expect(headers[.accessControlAllowOrigin] == nil, "\(method) \(path)")
            #expect(headers[.contentSecurityPolicy]?.contains("sandbox") == true, "\(method) \(path)")
            #expect(answer.headers[.contentType]?.hasPrefix("text/html") != true, "\(method) \(path)")
        }
        for path in ["//api/library", "///api//state", "/api", "/api/"] {
            let answer = try await studio.ask(.get, path)
            #expect(answer.headers[.cacheControl] == "no-store", "\(path)")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true, "\(path)")
        }
        let page = try await studio.ask(.get, "/")
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
    }

    @Test("stores a recording under a name that no header can be made of")
    func names() {
        for name in [
            "a\r\nSet-Cookie: x=1", "a\"; filename=\"b", "a\u{0}b", "\u{202E}gpj.exe",
            String(repeating: "é", count: 4_000),
        ] {
            let field = Disposition.attachment(name)
            #expect(field.allSatisfy { $0.isASCII && $0 >= " " && $0 != "\u{7f}" })
            #expect(field.hasPrefix("attachment; filename=\""))
            #expect(field.filter { $0 == "\"" }.count == 2)
        }
    }

    @Test("serves the page's files and nothing beside them")
    func files() async throws {
        let studio = try await TestStudio()
        #expect(try await studio.ask(.get, "/app.js").headers[.contentType] == "text/javascript; charset=utf-8")
        for view in ["/", "/library", "/settings/speech"] {
            #expect(try await studio.ask(.get, view).text.contains("<title>Page</title>"), "\(view)")
        }
        for path in ["/../web/sessions.json", "/%2e%2e/web/sessions.json", "/nothing.js", "/web/host", "/.git/config"] {
            let answer = try await studio.ask(.get, path)
            #expect(answer.status == .notFound || answer.text.contains("<title>Page</title>"), "\(path)")
        }
    }

    @Test("names what a view needs with its page, and nothing that comes later")
    func links() async throws {
        let studio = try await TestStudio()
        let link = try #require(try await studio.ask(.get, "/library").headers[.link])
        for name in ["/app.js", "/core/dom.js", "/pages/library.js", "/pages/library/row.js"] {
            #expect(link.contains("<\(name)>; rel=modulepreload"))
        }
        #expect(link.contains("</api/state>; rel=preload; as=fetch; crossorigin"))
        #expect(link.contains("</styles/library.css>; rel=preload; as=style"))
        #expect(!link.contains("history"))
        #expect(!link.contains("sheet"))
        #expect(try await studio.ask(.get, "/app.js").headers[.link] == nil)
    }

    @Test("names the lock screen to those who have no session, whether the library is open or not")
    func linksWithoutSession() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.cookie] = nil
        let open = try await studio.ask(.get, "/library", headers: headers).headers[.link]
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        let closed = try await studio.ask(.get, "/library", headers: headers).headers[.link]
        #expect(open == closed)
        #expect(open?.contains("library") == false)
    }

    @Test("names the lock screen, and nothing of the view, while the library is closed")
    func linksWhileClosed() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        #expect(try await studio.ask(.post, "/api/lock", "{}").status == .ok)
        let link = try #require(try await studio.ask(.get, "/library").headers[.link])
        #expect(link.contains("</pages/lock.js>; rel=modulepreload"))
        #expect(!link.contains("library"))
    }

    @Test("sends the page's files compressed to whoever can take that")
    func compression() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.acceptEncoding] = "gzip, deflate"
        let plain = try await studio.ask(.get, "/long.js")
        let compressed = try await studio.ask(.get, "/long.js", headers: headers)
        #expect(compressed.headers[.contentEncoding] == "gzip")
        #expect(compressed.data.starts(with: [0x1f, 0x8b]) && compressed.data.count < plain.data.count / 10)
        headers[.ifNoneMatch] = plain.headers[.eTag]
        #expect(try await studio.ask(.get, "/long.js", headers: headers).status == .notModified)
    }

    @Test("names all modules but those of languages, so that none is brought when its server may have ended")
    func moduleNames() async throws {
        let studio = try await TestStudio()
        let answer = try await studio.ask(.get, "/modules.json")
        let names = try JSONDecoder().decode([String].self, from: answer.data)
        #expect(names.contains("/pages/library/sheet.js") && names.contains("/app.js"))
        #expect(names == names.sorted() && !names.contains { $0.contains("locales") })
    }

    @Test("takes no body beyond its bound, and says what to do")
    func largeBody() async throws {
        let studio = try await TestStudio()
        let text = String(repeating: "word ", count: 1_000_000)
        let answer = try await studio.ask(.post, "/api/narrations", #"{"text":"\#(text)"}"#)
        #expect((answer.status, answer.code) == (.contentTooLarge, "web.too-large"))
        #expect(try answer.json["suggestion"] as? String == WebError.tooLarge.failure.suggestion)
    }
}
