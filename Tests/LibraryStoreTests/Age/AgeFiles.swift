import EchoText
import Foundation
import LibraryStore

/// Age files in memory, as the tests make, change and open them.
enum AgeFiles {
    static let chunk = 65_536
    static let sealedChunk = chunk + 16
    /// Of a file with one X25519 stanza, and of that with its nonce.
    static let header = 168
    static let start = header + 16

    /// The same bytes for the same count everywhere.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
    }

    /// A letter of Base64 that is not `letter`.
    static func otherLetter(_ letter: UInt8) -> UInt8 {
        letter == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    }

    static func seal(_ bytes: [UInt8], for identity: AgeIdentity, pieces: Int = 100_000) throws -> [UInt8] {
        var file: [UInt8] = []
        let writer = try AgeWriter(for: [identity.recipient]) { file += $0 }
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try bytes[start..<min(bytes.count, start + pieces)].withUnsafeBytes { try writer.write($0) }
        }
        try writer.finish()
        return file
    }

    static func reader(of file: [UInt8], _ identity: AgeIdentity) throws -> AgeRangeReader {
        try AgeRangeReader(size: file.count, keys: .identities([identity])) { place, buffer in
            guard place + buffer.count <= file.count else { throw AgeError.payload }
            file.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<(place + buffer.count)]))
            }
        }
    }

    /// All of it, by the range reader.
    static func open(_ file: [UInt8], _ identity: AgeIdentity) throws -> [UInt8] {
        let reader = try reader(of: file, identity)
        return try reader.read(0..<reader.length)
    }

    /// What the stream reader gives out, and the error it ends with.
    ///
    /// - Parameters:
    ///   - file: An age file.
    ///   - keys: What is tried on it.
    ///   - pieces: The most bytes that come at once.
    /// - Returns: Both.
    static func stream(_ file: [UInt8], _ keys: AgeKeys, pieces: Int = .max) -> (released: [UInt8], error: (any Error)?)
    {
        var released: [UInt8] = []
        var place = 0
        do {
            let reader = try AgeStreamReader(keys: keys) { buffer in
                let count = min(buffer.count, file.count - place, pieces)
                file.withUnsafeBytes { file in
                    let part = UnsafeRawBufferPointer(rebasing: file[place..<(place + count)])
                    UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).copyMemory(from: part)
                }
                place += count
                return count
            }
            while let bytes = try reader.next() { released += bytes }
            return (released, nil)
        } catch {
            return (released, error)
        }
    }
}
