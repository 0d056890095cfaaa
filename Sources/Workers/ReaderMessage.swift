internal import EchoText
internal import Foundation

/// What the program asks of a reader's worker; the document's bytes follow it.
struct ReaderRequest: Codable, Hashable {
    enum Task: Codable, Hashable {
        /// Read the document without these pages.
        case read(leavingOut: [Int])
        /// Draw a page, or the cover.
        case draw(page: Int?, width: Int)
    }

    var task: Task
    /// How many bytes the document has.
    var length: Int
    var password: String?

    var frame: [UInt8] {
        get throws {
            let payload = try JSONEncoder().encode(self)
            guard payload.count <= Frame.Kind.ask.longestPayload else { throw DocumentError.encrypted(wrong: true) }
            return Frame(.ask, request: 1, payload: Array(payload)).encoded
        }
    }
}

extension Frame {
    /// Most bytes of a piece of a document, or of what a reader makes of it.
    static let longestPiece = 1 << 20

    /// `bytes` in as many frames as they need, each handed to `take` encoded.
    static func cut(_ bytes: UnsafeRawBufferPointer, as kind: Kind, _ take: ([UInt8]) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(longestPiece))
            take(encoded(kind, request: 1, payload: piece))
            rest = rest.dropFirst(piece.count)
        }
    }
}
