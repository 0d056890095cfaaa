internal import EchoText
internal import Foundation

/// A request to a reader's worker; the document's bytes follow it.
struct ReaderRequest: Codable, Hashable {
    enum Task: Codable, Hashable {
        /// Read the document without these pages.
        case read(leavingOut: [Int])
        /// Read the document as plain text, which is sent twice, so that the worker holds no more than a piece of it.
        case readText
        /// Detect the encoding of a plain text and decode it, without other changes.
        case decode
        /// Draw a page, or the cover.
        case draw(page: Int?, width: Int)
    }

    var task: Task
    /// The size of the document, in bytes.
    var length: Int
    var password: String?

    /// How often the document is sent.
    var copies: Int { task == .readText ? 2 : 1 }
}

/// A document to be sent to a worker.
enum OutgoingDocument: Sendable {
    case bytes(Data)
    case stored(any StoredBytes)

    /// The size, in bytes.
    var length: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .stored(let bytes): bytes.length
        }
    }

    /// Sends the document to a worker `copies` times; a stored document is read in pieces, as the worker consumes them.
    ///
    /// - Throws: The error of a failed read.
    func send(to process: WorkerProcess, copies: Int) async throws {
        switch self {
        case .bytes(let bytes): process.send(document: bytes, copies: copies)
        case .stored(let bytes):
            for _ in 0..<copies {
                for start in stride(from: 0, to: bytes.length, by: Frame.longestPiece) {
                    let end = min(start + Frame.longestPiece, bytes.length)
                    let piece = Array(try await bytes.read(start..<end))
                    guard await process.take(Frame(.piece, request: 1, payload: piece).encoded) else { return }
                }
            }
        }
    }
}

extension Frame {
    /// The limit on a piece of a document or of its text, in bytes.
    static let longestPiece = 256 << 10

    /// Splits `bytes` into frames and passes each, encoded, to `take` until that returns `false`.
    static func cut(_ bytes: UnsafeRawBufferPointer, as kind: Kind, while take: ([UInt8]) -> Bool) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(longestPiece))
            guard take(encoded(kind, request: 1, payload: piece)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    /// Splits `bytes` into frames and passes each, encoded, to `take`.
    static func cut(_ bytes: UnsafeRawBufferPointer, as kind: Kind, _ take: ([UInt8]) -> Void) {
        _ = cut(
            bytes,
            as: kind,
            while: { piece in
                take(piece)
                return true
            }
        )
    }
}
