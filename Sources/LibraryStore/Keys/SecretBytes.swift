import CSodium
import Crypto
import EchoText
package import Foundation
import Synchronization

/// Bytes that must not be swapped out, dumped or left in memory: keys and the secrets they are derived from.
///
/// They are in libsodium's secure memory: locked into RAM as far as the limit on locked memory allows, excluded from
/// core dumps, between guard pages, and overwritten when the last reference is released or ``wipe()`` is called.
/// Callers have to wipe copies that they make in ``withUnsafeBytes(_:)``.
package final class SecretBytes: Sendable {
    /// How many bytes there are, also after they have been wiped.
    package let count: Int
    private let memory: Mutex<Memory>

    /// Owns the allocation: cannot be copied, and `deinit` is the only release but for ``release()``.
    private struct Memory: ~Copyable, Sendable {
        /// The address, 0 once wiped.
        ///
        /// It is a number, because `Mutex` does not allow a pointer out of its closure.
        private(set) var address: UInt

        init(_ start: UnsafeMutableRawPointer) {
            address = UInt(bitPattern: start)
        }

        mutating func release() {
            if let start = UnsafeMutableRawPointer(bitPattern: address) { sodium_free(start) }
            address = 0
        }

        deinit {
            if let start = UnsafeMutableRawPointer(bitPattern: address) { sodium_free(start) }
        }
    }

    /// - Parameters:
    ///   - count: How many bytes, at least 1.
    ///   - fill: Writes all of them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        precondition(count > 0, "a secret has at least 1 byte, got \(count)")
        precondition(sodium_init() >= 0, "libsodium cannot start: the system has no random numbers")
        guard let start = sodium_malloc(count) else {
            preconditionFailure("no memory is left for \(count) secret bytes")
        }
        do {
            try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
        } catch {
            sodium_free(start)
            throw error
        }
        self.count = count
        memory = Mutex(Memory(start))
    }

    /// Bytes from the system's source of random numbers.
    package convenience init(randomBytes count: Int) {
        self.init(count: count) { Self.fillWithRandomNumbers($0) }
    }

    static func fillWithRandomNumbers(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        randombytes_buf(start, bytes.count)
    }

    /// Concatenates all of `parts`.
    convenience init(joining parts: [SecretBytes]) throws {
        try self.init(count: parts.reduce(0) { $0 + $1.count }) { destination in
            var offset = 0
            for part in parts {
                try part.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: destination[offset...]).copyMemory(from: bytes)
                }
                offset += part.count
            }
        }
    }

    /// A copy of some of the bytes.
    subscript(range: Range<Int>) -> SecretBytes {
        get throws {
            try withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    /// Whether the bytes are equal, compared in constant time.
    func isEqual(to other: SecretBytes) throws -> Bool {
        guard self !== other else { return true }
        return try withUnsafeBytes { one in
            try other.withUnsafeBytes { other in
                one.count == other.count && sodium_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
            }
        }
    }

    /// Copies `bytes`, at least one; the caller has to overwrite the original.
    package convenience init(copying bytes: some ContiguousBytes) {
        let count = bytes.withUnsafeBytes { $0.count }
        self.init(count: count) { destination in
            bytes.withUnsafeBytes { destination.copyMemory(from: $0) }
        }
    }

    /// Passes the bytes to `body`; the pointer must not escape.
    ///
    /// - Throws: ``VaultError/locked`` when they have been wiped, and what `body` throws.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try memory.withLock { memory in
            guard let start = UnsafeRawPointer(bitPattern: memory.address) else { throw VaultError.locked }
            return try body(UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    /// Overwrites the bytes for good; every later use throws ``VaultError/locked``.
    package func wipe() {
        memory.withLock { $0.release() }
    }
}

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

/// Bytes that are written as lower-case hexadecimal digits, and read only so.
package struct HexBytes: Sendable, Hashable, Codable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Fails for anything but pairs of the digits 0 to 9 and a to f.
    package init?(text: String) {
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        let digits = text.utf8.map(value)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = HexBytes(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Reads numbers and fields off the front of a file's bytes; all numbers are big-endian.
struct BytesReader {
    private var rest: UnsafeRawBufferPointer.SubSequence

    /// The bytes ended where more were expected.
    struct Ended: Error {}

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count >= 0, rest.count >= count else { throw Ended() }
        defer { rest = rest.dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }

    mutating func bytes(_ count: Int) throws -> [UInt8] { Array(try take(count)) }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws -> Value {
        try take(MemoryLayout<Value>.size).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}

extension FixedWidthInteger {
    /// Most significant byte first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
