import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("The API's description")
struct DescriptionTests {
    /// An operation in the description.
    struct Operation: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let statuses: Set<Int>

        var testDescription: String { "\(method.rawValue) \(path)" }

        /// The path with a value for each parameter.
        var address: String { path.replacing(/{[a-z]+}/, with: "no-such") }
    }

    private static func description() async throws -> [String: Any] {
        try await TestStudio().ask(.get, "/api/openapi.json").json
    }

    private static func operations(of description: [String: Any]) throws -> [Operation] {
        let paths = try #require(description["paths"] as? [String: [String: [String: Any]]])
        return try paths.flatMap { path, operations in
            try operations.map { method, operation in
                let responses = try #require(operation["responses"] as? [String: Any])
                return Operation(
                    method: try #require(HTTPRequest.Method(method.uppercased())),
                    path: path,
                    statuses: Set(responses.keys.compactMap(Int.init))
                )
            }
        }
    }

    @Test("names every route there is, and no other")
    func routes() async throws {
        let studio = try await TestStudio()
        let named = Set(try Self.operations(of: try await Self.description()).map(\.testDescription))
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
        let answer = try await TestStudio().ask(.get, "/api/openapi.json")
        let description = try answer.json
        #expect(description["openapi"] as? String == "3.1.0")
        let references = answer.text.matches(of: /"\$ref":"#\/([A-Za-z\/]+)"/).map(\.1)
        #expect(references.count > 500)
        for reference in Set(references) {
            var found: Any? = description
            for key in reference.split(separator: "/") { found = (found as? [String: Any])?[String(key)] }
            #expect(found != nil, "\(reference)")
        }
    }

    @Test("says once what is the same for several routes")
    func length() throws {
        let lines = try PageFiles.description().split(separator: UInt8(ascii: "\n"))
        #expect(lines.count <= 7_250)
    }

    @Test("does not repeat with a route what is added to every one")
    func shared() throws {
        let source = try PageFiles.description()
        let written = try #require(try JSONSerialization.jsonObject(with: source) as? [String: Any])
        for operation in try Self.operations(of: written) {
            #expect(operation.statuses.isDisjoint(with: [401, 403, 415, 421, 423]), "\(operation.testDescription)")
        }
    }

    @Test("cannot be completed when it is not a description", arguments: ["", "[]", #"{"paths":{"/":[]}}"#])
    func broken(_ source: String) {
        #expect(throws: WebError.pageMissing) { try APIDescription.complete(Data(source.utf8)) }
    }

    @Test("gives every operation a name of its own, and leads from what makes an id to what takes one")
    func links() async throws {
        let description = try await Self.description()
        let paths = try #require(description["paths"] as? [String: [String: [String: Any]]])
        let operations = paths.values.flatMap(\.values)
        let names = operations.compactMap { $0["operationId"] as? String }
        #expect(names.count == operations.count)
        #expect(Set(names).count == names.count)
        let components = try #require(description["components"] as? [String: [String: [String: Any]]])
        let links = try #require(components["links"])
        #expect(links.count > 20)
        for (name, link) in links {
            #expect(names.contains(try #require(link["operationId"] as? String)), "\(name)")
        }
    }

    @Test("shows an example of every schema")
    func examples() async throws {
        let components = try #require(try await Self.description()["components"] as? [String: [String: [String: Any]]])
        for (name, schema) in try #require(components["schemas"]) {
            #expect((schema["examples"] as? [Any])?.isEmpty == false, "\(name)")
        }
    }

    @Test("says of every route whether it asks for a session, an open library, and JSON")
    func refusals() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        var stranger = studio.headers
        stranger[.cookie] = nil
        var form = studio.headers
        form[.contentType] = "text/plain"
        for operation in try Self.operations(of: try await Self.description()) {
            let (method, address) = (operation.method, operation.address)
            let unknown = try await studio.ask(method, address, headers: stranger).status.code
            #expect(operation.statuses.contains(401) == (unknown == 401), "\(operation.testDescription)")
            let asForm = method == .get ? nil : try await studio.ask(method, address, headers: form).status.code
            #expect(operation.statuses.contains(415) == (asForm == 415), "\(operation.testDescription)")
            let foreign = try await studio.ask(method, address, host: "evil.example").status.code
            #expect(operation.statuses.isSuperset(of: [403, 421]) && foreign == 421, "\(operation.testDescription)")
        }
    }

    @Test("says of every route under the open library that it may be locked, and of none that answers then")
    func locked() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        _ = try await studio.ask(.post, "/api/lock", "{}")
        for operation in try Self.operations(of: try await Self.description()) where operation.path != "/api/events" {
            let status = try await studio.ask(operation.method, operation.address, "{}").status.code
            if status == 423 { #expect(operation.statuses.contains(423), "\(operation.testDescription)") }
            if (200..<300).contains(status) {
                #expect(!operation.statuses.contains(423), "\(operation.testDescription)")
            }
        }
    }
}
