import CSodium
import Crypto
import Foundation

/// The chunks that the contents of an age file are sealed in.
///
/// - SeeAlso: C2SP, age.md, “Payload”: the STREAM construction with ChaCha20-Poly1305.
enum AgeChunk {
    /// Bytes of plaintext of every chunk but the last, which has fewer or as many.
    static let plain = 64 * 1_024
    static let tag = 16
    static let sealed = plain + tag

    /// The key of the contents.
    ///
    /// - Throws: ``VaultError/locked`` when the file's key has been wiped.
    static func key(of fileKey: SecretBytes, nonce: Data) throws -> SecretBytes {
        let derived = try fileKey.withUnsafeBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0),
                salt: nonce,
                info: Data("payload".utf8),
                outputByteCount: 32
            )
        }
        return SecretBytes(copying: derived)
    }

    /// Seals chunk `index`: `sealed` has room for 16 bytes more than `plain` has.
    static func seal(
        _ plain: UnsafeRawBufferPointer,
        into sealed: UnsafeMutableRawPointer,
        index: Int,
        isLast: Bool,
        key: UnsafeRawBufferPointer
    ) {
        guard let key = key.baseAddress else { preconditionFailure("a key has bytes") }
        var nonce = nonce(index, isLast)
        let status = crypto_aead_chacha20poly1305_ietf_encrypt(
            sealed.assumingMemoryBound(to: UInt8.self),
            nil,
            plain.baseAddress?.assumingMemoryBound(to: UInt8.self),
            UInt64(plain.count),
            nil,
            0,
            nil,
            &nonce,
            key.assumingMemoryBound(to: UInt8.self)
        )
        precondition(status == 0, "ChaCha20-Poly1305 seals whatever it is given")
    }

    /// Opens chunk `index` into `plain`, which has room for 16 bytes fewer; nothing is to be read there when it fails.
    static func open(
        _ sealed: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawPointer,
        index: Int,
        isLast: Bool,
        key: UnsafeRawBufferPointer
    ) -> Bool {
        guard let source = sealed.baseAddress, let key = key.baseAddress else { return false }
        var nonce = nonce(index, isLast)
        return crypto_aead_chacha20poly1305_ietf_decrypt(
            plain.assumingMemoryBound(to: UInt8.self),
            nil,
            nil,
            source.assumingMemoryBound(to: UInt8.self),
            UInt64(sealed.count),
            nil,
            0,
            &nonce,
            key.assumingMemoryBound(to: UInt8.self)
        ) == 0
    }

    /// 11 bytes that count the chunks, the most significant first, and one that marks the last.
    private static func nonce(_ index: Int, _ isLast: Bool) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 12)
        for place in 0..<8 { nonce[10 - place] = UInt8(truncatingIfNeeded: index >> (8 * place)) }
        nonce[11] = isLast ? 1 : 0
        return nonce
    }
}
