import Crypto
import Dispatch
import Foundation

/// Seals and opens the chunks of an age file: ChaCha20-Poly1305 with the chunk's number, and whether it is the last, as nonce.
///
/// - SeeAlso: “STREAM” in Hoang, Reyhanitabar, Rogaway and Vizár, *Online Authenticated-Encryption and its Nonce-Reuse
///   Misuse-Resistance*, 2015, as the age specification uses it.
struct AgeChunkCipher: Sendable {
    /// Bytes of all chunks but the last, which has 1 to as many; 0 only when it is the first too.
    static let plainSize = 65_536
    static let tagSize = 16
    static let sealedSize = plainSize + tagSize
    static let nonceSize = 16
    /// Chunks that are worked on at once, by all cores: 1 MiB.
    static let batch = 16

    private let key: SymmetricKey

    /// - Parameters:
    ///   - fileKey: 16 bytes.
    ///   - nonce: 16 bytes, new for each file.
    ///   - label: The purpose of the derived key.
    /// - Throws: ``VaultError/locked`` when the file key has been wiped.
    init(fileKey: SecretBytes, nonce: [UInt8], label: String = "payload") throws {
        key = try fileKey.withUnsafeBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes),
                salt: nonce,
                info: Array(label.utf8),
                outputByteCount: 32
            )
        }
    }

    /// Encrypts one chunk.
    ///
    /// - Parameters:
    ///   - plain: At most ``plainSize`` bytes.
    ///   - number: The number of the chunk, from 0.
    ///   - isLast: Whether it is the last chunk.
    ///   - sealed: ``tagSize`` bytes more than `plain`.
    func seal(_ plain: UnsafeRawBufferPointer, number: Int, isLast: Bool, into sealed: UnsafeMutableRawBufferPointer) {
        guard let nonce = Self.nonce(number: number, isLast: isLast),
            let box = try? ChaChaPoly.seal(plain, using: key, nonce: nonce)
        else { preconditionFailure("ChaCha20-Poly1305 refuses no chunk") }
        box.combined.withUnsafeBytes { sealed.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[12...])) }
    }

    /// Decrypts one chunk.
    ///
    /// - Parameters:
    ///   - sealed: At least ``tagSize`` bytes.
    ///   - number: The number of the chunk, from 0.
    ///   - isLast: Whether it is the last chunk.
    ///   - plain: ``tagSize`` bytes less than `sealed`; unchanged if the chunk is not authentic.
    /// - Returns: Whether it is authentic.
    func open(_ sealed: UnsafeRawBufferPointer, number: Int, isLast: Bool, into plain: UnsafeMutableRawBufferPointer)
        -> Bool
    {
        guard sealed.count >= Self.tagSize, let nonce = Self.nonce(number: number, isLast: isLast) else { return false }
        // Whole buffers, as their slices are copied byte by byte.
        let ciphertext = UnsafeRawBufferPointer(rebasing: sealed.dropLast(Self.tagSize))
        let tag = UnsafeRawBufferPointer(rebasing: sealed.suffix(Self.tagSize))
        guard let box = try? ChaChaPoly.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag),
            let opened = try? ChaChaPoly.open(box, using: key)
        else { return false }
        opened.withUnsafeBytes { plain.copyMemory(from: $0) }
        return true
    }

    /// Encrypts chunks in parallel.
    ///
    /// - Parameters:
    ///   - plain: The bytes of some chunks, all full but the last of them.
    ///   - first: The number of the first chunk.
    ///   - endsFile: Whether the last of them is the file's last.
    /// - Returns: The encrypted chunks in sequence.
    func seal(_ plain: UnsafeRawBufferPointer, from first: Int, endsFile: Bool) -> [UInt8] {
        let chunks = max(1, (plain.count + Self.plainSize - 1) / Self.plainSize)
        let size = plain.count + chunks * Self.tagSize
        return [UInt8](unsafeUninitializedCapacity: size) { sealed, count in
            let sealed = UnsafeMutableRawBufferPointer(sealed)
            Self.eachOf(chunks) { index in
                let taken = Self.slice(of: plain.count, index, Self.plainSize)
                let made = Self.slice(of: size, index, Self.sealedSize)
                let part = UnsafeRawBufferPointer(rebasing: plain[taken])
                let target = UnsafeMutableRawBufferPointer(rebasing: sealed[made])
                seal(part, number: first + index, isLast: endsFile && index == chunks - 1, into: target)
            }
            count = size
        }
    }

    /// Decrypts chunks in parallel.
    ///
    /// - Parameters:
    ///   - sealed: Some chunks, all full but the last of them.
    ///   - first: The number of the first chunk.
    ///   - endsFile: Whether the last of them is the file's last.
    /// - Returns: The plain text of the chunks before the first that is not authentic, and their number.
    func open(_ sealed: UnsafeRawBufferPointer, from first: Int, endsFile: Bool) -> (plain: [UInt8], chunks: Int) {
        let chunks = (sealed.count + Self.sealedSize - 1) / Self.sealedSize
        // The last of them may be too short even for its tag.
        let rest = sealed.count - max(0, chunks - 1) * Self.sealedSize
        let size = max(0, chunks - 1) * Self.plainSize + max(0, rest - Self.tagSize)
        var good = 0
        let plain = [UInt8](unsafeUninitializedCapacity: size) { plain, count in
            let plain = UnsafeMutableRawBufferPointer(plain)
            var isGood = [Bool](repeating: false, count: chunks)
            isGood.withUnsafeMutableBufferPointer { isGood in
                Self.eachOf(chunks) { index in
                    let taken = Self.slice(of: sealed.count, index, Self.sealedSize)
                    guard taken.count >= Self.tagSize else { return }
                    let part = UnsafeRawBufferPointer(rebasing: sealed[taken])
                    let start = index * Self.plainSize
                    let made = start..<(start + taken.count - Self.tagSize)
                    let target = UnsafeMutableRawBufferPointer(rebasing: plain[made])
                    let isLast = endsFile && index == chunks - 1
                    isGood[index] = open(part, number: first + index, isLast: isLast, into: target)
                }
            }
            good = isGood.firstIndex(of: false) ?? chunks
            count = min(size, good * Self.plainSize)
        }
        return (plain, good)
    }

    private static func slice(of count: Int, _ index: Int, _ size: Int) -> Range<Int> {
        (index * size)..<min(count, (index + 1) * size)
    }

    /// Calls `body` with 0 and all numbers up to `count`, on all cores when it is worth it.
    private static func eachOf(_ count: Int, _ body: (Int) -> Void) {
        if count < 4 {
            for index in 0..<count { body(index) }
        } else {
            withoutActuallyEscaping(body) { body in
                // Safe to share: call `index` accesses only `slice(of:_:_:)` of its own index, slices do not overlap,
                // everything else it reads is constant, and concurrentPerform returns after the last call has, so that
                // the buffers outlive all calls. The compiler cannot prove this for a closure over pointers.
                nonisolated(unsafe) let body = body
                DispatchQueue.concurrentPerform(iterations: count) { body($0) }
            }
        }
    }

    /// An eleven-byte big-endian counter, and a byte that marks the last chunk.
    private static func nonce(number: Int, isLast: Bool) -> ChaChaPoly.Nonce? {
        var bytes = [UInt8](repeating: 0, count: 12)
        withUnsafeBytes(of: UInt64(number).bigEndian) { bytes.replaceSubrange(3..<11, with: $0) }
        bytes[11] = isLast ? 1 : 0
        return try? ChaChaPoly.Nonce(data: bytes)
    }
}
