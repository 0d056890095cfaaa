import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import WebApp

@Suite("Text in a query", .endsInTime)
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

    @Test("revokes the key of a program by its name", arguments: texts)
    func keys(text: String) async throws {
        let studio = try await TestStudio()
        for name in [text, "Other"] {
            _ = try await studio.vault.library.apiKeys.add(try ItemName(name), at: Date())
        }
        let revoked = try await studio.ask(.delete, "/api/keys?name=\(field(text))")
        #expect(revoked.status == .noContent, "\(revoked.text)")
        #expect(try await studio.vault.library.apiKeys.keys().map(\.name.text) == ["Other"])
    }

    /// The parameters that tests of their own try: those of routes that change something or answer without end.
    private static let triedApart: Set<String> = [
        "POST /api/documents?name", "POST /api/voices/uploads?name", "POST /api/library/imports?name",
        "POST /api/library/imports?title", "POST /api/library/imports?language",
        "DELETE /api/library/unreadable?words", "DELETE /api/library/unreadable?document",
        "DELETE /api/library/unreadable?voice", "GET /api/events?after", "DELETE /api/keys?name",
    ]

    /// The parameters that take any text, by the description, each as `METHOD PATH?NAME`.
    private static func described() throws -> Set<String> {
        let source = try JSONSerialization.jsonObject(with: try PageFiles.description())
        let description = try #require(source as? [String: Any])
        let components = try #require(description["components"] as? [String: [String: Any]])
        let paths = try #require(description["paths"] as? [String: [String: [String: Any]]])
        func resolved(_ object: [String: Any], in group: String) -> [String: Any] {
            guard let key = (object["$ref"] as? String)?.split(separator: "/").last else { return object }
            return components[group]?[String(key)] as? [String: Any] ?? object
        }
        var found: Set<String> = []
        for (path, operations) in paths {
            for (method, operation) in operations {
                for written in operation["parameters"] as? [[String: Any]] ?? [] {
                    let parameter = resolved(written, in: "parameters")
                    guard parameter["in"] as? String == "query" else { continue }
                    let name = try #require(parameter["name"] as? String)
                    let schema = resolved(try #require(parameter["schema"] as? [String: Any]), in: "schemas")
                    let text = resolved(schema["items"] as? [String: Any] ?? schema, in: "schemas")
                    guard text["type"] as? String == "string", text["enum"] == nil, text["format"] == nil else {
                        continue
                    }
                    found.insert("\(method.uppercased()) \(path)?\(name)")
                }
            }
        }
        return found
    }

    @Test("is tried with every parameter that takes any")
    func all() throws {
        let described = try Self.described()
        #expect(described.isSuperset(of: Self.triedApart), "one of them is no longer there")
        let others = described.subtracting(Self.triedApart)
        #expect(others.count >= 12)
        #expect(others.filter { !$0.hasPrefix("GET ") }.sorted() == [], "they have no test")
    }

    @Test("is spoken, proved, searched and chosen as it was typed", arguments: texts)
    func others(text: String) async throws {
        let studio = try await TestStudio()
        if (16...128).contains(text.utf8.count) {
            let proof = try await studio.ask(.get, "/api/proof?of=\(field(text))").json["proof"] as? String
            #expect(proof == studio.sessions.proof(of: text))
        }
        let described = try Self.described().subtracting(Self.triedApart).filter { $0.hasPrefix("GET ") }.sorted()
        let paths = described.map { String($0.dropFirst(4)).replacing(/{[a-z]+}/, with: "x") + "=" }
        for path in paths + ["/api/library/x/export?format="] {
            let written = try await studio.ask(.get, path + field(text))
            let same = try await studio.ask(.get, path + escaped(text))
            #expect(written.status == same.status && inOrder(written.data) == inOrder(same.data), "\(path)")
        }
    }

    @Test("chooses what is deleted as it was typed", arguments: texts)
    func deletion(text: String) async throws {
        let studio = try await TestStudio()
        let one = try await studio.record("A story.", name: text)
        let other = try await studio.record("A story.", name: "Qqq")
        let library = try #require(studio.vault.library.audio as? MemoryLibrary)
        for id in [one, other] { await library.makeUnreadable(id) }
        let path = "/api/library/unreadable?"
        for name in ["document", "voice"] {
            let answer = try await studio.ask(.delete, "\(path)\(name)=\(field(text))")
            #expect(answer.status == .noContent, "\(answer.text)")
            #expect(await library.unreadableItems().count == 2, "none is of that \(name)")
        }
        #expect(try await studio.ask(.delete, "\(path)in=name&words=\(field(text))").status == .noContent)
        #expect(await library.unreadableItems() == [other])
        let voice = field(ScriptedSynthesizer.narrator.id.rawValue)
        #expect(try await studio.ask(.delete, "\(path)voice=\(voice)").status == .noContent)
        #expect(await library.unreadableItems() == [])
    }

    @Test(
        "is the language of what is imported, or is refused",
        arguments: [("%65%74", "et"), ("pt%2Dbr", "pt-BR"), ("en+GB", nil), ("en%2BGB", nil), ("%C3%B5", nil)]
            as [(String, String?)]
    )
    func languages(_ written: String, _ read: String?) async throws {
        let studio = try await TestStudio()
        let made = try await send(wave, to: "/api/library/imports?name=a.wav&language=\(written)", of: studio)
        let status: HTTPResponse.Status = read == nil ? .unprocessableContent : .created
        #expect(made.status == status, "\(made.text)")
        #expect((try made.json["item"] as? [String: Any])?["language"] as? String == read)
        #expect(try await total("/api/library", of: studio) == (read == nil ? 0 : 1))
    }

    @Test("is the last event that was received")
    func events() async throws {
        let studio = try await TestStudio()
        let known = try #require(try await studio.ask(.get, "/api/voices/listings").headers[.lastEventID])
        await studio.events.post(.voices)
        let written = escaped(known)
        for (id, isKnown) in [(written, true), (written.replacing("%2D", with: "+"), false)] {
            let response = try await studio.respond(.get, "/api/events?after=\(id)")
            let reader = EventReader(until: ["event: voices", "event: reset"])
            // The reader goes away by an error.
            try? await response.body.write(reader)
            #expect(await reader.text.contains(isKnown ? "event: voices" : "event: reset"), "\(id)")
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

/// A browser that takes a stream until it has one of some events, and goes away.
private struct EventReader: ResponseBodyWriter {
    struct Read: Error {}

    private actor Kept {
        private(set) var text = ""

        func add(_ more: String) { text += more }
    }

    private let ends: [String]
    private let kept = Kept()

    init(until ends: [String]) {
        self.ends = ends
    }

    var text: String { get async { await kept.text } }

    func write(_ buffer: ByteBuffer) async throws {
        await kept.add(String(buffer: buffer))
        let text = await text
        if ends.contains(where: { text.contains($0) }) { throw Read() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
