import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Long names on the page")
struct LongNameRouteTests {
    @Test(
        "come back whole, and give a download as much of them as the name of a file takes",
        arguments: [("夜", 200), ("Ж", 200), ("नमस्ते", 33), ("👨‍👩‍👧‍👦", 28)]
    )
    func names(_ word: String, _ count: Int) async throws {
        let studio = try await TestStudio()
        let name = String(repeating: word, count: count)
        let id = try await studio.record("Good night.", name: name)
        #expect(try await studio.ask(.get, "/api/library/\(id)").json["name"] as? String == name)
        let text = try await studio.ask(.get, "/api/library/\(id)/export?format=txt")
        #expect(text.status == .ok, "\(text.text)")
        let written = text.headers[.contentDisposition]?.firstMatch(of: /filename\*=UTF-8''(.+)/).map { String($0.1) }
        let file = try #require(written?.removingPercentEncoding)
        #expect(file.utf8.count <= 255 && file.hasSuffix(".txt") && name.hasPrefix(file.dropLast(".txt".count)))
    }

    @Test("are refused above 200 characters, with words")
    func tooLong() async throws {
        let studio = try await TestStudio()
        let name = String(repeating: "夜", count: 201)
        let body = String(decoding: try JSONEncoder().encode(["text": "Good night.", "name": name]), as: UTF8.self)
        #expect(try await studio.ask(.post, "/api/narrations", body).code == "library.invalid-name")
    }
}
