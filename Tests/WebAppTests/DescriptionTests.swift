import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The API's description")
struct DescriptionTests {
    @Test("names every route there is, and no other")
    func routes() async throws {
        let studio = try await TestStudio()
        let described = try #require(
            try await studio.ask(.get, "/api/openapi.json").json["paths"] as? [String: [String: Any]]
        )
        let named = Set(described.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
        let served = Set(
            studio.routes.filter { $0.path.hasPrefix("/api/") && !$0.path.contains("*") }.map { route in
                let path = route.path.split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : "\($0)" }
                return "\(route.method) /\(path.joined(separator: "/"))"
            }
        )
        #expect(named.symmetricDifference(served).sorted() == [])
    }

    @Test("is of this version, and every reference in it leads somewhere")
    func references() async throws {
        let studio = try await TestStudio()
        let answer = try await studio.ask(.get, "/api/openapi.json")
        let schemas = try #require((try answer.json["components"] as? [String: Any])?["schemas"] as? [String: Any])
        let text = answer.text
        for part in text.components(separatedBy: "\"$ref\": \"#/components/schemas/").dropFirst() {
            let name = String(part.prefix { $0 != "\"" })
            #expect(schemas[name] != nil, "\(name)")
        }
        #expect(try answer.json["openapi"] as? String == "3.1.0")
    }
}
