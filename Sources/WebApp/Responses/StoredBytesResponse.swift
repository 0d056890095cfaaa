import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Stored bytes as a response: all of them, or one requested range.
///
/// - SeeAlso: RFC 9110 §14, Range Requests.
struct StoredBytesResponse {
    /// The bytes that are read and sent at once: a few sealed chunks.
    private static let piece = 262_144

    let bytes: any StoredSound
    let type: String
    let disposition: String?

    init(_ bytes: any StoredSound, type: String, disposition: String? = nil) {
        (self.bytes, self.type, self.disposition) = (bytes, type, disposition)
    }

    /// Reads the first requested bytes before the response begins, so that damage there is reported as an error.
    ///
    /// - Throws: ``VaultError/contentDamaged`` and other errors of reading. A range outside gets status 416.
    func response(to request: Request) async throws -> Response {
        var headers: HTTPFields = [.contentType: type, .acceptRanges: "bytes"]
        headers[.contentDisposition] = disposition
        let wanted = request.headers[.range].flatMap { ByteRange($0) }
        guard let wanted else { return Response(status: .ok, headers: headers, body: try await body(0..<bytes.length)) }
        guard let range = wanted.range(in: bytes.length) else {
            headers[.contentRange] = "bytes */\(bytes.length)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.length)"
        return Response(status: .partialContent, headers: headers, body: try await body(range))
    }

    private func body(_ range: Range<Int>) async throws -> ResponseBody {
        let bytes = bytes
        let first = range.isEmpty ? Data() : try await bytes.read(range.prefix(Self.piece))
        return ResponseBody(contentLength: range.count) { writer in
            try await writer.write(ByteBuffer(bytes: first))
            var position = range.lowerBound + first.count
            while position < range.upperBound {
                let end = min(range.upperBound, position + Self.piece)
                try await writer.write(ByteBuffer(bytes: try await bytes.read(position..<end)))
                position = end
            }
            try await writer.finish(nil)
        }
    }
}

/// A range of a `Range` field; the whole content is sent for several ranges, as the standard allows.
struct ByteRange: Equatable {
    private let first: Int?
    private let last: Int?

    init?(_ field: String) {
        guard field.prefix(6).lowercased() == "bytes=", !field.contains(",") else { return nil }
        let parts = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts.map { $0.trimmingPrefix(" ") }
        guard ends.allSatisfy({ $0.isEmpty || $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
        (first, last) = (Int(ends[0]), Int(ends[1]))
        // A number too large to parse must not be ignored: “5 to nowhere” is not “last 5”.
        guard zip(ends, [first, last]).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
        guard first != nil || last != nil else { return nil }
        if let first, let last, last < first { return nil }
    }

    /// - Parameter length: The length of the content, in bytes.
    /// - Returns: `nil` when it is empty.
    func range(in length: Int) -> Range<Int>? {
        if let first {
            guard first < length else { return nil }
            // Limited before adding one, which would overflow for the largest number.
            return first..<min(last ?? length - 1, length - 1) + 1
        }
        guard let last, last > 0, length > 0 else { return nil }
        return max(0, length - last)..<length
    }
}

extension Response {
    /// The most bytes written to the system at once: they can no longer be stopped.
    private static let sentAtOnce = 65_536

    /// Returns a response that stops when `end` occurs; its connection is closed then, so that no client waits for the
    /// rest.
    func breakingOff(at end: Latch, cutting context: WebRequestContext) -> Response {
        if let length = body.contentLength, length <= Self.sentAtOnce { return self }
        let whole = body
        var response = self
        response.body = ResponseBody(contentLength: whole.contentLength) { writer in
            let writer = EndingWriter(writer: writer, end: end)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    await end.wait()
                    if end.isSet { context.cut() }
                }
                try await whole.write(writer)
            }
        }
        return response
    }
}

extension Response {
    /// Returns a response that breaks off before a piece for which `check` throws; one whose length is known is sent as it is.
    func checkingPieces(_ check: @escaping @Sendable () async throws -> Void) -> Response {
        guard body.contentLength == nil else { return self }
        let whole = body
        var response = self
        response.body = ResponseBody { writer in
            try await whole.write(CheckingWriter(writer: writer, check: check))
        }
        return response
    }
}

/// Passes each piece on after a check.
private struct CheckingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let check: @Sendable () async throws -> Void

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        try await check()
        try await writer.write(buffer)
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}

/// Passes writes on until an end occurs.
private struct EndingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let end: Latch

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        guard !end.isSet else { throw VaultError.locked }
        try await writer.write(buffer)
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}

extension ByteBuffer {
    /// 16-bit samples, little-endian, as every machine is that Swift runs on.
    init(samples: [Int16]) { self = samples.withUnsafeBytes { ByteBuffer(bytes: $0) } }
}
