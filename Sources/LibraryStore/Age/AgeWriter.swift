import Dispatch
import EchoText
package import Foundation

/// Seals what it is given, piece by piece, as one age file.
///
/// Holds some megabytes at most. What it has given out is a whole file only after ``finish()``; a file that was not
/// finished is refused by every reader.
package final class AgeWriter {
    /// Chunks that are sealed together, on all cores.
    private static let batch = 32

    private let key: SecretBytes
    private let output: (UnsafeRawBufferPointer) throws -> Void
    /// Plaintext that is not sealed yet; never empty once there was some, so that the last chunk is not empty.
    private var waiting: [UInt8] = []
    private var sealed: [UInt8]
    private var next = 0

    /// The header and the nonce, which stand before the contents.
    package let head: Data
    /// How long the header alone is, in bytes.
    package let headerLength: Int

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - identity: Whose file it is to be.
    ///   - output: Takes the file's bytes in order.
    /// - Throws: ``VaultError/locked`` when the identity has been wiped, and what `output` throws.
    package init(for identity: AgeIdentity, output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        let fileKey = SecretBytes(randomBytes: 16)
        let header = try AgeHeader.bytes(sealing: fileKey, for: identity)
        var random = SystemRandomNumberGenerator()
        let nonce = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        key = try AgeChunk.key(of: fileKey, nonce: nonce)
        head = header + nonce
        headerLength = header.count
        sealed = [UInt8](repeating: 0, count: Self.batch * AgeChunk.sealed)
        waiting.reserveCapacity((Self.batch + 1) * AgeChunk.plain)
        self.output = output
        try head.withUnsafeBytes(output)
    }

    /// - Throws: ``VaultError/locked`` when the key has been wiped, and what the output throws.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let room = Self.batch * AgeChunk.plain + 1 - waiting.count
            waiting.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest.prefix(room)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(room))
            if waiting.count > Self.batch * AgeChunk.plain { try seal(Self.batch) }
        }
    }

    /// Seals the rest.
    ///
    /// Call once, last.
    package func finish() throws {
        let whole = max(0, (waiting.count - 1) / AgeChunk.plain)
        if whole > 0 { try seal(whole) }
        let (rest, index) = (waiting, next)
        try key.withUnsafeBytes { key in
            rest.withUnsafeBytes { plain in
                sealed.withUnsafeMutableBytes { sealed in
                    guard let target = sealed.baseAddress else { return }
                    AgeChunk.seal(plain, into: target, index: index, isLast: true, key: key)
                }
            }
        }
        try sealed.withUnsafeBytes {
            try output(UnsafeRawBufferPointer(rebasing: $0.prefix(rest.count + AgeChunk.tag)))
        }
        waiting = []
    }

    /// Seals the first `count` chunks that wait.
    private func seal(_ count: Int) throws {
        let first = next
        try key.withUnsafeBytes { key in
            try waiting.withUnsafeBytes { plain in
                try sealed.withUnsafeMutableBytes { sealed in
                    Self.seal(count, from: first, plain, into: sealed, key: key)
                    try output(UnsafeRawBufferPointer(rebasing: sealed.prefix(count * AgeChunk.sealed)))
                }
            }
        }
        waiting.removeFirst(count * AgeChunk.plain)
        next += count
    }

    private static func seal(
        _ count: Int,
        from first: Int,
        _ plain: UnsafeRawBufferPointer,
        into sealed: UnsafeMutableRawBufferPointer,
        key: UnsafeRawBufferPointer
    ) {
        // Each chunk is its own stretch of both buffers, and none is used after the last chunk is done.
        nonisolated(unsafe) let (plain, sealed, key) = (plain, sealed, key)
        DispatchQueue.concurrentPerform(iterations: count) { chunk in
            let from = plain[chunk * AgeChunk.plain..<(chunk + 1) * AgeChunk.plain]
            guard let target = sealed.baseAddress?.advanced(by: chunk * AgeChunk.sealed) else { return }
            AgeChunk.seal(
                UnsafeRawBufferPointer(rebasing: from),
                into: target,
                index: first + chunk,
                isLast: false,
                key: key
            )
        }
    }
}
