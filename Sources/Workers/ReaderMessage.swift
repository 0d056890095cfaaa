internal import EchoText
internal import Foundation

/// What the program asks of a reader's worker; the document's bytes follow it.
struct ReaderRequest: Codable, Hashable {
    enum Task: Codable, Hashable {
        /// Read the document without these pages.
        case read(leavingOut: [Int])
        /// Read it as plain text, which follows twice, so that the worker needs to hold no more than a piece of it.
        case readText
        /// Draw a page, or the cover.
        case draw(page: Int?, width: Int)
    }

    var task: Task
    /// How many bytes the document has.
    var length: Int
    var password: String?

    /// How often the document follows.
    var copies: Int { task == .readText ? 2 : 1 }
}

/// A document on its way to a worker.
enum OutgoingDocument: Sendable {
    case bytes(Data)
    case stored(any StoredBytes)

    /// In bytes.
    var length: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .stored(let bytes): bytes.length
        }
    }

    /// Sends it to a worker so often; what is kept is read piece by piece, as the worker takes it.
    ///
    /// - Throws: What reading throws.
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
    /// Most bytes of a piece of a document, or of what a reader makes of it.
    static let longestPiece = 256 << 10

    /// `bytes` in as many frames as they need, each handed to `take` encoded, until that wants no more.
    static func cut(_ bytes: UnsafeRawBufferPointer, as kind: Kind, while take: ([UInt8]) -> Bool) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(longestPiece))
            guard take(encoded(kind, request: 1, payload: piece)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    /// `bytes` in as many frames as they need, each handed to `take` encoded.
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
