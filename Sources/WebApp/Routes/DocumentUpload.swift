import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// A document's bytes on their way in.
enum DocumentUpload {
    /// Most bytes of a file of any kind.
    private static let largest = DocumentKind.allCases.map(\.largestFile).max() ?? 0

    /// Rejects a body that is declared too long before reading it.
    ///
    /// - Throws: ``DocumentError/tooLarge(limit:)``.
    static func check(length: String?) throws {
        guard let length = length.flatMap({ Int($0) }) else { return }
        guard length <= largest else { throw DocumentError.tooLarge(limit: largest) }
    }

    /// Reads the whole body of a request.
    ///
    /// - Throws: ``DocumentError/tooLarge(limit:)``; errors of reading when the browser disconnects.
    static func bytes(of request: Request) async throws -> Data {
        // Growing by doubling would take up to three times a large file.
        let expected = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        var bytes = Data(capacity: min(max(0, expected), largest))
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= largest else { throw DocumentError.tooLarge(limit: largest) }
            buffer.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

extension Request {
    /// The password of a document, percent-encoded, because header fields are ASCII only.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    var documentPassword: String? {
        get throws {
            guard let field = headers[.documentPassword] else { return nil }
            guard let password = field.removingPercentEncoding else {
                throw WebError.badRequest(what: "“X-Document-Password” is percent-encoded UTF-8")
            }
            return password
        }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initialiser fails only for characters a header name may not have.
    static let documentPassword = Self("X-Document-Password")!
}

/// Allows one import at a time, because each holds a whole file in memory; a few may wait with unread bodies.
final class ImportGate: Sendable {
    /// The most that are inside or wait.
    static let most = 8

    private let turns = PrioritySemaphore(permits: 1)
    private let count = Atomic(0)

    /// - Throws: ``WebError/busy``; what `work` throws; `CancellationError`.
    func pass<Output>(_ work: () async throws -> Output) async throws -> Output {
        defer { count.wrappingSubtract(1, ordering: .relaxed) }
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most else { throw WebError.busy }
        return try await turns.pass { _ in try await work() }
    }
}
