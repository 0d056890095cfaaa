import Foundation
import HTTPTypes
import Hummingbird

/// Rejects a change or deletion with a query parameter that its route does not have.
///
/// A misspelt condition would be ignored, and more be deleted or replaced than was meant.
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
        let names = request.parameterNames
        guard ![.get, .head].contains(request.method), !names.isEmpty else { return try await next(request, context) }
        let known = try parameters.value.get().names(of: request.method, context.endpointPath ?? "")
        if let unknown = names.first(where: { !known.contains($0) }) {
            let those = known.isEmpty ? "none is" : "there are \(known.joined(separator: ", "))"
            throw WebError.badRequest(what: "no parameter of it is called “\(unknown.prefix(40))”; \(those)")
        }
        return try await next(request, context)
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
