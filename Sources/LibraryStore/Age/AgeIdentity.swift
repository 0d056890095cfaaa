import Crypto
import EchoText
import Foundation

/// A recipient of age files: a public X25519 key.
package struct AgeRecipient: Sendable, Hashable {
    static let type = "X25519"
    private static let prefix = "age"
    fileprivate static let label = Array("age-encryption.org/v1/X25519".utf8)

    /// 32 bytes.
    let key: [UInt8]

    init(key: [UInt8]) {
        self.key = key
    }

    /// - Throws: ``AgeError/badIdentity`` when `text` is no `age1…`.
    package init(_ text: String) throws {
        guard let key = Bech32.decode(text, prefix: Self.prefix), key.count == 32, text == text.lowercased() else {
            throw AgeError.badIdentity
        }
        self.key = key
    }

    /// `age1…`.
    ///
    /// The library's own recipient must not be written anywhere: with it, anyone can seal files for the library.
    package var text: String { Bech32.encode(key, prefix: Self.prefix) }

    func stanza(wrapping fileKey: SecretBytes) throws -> AgeStanza {
        let ephemeral = Curve25519.KeyAgreement.PrivateKey()
        let share = Array(ephemeral.publicKey.rawRepresentation)
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: key),
            let secret = try? ephemeral.sharedSecretFromKeyAgreement(with: key)
        else { throw AgeError.badIdentity }
        let wrapping = AgeKeyWrap(key: secret.hkdf(share: share, recipient: self.key))
        return AgeStanza(
            type: Self.type,
            arguments: [CanonicalBase64.encode(share)],
            body: try wrapping.seal(fileKey)
        )
    }
}

/// A private X25519 key, which decrypts what is encrypted to its recipient.
package struct AgeIdentity: Sendable {
    private static let prefix = "age-secret-key-"

    private let scalar: SecretBytes
    package let recipient: AgeRecipient

    /// - Parameter scalar: 32 bytes, which may be random.
    /// - Throws: ``VaultError/locked`` when they have been wiped.
    package init(scalar: SecretBytes) throws {
        precondition(scalar.count == 32, "an X25519 key has 32 bytes, got \(scalar.count)")
        self.scalar = scalar
        recipient = try scalar.withUnsafeBytes { bytes in
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            return AgeRecipient(key: Array(key.publicKey.rawRepresentation))
        }
    }

    /// Makes a new identity.
    package init() throws {
        try self.init(scalar: SecretBytes(randomBytes: 32))
    }

    /// - Throws: ``AgeError/badIdentity`` when `text` is no `AGE-SECRET-KEY-1…`.
    package init(_ text: String) throws {
        guard text == text.uppercased(), let bytes = Bech32.decode(text, prefix: Self.prefix), bytes.count == 32 else {
            throw AgeError.badIdentity
        }
        try self.init(scalar: SecretBytes(copying: bytes))
    }

    /// `AGE-SECRET-KEY-1…`, for a person to keep: it opens everything sealed for the recipient, without a passcode.
    package func exported() throws -> String {
        try scalar.withUnsafeBytes { Bech32.encode($0, prefix: Self.prefix).uppercased() }
    }

    /// Unwraps the file key.
    ///
    /// - Parameter stanza: A stanza of any type.
    /// - Returns: `nil` when the stanza is for another recipient.
    /// - Throws: ``AgeError/header`` when it violates the format; ``VaultError/locked``.
    func fileKey(from stanza: AgeStanza) throws -> SecretBytes? {
        guard stanza.type == AgeRecipient.type else { return nil }
        guard stanza.arguments.count == 1,
            let share = CanonicalBase64.decode(Array(stanza.arguments[0].utf8)), share.count == 32,
            stanza.body.count == AgeKeyWrap.size,
            let point = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: share)
        else { throw AgeError.header }
        let key = try scalar.withUnsafeBytes { bytes in
            let own = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            // Fails for a point of low order, whose shared secret is public.
            guard let secret = try? own.sharedSecretFromKeyAgreement(with: point),
                secret.withUnsafeBytes({ $0.contains { $0 != 0 } })
            else { throw AgeError.header }
            return secret.hkdf(share: share, recipient: recipient.key)
        }
        return AgeKeyWrap(key: key).open(stanza.body)
    }
}

extension SharedSecret {
    fileprivate func hkdf(share: [UInt8], recipient: [UInt8]) -> SymmetricKey {
        hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: share + recipient,
            sharedInfo: AgeRecipient.label,
            outputByteCount: 32
        )
    }
}

extension [AgeIdentity] {
    /// The stanza of age's passphrases and of its post-quantum recipients, neither of which is supported here.
    private static var passphraseType: String { "scrypt" }
    private static var hybridType: String { "mlkem768x25519" }

