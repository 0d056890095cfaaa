import EchoText
import Foundation
import Testing

@testable import Outbound

@Suite("Rules of the way out")
struct RuleTests {
    @Test(
        "follow where a public server sends on to",
        arguments: [
            "https://objects.githubusercontent.com/x?y=z", "https://github.com/other", "https://cdn.example.org:8443/a",
            "https://xn--bcher-kva.example/",
        ]
    )
    func safe(target: String) throws {
        let base = try #require(URL(string: "https://github.com/k2-fsa/x"))
        #expect(OutboundClient.isSafe(try #require(URL(string: target)), from: base))
    }

    /// Spellings of this machine, its neighbors and of other protocols.
    private static let traps = [
        "http://github.com/", "http://github.com:443/", "ftp://github.com/", "file:///etc/passwd", "data:,x", "//",
        "javascript:1", "unix:///run/x", "https:///x", "https://user@github.com/", "https://user:pw@example.org/",
        "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/", "https://127.0.0.1/",
        "https://127.1/", "https://127.0.0.1.", "https://0.0.0.0/", "https://0/", "https://2130706433/",
        "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://017700000001/", "https://[::1]/",
        "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[fe80::1]/",
        "https://[fc00::1]/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.0.1/",
        "https://169.254.169.254/",
        "https://100.64.0.1/", "https://8.8.8.8/", "https://1.1.1.1:8443/", "https://router/", "https://intranet/",
        "https://printer.local/", "https://metadata.internal/", "https://nas.lan/", "https://box.home/",
        "https://box.home.arpa/", "https://mail.corp/",
        "https://x.localdomain/", "https://.example.org/", "https://example..org/",
        "https://github.com%2f.evil.test/", "https://git%0ahub.com/", "https://example.org:65536/",
    ]

    @Test("do not follow to this machine, its neighbors, or out of encryption", arguments: traps)
    func trap(target: String) throws {
        let base = try #require(URL(string: "https://github.com/k2-fsa/x"))
        guard let url = URL(string: target, relativeTo: base)?.absoluteURL else { return }
        #expect(!OutboundClient.isSafe(url, from: base), "\(url)")
    }

    @Test("follow within the place that was asked first")
    func home() throws {
        let base = try #require(URL(string: "http://127.0.0.1:8080/a"))
        for (target, isSafe) in [
            ("http://127.0.0.1:8080/b", true), ("http://127.0.0.1:8081/b", false), ("http://127.0.0.2:8080/b", false),
            ("https://127.0.0.1:8080/b", false), ("https://example.org/b", true),
        ] {
            #expect(OutboundClient.isSafe(try #require(URL(string: target)), from: base) == isSafe, "\(target)")
        }
    }

