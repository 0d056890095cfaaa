import EchoText
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// The most bytes written to the system at once: they can no longer be stopped.
    private static let sentAtOnce = 65_536

    /// Returns a response that stops when `end` occurs; its connection is closed then, so that no client waits for the
    /// rest.
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

/// Passes writes on until an end occurs.
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
