import AsyncAlgorithms
import EchoText
import Foundation
import Hummingbird

/// A file that is sent while it is written, and never stored.
struct StreamedFile: ByteSink {
    /// A slow receiver slows the writing down.
    typealias Pieces = AsyncThrowingChannel<ByteBuffer, any Error>

    private let pieces: Pieces

    init(to pieces: Pieces) {
        self.pieces = pieces
    }

    func append(_ bytes: Data) async throws {
        try Task.checkCancellation()
        await pieces.send(ByteBuffer(bytes: bytes))
    }

    func finish() async throws { pieces.finish() }

    /// Sent bytes cannot be taken back; the download ends without its last part, so that the browser sees that it was cut short.
    func discard() async {}
}
