import EchoText
package import Foundation
package import Hummingbird
import NIOCore

/// The context of one request: JSON with dates to the millisecond, and the limit of a body.
package struct WebRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let connection: any Channel

    package init(source: Source) {
        coreContext = .init(source: source)
        connection = source.channel
    }

    /// Resets the connection; unsent data is dropped.
    ///
    /// - SeeAlso: socket(7), SO_LINGER with a timeout of zero.
    func cut() {
        guard let socket = connection as? any SocketOptionProvider else { return connection.close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { [connection] _ in
            connection.close(promise: nil)
        }
    }

    /// Does `work`, and cancels it when the client sends nothing more, as when it has gone.
    ///
    /// - Parameters:
    ///   - connections: The server's connections.
    ///   - work: What is done for the client; the body of its request is read in it.
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws, `CancellationError`.
    func whileWaitedFor<Output: Sendable>(
        on connections: OpenConnections,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let task = Task { try await work() }
        let departure = connections.departure(from: connection)
        let watching = Task {
            await departure?.wait()
            if departure != nil { task.cancel() }
        }
        defer { watching.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// 10,000 words are some 100 KB; ten times the longest pasted book chapter is enough.
    package var maxUploadSize: Int { 4_000_000 }

    package var requestDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    package var responseEncoder: JSONEncoder { .page }
}

extension JSONEncoder {
    /// As the page reads it.
    static var page: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.inPage)
        }
        return encoder
    }
}

extension Date {
    /// The time as the page reads it.
    var inPage: String {
        formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)) + "Z"
    }
}
