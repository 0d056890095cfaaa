import AsyncAlgorithms
import EchoText
import Foundation
import Hummingbird

/// A file that is sent while it is written, and never stored.
struct StreamedFile: ExportFiles, TextSink {
    /// A slow receiver slows the writing down.
    typealias Pieces = AsyncThrowingChannel<ByteBuffer, any Error>

    private let pieces: Pieces

    init(to pieces: Pieces) {
        self.pieces = pieces
    }

    func text(at path: String) async throws -> any TextSink { self }

    func append(_ text: String) async throws { try await append(Data(text.utf8)) }

    func append(_ bytes: Data) async throws {
        try Task.checkCancellation()
        await pieces.send(ByteBuffer(bytes: bytes))
    }

    func finish() async throws { pieces.finish() }

    /// Sent bytes cannot be taken back; the download ends without its last part, so that the browser sees that it was cut short.
    func abandon() async {}

    // MARK: - What there is none of here

    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink { throw ExportError.folderNotUsable }

    func folder(at path: String) async throws { throw ExportError.folderNotUsable }

    func empty(_ path: String) async {}

    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        throw ExportError.folderNotUsable
    }
}
