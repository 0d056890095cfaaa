import EchoText
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// The most that is handed to the system at once, in bytes: nothing of it is left to break off.
    private static let sentAtOnce = 65_536

    /// The same answer, which stops when `end` has come; its connection is cut then, so that no client waits for what
    /// is neither read nor sent.
    func breakingOff(at end: Ending, cutting context: StudioContext) -> Response {
        if let length = body.contentLength, length <= Self.sentAtOnce { return self }
        let whole = body
        var response = self
        response.body = ResponseBody(contentLength: whole.contentLength) { writer in
            let writer = EndingWriter(writer: writer, end: end)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    await end.wait()
                    if end.hasCome { context.cut() }
                }
                try await whole.write(writer)
            }
        }
        return response
    }
}

/// Hands on what is written until an end comes.
private struct EndingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let end: Ending

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        guard !end.hasCome else { throw VaultError.locked }
        try await writer.write(buffer)
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}
