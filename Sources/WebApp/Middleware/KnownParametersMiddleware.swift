import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Rejects a change or deletion with a query parameter that its route does not have, and a deletion with fields.
///
/// A misspelt condition would be ignored, and more be deleted or replaced than was meant. No deletion has fields: what
/// is deleted stands in its address.
struct KnownParametersMiddleware: RouterMiddleware {
    private let parameters: OnDemand<Result<QueryParameters, any Error>>

    /// - Parameter description: The contents of `openapi.json`; they are read at the first such request with a query.
    init(of description: Data) {
        parameters = OnDemand { Result { try QueryParameters(of: description) } }
    }

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        if ![.get, .head].contains(request.method) { try checkNames(in: request, context) }
        if request.method == .delete { try await Self.checkFields(in: request, context) }
        return try await next(request, context)
    }

    private func checkNames(in request: Request, _ context: WebRequestContext) throws {
        let names = request.parameterNames
        guard !names.isEmpty else { return }
        let known = try parameters.value.get().names(of: request.method, context.endpointPath ?? "")
        guard let unknown = names.first(where: { !known.contains($0) }) else { return }
        let others = known.isEmpty ? "nor any other" : "only \(known.joined(separator: ", "))"
        throw WebError.badRequest(what: "there is no parameter “\(unknown.prefix(40))” here, \(others)")
    }

    /// Reads the body, which no deletion needs.
    private static func checkFields(in request: Request, _ context: WebRequestContext) async throws {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        let signs = body.readableBytesView.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard signs.isEmpty || Array(signs) == Array("{}".utf8) else {
            throw WebError.badRequest(what: "a deletion has no fields; its address says what is deleted")
        }
    }
}

/// The query parameters of each operation, as `openapi.json` declares them.
struct QueryParameters: Sendable {
    /// In the order of the declarations, by method and path, such as `DELETE /api/library/{id}`.
    private let names: [String: [String]]

    /// - Parameter source: The contents of `openapi.json`.
    /// - Throws: ``WebError/pageMissing`` for anything but a description.
    init(of source: Data) throws {
        guard let description = try? JSONSerialization.jsonObject(with: source) as? [String: Any],
            let paths = description["paths"] as? [String: [String: [String: Any]]]
        else { throw WebError.pageMissing }
        let shared = (description["components"] as? [String: Any])?["parameters"] as? [String: [String: Any]] ?? [:]
        var names: [String: [String]] = [:]
        for (path, operations) in paths {
            for (method, operation) in operations {
                let parameters = operation["parameters"] as? [[String: Any]] ?? []
                names["\(method.uppercased()) \(path)"] = parameters.compactMap { parameter -> String? in
                    let key = (parameter["$ref"] as? String)?.split(separator: "/").last.map { String($0) }
                    let declared = key.flatMap { shared[$0] } ?? parameter
                    guard declared["in"] as? String == "query" else { return nil }
                    return declared["name"] as? String
                }
            }
        }
        self.names = names
    }

    /// - Parameters:
    ///   - method: The operation's method.
    ///   - path: As the router has it, with the names of its parts in braces.
    /// - Returns: No names for an operation that is not described.
    func names(of method: HTTPRequest.Method, _ path: String) -> [String] {
        names["\(method.rawValue) \(path)"] ?? []
    }
}
