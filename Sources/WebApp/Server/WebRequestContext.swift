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
        let watching = watch(connections) { task.cancel() }
        defer { watching.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Does `action` once the client sends nothing more, as when it has gone.
    ///
    /// - Parameters:
    ///   - connections: The server's connections.
    ///   - action: What is done then.
    /// - Returns: The wait, which does nothing once it is cancelled.
    func watch(_ connections: OpenConnections, _ action: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let departure = connections.departure(from: connection)
        return Task {
            await departure?.wait()
            if departure?.isSet == true { action() }
        }
    }

    /// 10,000 words are some 100 KB; ten times the longest pasted book chapter is enough.
    package var maxUploadSize: Int { 4_000_000 }

    package var requestDecoder: PageDecoder { PageDecoder() }

    package var responseEncoder: JSONEncoder { .page }
}

/// Reads JSON as the page writes it.
///
/// Half of a character beyond U+FFFF, left where something has cut a text, has an escape in JSON and no place in a
/// string. U+FFFD, as long in UTF-16, stands for it, so that the text around it is not refused.
package struct PageDecoder: RequestDecoder {
    package func decode<T: Decodable>(
        _ type: T.Type,
        from request: Request,
        context: some RequestContext
    ) async throws -> T {
        let body = Data(try await request.body.collect(upTo: context.maxUploadSize).readableBytesView)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            return try decoder.decode(type, from: body)
        } catch let error as DecodingError {
            guard let whole = Self.withoutHalves([UInt8](body)) else { throw error }
            return try decoder.decode(type, from: whole)
        }
    }

    /// - Returns: `nil` if there is no escape of half a character.
    static func withoutHalves(_ json: [UInt8]) -> Data? {
        var whole = json
        var hasHalves = false
        var place = 0
        while let escape = json[place...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = Self.unit(at: escape, in: json) else {
                place = min(escape + 2, json.count)
                continue
            }
            place = escape + escapeLength
            guard UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit) else { continue }
            if UTF16.isLeadSurrogate(unit), let next = Self.unit(at: place, in: json), UTF16.isTrailSurrogate(next) {
                place += escapeLength
            } else {
                whole.replaceSubrange(escape + 2..<place, with: "fffd".utf8)
                hasHalves = true
            }
        }
        return hasHalves ? Data(whole) : nil
    }

    /// The bytes of an escape such as `\ud83d`.
    private static let escapeLength = 6

    /// The UTF-16 unit that the escape at `place` stands for; `nil` where there is none.
    private static func unit(at place: Int, in json: [UInt8]) -> UInt16? {
        let escape = json.dropFirst(place).prefix(escapeLength)
        guard escape.count == escapeLength, escape.starts(with: "\\u".utf8) else { return nil }
        return UInt16(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16)
    }
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
