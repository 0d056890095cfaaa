import CSodium
import Crypto
import EchoText
import Foundation

extension SecretBytes {
    /// HKDF with SHA-256 (RFC 5869), these bytes being the input keying material.
    func derive(_ info: String, salt: [UInt8], count: Int = 32) throws -> SecretBytes {
        try withUnsafeBytes { bytes in
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes),
                salt: salt,
                info: Data(info.utf8),
                outputByteCount: count
            )
            return key.withUnsafeBytes { SecretBytes(copying: $0) }
        }
    }

    /// HMAC with SHA-256, these bytes being the key.
    func authenticationCode(for message: some DataProtocol) throws -> [UInt8] {
        try withUnsafeBytes { Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: $0))) }
    }

    /// Whether `code` is ``authenticationCode(for:)`` of `message`, compared in constant time.
    func isValid(_ code: [UInt8], for message: some DataProtocol) throws -> Bool {
        try withUnsafeBytes { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: SymmetricKey(data: key))
        }
    }

    static let nonceCount = Int(crypto_aead_chacha20poly1305_IETF_NPUBBYTES)
    static let tagCount = Int(crypto_aead_chacha20poly1305_IETF_ABYTES)

    /// ChaCha20-Poly1305 (RFC 8439) under `key`: the ciphertext and the tag behind it.
    ///
    /// - Precondition: `key` has 32 bytes and has not sealed anything else with `nonce`.
    func sealed(under key: SecretBytes, nonce: [UInt8], binding context: [UInt8]) throws -> [UInt8] {
        precondition(key.count == 32 && nonce.count == Self.nonceCount, "a key has 32 bytes and a nonce 12")
        return try withUnsafeBytes { plain in
            try key.withUnsafeBytes { key in
                guard let bytes = plain.baseAddress, let key = key.baseAddress else { throw VaultError.locked }
                var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagCount)
                crypto_aead_chacha20poly1305_ietf_encrypt(
                    &sealed,
                    nil,
                    bytes.assumingMemoryBound(to: UInt8.self),
                    UInt64(plain.count),
                    context,
                    UInt64(context.count),
                    nil,
                    nonce,
                    key.assumingMemoryBound(to: UInt8.self)
                )
                return sealed
            }
        }
    }

    /// Decrypts the output of ``sealed(under:nonce:binding:)`` directly into secret memory; `nil` when it is not
    /// authentic.
    static func opened(
        _ sealed: [UInt8],
        under key: SecretBytes,
        nonce: [UInt8],
        binding context: [UInt8]
    ) throws -> SecretBytes? {
        struct Forged: Error {}
        guard sealed.count > tagCount, nonce.count == nonceCount, key.count == 32 else { return nil }
        do {
            return try key.withUnsafeBytes { key in
                guard let key = key.baseAddress else { throw VaultError.locked }
                return try SecretBytes(count: sealed.count - tagCount) { plain in
                    let status = crypto_aead_chacha20poly1305_ietf_decrypt(
                        plain.bindMemory(to: UInt8.self).baseAddress,
                        nil,
                        nil,
                        sealed,
                        UInt64(sealed.count),
                        context,
                        UInt64(context.count),
                        nonce,
                        key.assumingMemoryBound(to: UInt8.self)
                    )
                    guard status == 0 else { throw Forged() }
                }
            }
        } catch is Forged {
            return nil
        }
    }

    /// `count` bytes that are random but not secret: salts, nonces, names.
    static func randomBytes(_ count: Int) -> [UInt8] {
        precondition(sodium_init() >= 0, "libsodium cannot start: the system has no random numbers")
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            initialized = count
        }
    }
}
