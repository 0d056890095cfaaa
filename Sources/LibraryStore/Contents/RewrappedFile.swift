import EchoText
import Foundation

/// An encrypted file under another header: the same file key for another recipient, and the same encrypted bytes.
struct RewrappedFile {
    private static let piece = 1 << 20

    /// The bytes of the new header.
    let header: [UInt8]
    private let source: ContentFile
    private let size: Int
    /// The end of the header in the source.
    private let start: Int

    init(_ source: ContentFile, size: Int, identities: [AgeIdentity], recipient: AgeRecipient) throws {
        var place = 0
        var input = AgeHeaderInput { buffer in
            let count = min(buffer.count, size - place)
            try source.read(at: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            place += count
            return count
        }
        do {
            let old = try AgeHeader { try input.nextLine() }
            let fileKey = try identities.fileKey(from: old)
            header = try AgeHeader(stanzas: [recipient.stanza(wrapping: fileKey)], fileKey: fileKey).bytes
            start = old.bytes.count
        } catch is AgeError {
            throw VaultError.contentDamaged
        }
        (self.source, self.size) = (source, size)
    }

    /// - Returns: The new file's size in bytes.
    func write(as id: ContentID, into bucket: ContentFolder) throws -> Int {
        let name = id.text + ContentName.sealing
        let file = try bucket.create(name)
        do {
            try header.withUnsafeBytes { try file.write($0) }
            for place in stride(from: start, to: size, by: Self.piece) {
                var buffer = [UInt8](repeating: 0, count: min(Self.piece, size - place))
                try buffer.withUnsafeMutableBytes { try source.read(at: place, into: $0) }
                try buffer.withUnsafeBytes { try file.write($0) }
            }
            try file.forgetTimes()
            try file.sync()
            try bucket.rename(name, to: id.text)
            try bucket.sync()
        } catch {
            _ = try? bucket.remove(name)  // The first error is the one to report; the sweep removes the file.
            throw error
        }
        return header.count + size - start
    }
}
