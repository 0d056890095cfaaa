import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Text in a query")
struct QueryTextTests {
    /// Each can be the name of a file, and has a letter or digit to search for.
    private static let texts = [
        "Long interview with Anna", "C++ + 1 = 2", "+1 & more, 100 % of it", "50%20 is 50%2B", "a=b&c=d;e#f",
        "“quoted” 'so'", "Õhtu 🎧 夜 👨‍👩‍👧‍👦", "שלום + עולם", "می‌خواهم & بس", "e\u{301}\u{302} a", "\u{301}e",
        String(repeating: "夜", count: 200), String(repeating: "Ж 1+", count: 50),
    ]

    private let wave = WAVHeader.file(of: [Int16](repeating: 900, count: 32_000), sampleRate: 16_000)

    /// As `URLSearchParams` writes it.
    private func field(_ text: String) -> String { escaped(text, keeping: Self.plain).replacing("%20", with: "+") }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*-._".utf8)

    private func escaped(_ text: String, keeping plain: Set<UInt8> = []) -> String {
        text.utf8.map { byte -> String in
            if plain.contains(byte) { return String(Unicode.Scalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private func send(_ bytes: Data, to path: String, of studio: TestStudio) async throws -> Answer {
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        return try await studio.ask(.post, path, bytes: bytes, headers: headers)
    }

    /// The keys of an answer's objects come in any order.
    private func inOrder(_ data: Data) -> Data {
        guard let json = try? JSONSerialization.jsonObject(with: data) else { return data }
        return (try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)) ?? data
    }

    private func total(_ path: String, of studio: TestStudio) async throws -> Int? {
        try await studio.ask(.get, path).json["total"] as? Int
    }

    @Test("names a recording, and finds it", arguments: texts)
    func recordings(text: String) async throws {
        let studio = try await TestStudio()
        for query in ["name=\(field(text)).wav", "name=a.wav&twin=keep&title=\(field(text))"] {
            let made = try await send(wave, to: "/api/library/imports?\(query)", of: studio)
            #expect(made.status == .created, "\(made.text)")
            #expect((try made.json["item"] as? [String: Any])?["name"] as? String == text)
        }
        #expect(try await total("/api/library?in=name&words=\(field(text))", of: studio) == 2)
    }

    @Test("names a document, finds it, and finds a place in it", arguments: texts)
    func documents(text: String) async throws {
        let studio = try await TestStudio()
        let content = Data("Before. \(text)".utf8)
        let made = try await send(content, to: "/api/documents?name=\(field(text)).txt", of: studio)
        let document = try #require(try made.json["document"] as? [String: Any], "\(made.text)")
        #expect(document["name"] as? String == text)
        let id = try #require(document["id"] as? String)
        #expect(try await total("/api/documents?in=name&words=\(field(text))", of: studio) == 1)
        let found = try await studio.ask(.get, "/api/documents/\(id)/places?words=\(field(text))").json
        #expect((found["places"] as? [Any])?.isEmpty == false)
    }

    @Test("names the archive of a voice", arguments: texts)
    func archives(text: String) async throws {
        let path = "/api/voices/uploads?name="
        let (one, other) = (try await TestStudio(), try await TestStudio())
        let written = try await send(Data("BZh".utf8), to: "\(path)\(field(text)).tar.bz2", of: one)
        let same = try await send(Data("BZh".utf8), to: "\(path)\(escaped("\(text).tar.bz2"))", of: other)
        #expect(written.status == same.status)
        #expect(try written.json["id"] as? String == same.json["id"] as? String)
        #expect(written.code == same.code)
    }

    @Test("is spoken, proved, searched and chosen as it was typed", arguments: texts)
    func others(text: String) async throws {
        let studio = try await TestStudio()
        if (16...128).contains(text.utf8.count) {
            let proof = try await studio.ask(.get, "/api/proof?of=\(field(text))").json["proof"] as? String
            #expect(proof == studio.sessions.proof(of: text))
        }
        for path in [
            "/api/voices/sample?text=", "/api/voices/sample?voice=", "/api/recognizers?language=",
            "/api/documents?language=", "/api/library?voice=", "/api/library?document=",
            "/api/transcripts/search?words=",
            "/api/transcripts/x/differences?with=", "/api/library/x/export?format=",
        ] {
            let written = try await studio.ask(.get, path + field(text))
            let same = try await studio.ask(.get, path + escaped(text))
            #expect(written.status == same.status && inOrder(written.data) == inOrder(same.data), "\(path)")
        }
    }

    @Test(
        "is read as a form writes it",
        arguments: [
            ("a+b", "a b"), ("a%2Bb", "a+b"), ("a%20b", "a b"), ("%2", "%2"), ("%", "%"), ("100%+x", "100% x"),
            ("%zz", "%zz"), ("%+1", "% 1"), ("a=b", "a=b"), ("", ""), ("%F0%9F%8E%A7", "🎧"), ("%FF", "\u{FFFD}"),
            ("%00", "\0"),
        ]
    )
    func decoding(_ written: String, _ read: String) async throws {
        let studio = try await TestStudio()
        let path = "/api/proof?other=x&of=0123456789abcdef\(written)"
        let proof = try await studio.ask(.get, path).json["proof"] as? String
        #expect(proof == studio.sessions.proof(of: "0123456789abcdef\(read)"))
    }
}