    /// Finds the file key by trying each identity, and verifies the header with it.
    ///
    /// - Throws: ``AgeError``, or ``VaultError/locked``.
    func fileKey(from header: AgeHeader) throws -> SecretBytes {
        let hasPassphrase = header.stanzas.contains { $0.type == Self.passphraseType }
        guard !hasPassphrase || header.stanzas.count == 1 else { throw AgeError.header }
        for identity in self {
            for stanza in header.stanzas {
                guard let key = try identity.fileKey(from: stanza) else { continue }
                try header.verify(fileKey: key)
                return key
            }
        }
        let isHybrid = header.stanzas.contains { $0.type == Self.hybridType }
        throw isHybrid ? AgeError.unsupported : AgeError.noMatch
    }
}

/// Seals a file key with a key that is used only once, which is why its nonce may be all zeros.
struct AgeKeyWrap {
    /// Bytes of a wrapped file key: the key and its tag.
    static let size = AgeHeader.fileKeySize + 16

    private static let nonce = Data(count: 12)
    let key: SymmetricKey

    func seal(_ fileKey: SecretBytes) throws -> [UInt8] {
        try fileKey.withUnsafeBytes { bytes in
            let box = try ChaChaPoly.seal(bytes, using: key, nonce: ChaChaPoly.Nonce(data: Self.nonce))
            return Array(box.ciphertext + box.tag)
        }
    }

    /// - Parameter wrapped: ``size`` bytes.
    /// - Returns: `nil` when it was encrypted with another key.
    func open(_ wrapped: [UInt8]) -> SecretBytes? {
        guard wrapped.count == Self.size, let box = try? ChaChaPoly.SealedBox(combined: Self.nonce + wrapped),
            let opened = try? ChaChaPoly.open(box, using: key)
        else { return nil }
        return SecretBytes(copying: opened)
    }
}

/// Text for short keys, with a check that finds any misspelling of up to four letters: BIP 173, without its limit on length.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let checkLetters = 6

    /// - Parameters:
    ///   - bytes: The bytes to encode.
    ///   - prefix: The kind of key, in lower case.
    /// - Returns: The text in lower case.
    static func encode(_ bytes: some Collection<UInt8>, prefix: String) -> String {
        var values = regroup(bytes, from: 8, to: 5, isPadded: true) ?? []
        let check = checksum(expand(prefix) + values + [UInt8](repeating: 0, count: checkLetters)) ^ 1
        values += (0..<checkLetters).map { UInt8(truncatingIfNeeded: check >> (5 * UInt32(5 - $0))) & 31 }
        return prefix + "1" + String(decoding: values.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// - Parameters:
    ///   - text: All in lower case or all in upper case.
    ///   - prefix: The required prefix of `text`, in lower case.
    /// - Returns: `nil` when `text` is invalid or of another kind.
    static func decode(_ text: String, prefix: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ (33...126).contains($0) }) else { return nil }
        let lower = text.lowercased()
        guard text == lower || text == text.uppercased() else { return nil }
        guard let one = lower.utf8.lastIndex(of: UInt8(ascii: "1")), lower[..<one] == prefix else { return nil }
        var values: [UInt8] = []
        for letter in lower.utf8[lower.utf8.index(after: one)...] {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            values.append(UInt8(value))
        }
        guard values.count >= checkLetters, checksum(expand(prefix) + values) == 1 else { return nil }
        return regroup(values.dropLast(checkLetters), from: 5, to: 8, isPadded: false)
    }

    private static func expand(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    /// The remainder of BIP 173's generator polynomial.
    private static func checksum(_ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        return values.reduce(into: 1) { check, value in
            let top = check >> 25
            check = (check & 0x1ff_ffff) << 5 ^ UInt32(value)
            for bit in 0..<5 where (top >> UInt32(bit)) & 1 == 1 { check ^= generator[bit] }
        }
    }

    /// Regroups bits; returns `nil` when padding bits are not zero.
    private static func regroup(_ groups: some Collection<UInt8>, from: Int, to: Int, isPadded: Bool) -> [UInt8]? {
        var held: UInt32 = 0
        var count = 0
        var made: [UInt8] = []
        for group in groups {
            held = held << UInt32(from) | UInt32(group)
            count += from
            while count >= to {
                count -= to
                made.append(UInt8(truncatingIfNeeded: held >> UInt32(count)) & UInt8(truncatingIfNeeded: (1 << to) - 1))
            }
            held &= (1 << UInt32(count)) - 1
        }
        if isPadded {
            if count > 0 { made.append(UInt8(truncatingIfNeeded: held << UInt32(to - count))) }
            return made
        }
        return count < from && held == 0 ? made : nil
    }
}