    @Test("read proxies as other programs do")
    func proxies() throws {
        let settings = ProxySettings(environment: [
            "https_proxy": "http://proxy.example:3128", "http_proxy": "plain.example",
            "HTTP_PROXY": "http://cgi.example",
            "no_proxy": "skip.example, .dot.example,*.star.example, port.example:8443",
        ])
        let cases: [(String, String?)] = [
            ("https://github.com/", "proxy.example"), ("http://example.org/", "plain.example"),
            ("https://skip.example/", nil), ("https://a.skip.example/", nil),
            ("https://noskip.example/", "proxy.example"),
            ("https://a.dot.example/", nil), ("https://dot.example/", nil), ("https://b.star.example/", nil),
            ("https://port.example/", "proxy.example"), ("https://port.example:8443/", nil),
            ("https://localhost/", nil), ("https://127.0.0.1:9/", nil), ("https://[::1]/", nil),
        ]
        for (url, host) in cases {
            #expect(try settings.proxy(for: try #require(URL(string: url)))?.host == host, "\(url)")
        }
        let outside = try #require(URL(string: "https://github.com/"))
        let all = ProxySettings(environment: ["ALL_PROXY": "socks5://p.example", "https_proxy": ""])
        #expect(try all.proxy(for: outside)?.kind == .socks && all.proxy(for: outside)?.port == 1_080)
        #expect(try ProxySettings(environment: [:]).proxy(for: outside) == nil)
        #expect(try ProxySettings(environment: ["HTTP_PROXY": "http://cgi.example"]).proxy(for: outside) == nil)
        let everything = ProxySettings(environment: ["https_proxy": "http://p.example", "NO_PROXY": "*"])
        #expect(try everything.proxy(for: outside) == nil)
        for bad in [
            "ftp://p.example", "http://", "socks5://me:pw@p.example", "https://p.example", "::", "p.example:65536",
            "socks5://127.0.0.1:99999", "http://127.0.0.1:0",
        ] {
            #expect(throws: ModelDownloadError.badProxy, "\(bad)") {
                try ProxySettings(environment: ["https_proxy": bad]).proxy(for: outside)
            }
        }
    }

    @Test("wait longer from try to try, and give up")
    func retries() {
        var policy = RetryPolicy()
        let cut = ModelDownloadError.interrupted(bytes: 1, of: 2)
        let waits = (0..<5).map { _ in policy.wait(after: cut, hasProgressed: false, chance: 1) }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), nil])
        policy = RetryPolicy()
        #expect(
            (0..<100).allSatisfy { _ in policy.wait(after: cut, hasProgressed: true, chance: 0) == .milliseconds(250) }
        )
        policy = RetryPolicy()
        let rest = { (seconds: Int) in ModelDownloadError.tooManyRequests(host: "h", wait: .seconds(seconds)) }
        #expect(policy.wait(after: rest(20), hasProgressed: false, chance: 1) == .seconds(20))
        #expect(policy.wait(after: rest(61), hasProgressed: false, chance: 1) == nil)
        for error in [ModelDownloadError.offline, .notThere("x"), .untrusted(host: "h"), .noSpace(needed: 1, free: 0)] {
            var policy = RetryPolicy()
            #expect(policy.wait(after: error, hasProgressed: true, chance: 1) == nil, "\(error)")
        }
    }

    @Test(
        "read what part an answer holds",
        arguments: [
            ("bytes 0-9/10", 0, 10), ("bytes 5-9/*", 5, nil), ("bytes */10", nil, 10), ("BYTES 1-1/2", 1, 2),
        ] as [(String, Int64?, Int64?)]
    )
    func contentRange(text: String, start: Int64?, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.start == start && range.total == total)
    }

    @Test(
        "take no part that makes no sense",
        arguments: [
            "", "bytes", "bytes 1-2", "bytes 2-1/9", "bytes 0-10/10", "bytes a-b/c", "items 0-1/2", "bytes 0-1/-2",
        ]
    )
    func badContentRange(text: String) { #expect(ContentRange(text) == nil) }
}

@Suite("Only way out")
struct OnlyWayOutTests {
    private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardizedFileURL

    @Test("no other file of the program imports a client or connects a socket to another machine")
    func oneClient() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        let clients = [
            "import AsyncHTTPClient", "import FoundationNetworking", "URLSession", "ClientBootstrap", "getaddrinfo",
            "NSURLConnection", "WebSocket", "DatagramBootstrap", "HummingbirdWSClient",
        ]
        var connecting: Set<String> = []
        var count = 0
        for case let file as URL in files where ["swift", "c", "h"].contains(file.pathExtension) {
            let text = try String(contentsOf: file, encoding: .utf8)
            count += 1
            if clients.contains(where: text.contains) { connecting.insert(file.lastPathComponent) }
        }
        #expect(count > 400, "the sources are looked through")
        #expect(connecting == ["OutboundClient.swift"])
    }

    @Test("no other target depends on a client")
    func oneTarget() throws {
        let manifest = try String(contentsOf: Self.sources.appending(path: "../Package.swift"), encoding: .utf8)
        let targets = manifest.split(separator: "arget(").filter { $0.contains("package: \"async-http-client\"") }
        #expect(targets.count == 1 && targets.first?.contains("name: \"Outbound\"") == true)
    }
}
