import EchoText
import Foundation
import LibraryStore

/// Age files in memory, as the tests make, change and open them.
enum AgeFiles {
    static let chunk = 65_536
    static let sealedChunk = chunk + 16
    /// The length of the header with one X25519 stanza, and of that with the nonce.
    static let header = 168
    static let start = header + 16

    /// The same bytes for the same count on every machine.
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
        try reader(of: file, [identity])
    }

    static func reader(of file: [UInt8], _ identities: [AgeIdentity]) throws -> AgeRangeReader {
        try AgeRangeReader(size: file.count, identities: identities) { place, buffer in
            guard place + buffer.count <= file.count else { throw AgeError.payload }
            file.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place..<(place + buffer.count)]))
            }
        }
    }

    /// All of it.
    static func open(_ file: [UInt8], _ identity: AgeIdentity) throws -> [UInt8] {
        let reader = try reader(of: file, identity)
        return try reader.read(0..<reader.length)
    }

    /// The returned bytes of a file, and the error with which it ends.
    static func opened(_ file: [UInt8], _ identities: [AgeIdentity]) -> (released: [UInt8], error: (any Error)?) {
        do {
            let reader = try reader(of: file, identities)
            return (try reader.read(0..<reader.length), nil)
        } catch {
            return ([], error)
        }
    }
}
