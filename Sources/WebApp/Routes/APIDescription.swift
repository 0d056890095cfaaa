import Foundation
import NIOCore

/// The description of the API as `/api/openapi.json` serves it.
///
/// `openapi.json` has the responses of each operation's own route. Shared middleware rejects other requests before the
/// route runs, so those responses are added here:
///
/// | status | to which operations |
/// | --- | --- |
/// | 401, no session | to all that name no `security` of their own |
/// | 403 and 421, a foreign page or address | to all |
/// | 415, a body that is not JSON | to all but GET |
/// | 422, an unknown query parameter, or a field of a deletion | to all but GET |
/// | 423, a locked library | to all without `x-answers-while-locked` |
enum APIDescription {
    private static let answersWhileLocked = "x-answers-while-locked"

    /// Completes a description when somebody first asks for it.
    ///
    /// Few ask, and to complete it takes longer than all else at the start of a server.
    ///
    /// - Parameter source: The contents of `openapi.json`.
    /// - Returns: The complete description, or ``WebError/pageMissing`` when the source is not a description.
    static func completed(_ source: Data) -> OnDemand<Result<ByteBuffer, any Error>> {
        OnDemand { Result { ByteBuffer(bytes: try complete(source)) } }
    }

    /// - Parameter source: The contents of `openapi.json`.
    /// - Returns: JSON with the shared refusals of each operation.
    /// - Throws: ``WebError/pageMissing`` for anything but a description.
    static func complete(_ source: Data) throws -> Data {
        guard var description = try? JSONSerialization.jsonObject(with: source) as? [String: Any],
            let paths = description["paths"] as? [String: [String: [String: Any]]]
        else { throw WebError.pageMissing }
        description["paths"] = paths.mapValues { operations in
            Dictionary(uniqueKeysWithValues: operations.map { ($0, complete($1, of: $0)) })
        }
        return try JSONSerialization.data(withJSONObject: description, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func complete(_ operation: [String: Any], of method: String) -> [String: Any] {
        var shared = ["403": "Forbidden", "421": "Misdirected"]
        if operation["security"] == nil { shared["401"] = "NoSession" }
        if method != "get" {
            shared["415"] = "NotJSON"
            shared["422"] = "Invalid"
        }
        if operation[answersWhileLocked] == nil { shared["423"] = "Locked" }
        var complete = operation
        let own = operation["responses"] as? [String: Any] ?? [:]
        let added = shared.mapValues { ["$ref": "#/components/responses/\($0)"] as Any }
        complete["responses"] = own.merging(added) { own, _ in own }
        return complete
    }
}
