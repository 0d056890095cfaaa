import Crypto
import Foundation

/// The head of an age file: for whom it is sealed, and a proof that nobody changed that.
///
/// - SeeAlso: C2SP, age.md, “Header”.
struct AgeHeader {
    /// One way to the file's key.
    struct Stanza: Equatable {
        /// The kind first.
        let arguments: [String]
        let body: Data
    }

    /// Most bytes that are read in search of the header's end.
    static let longest = 1 << 20
    private static let version = "age-encryption.org/v1"

    let stanzas: [Stanza]
    /// All that is authenticated: up to the three dashes.
    private let authenticated: Data
    private let code: Data
    /// The whole header's length, its last line end included.
    let length: Int

    // MARK: - Writing

    /// A header with one X25519 stanza, 168 bytes long.
    ///
    /// - Throws: ``VaultError/locked`` when the identity has been wiped.
    static func bytes(sealing fileKey: SecretBytes, for identity: AgeIdentity) throws -> Data {
        let ephemeral = Curve25519.KeyAgreement.PrivateKey()
        let share = ephemeral.publicKey.rawRepresentation
        let recipient = try identity.publicKey()
        let wrapping = try wrappingKey(
            ephemeral.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: recipient)),
            share: share,
            recipient: recipient
        )
        let wrapped = try fileKey.withUnsafeBytes { try ChaChaPoly.seal($0, using: wrapping, nonce: zeroNonce()) }
        let body = base64(wrapped.ciphertext + wrapped.tag)
        let head = Data("\(version)\n-> X25519 \(base64(share))\n\(body)\n---".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: head, using: try authenticationKey(of: fileKey))
        return head + Data(" \(base64(Data(code)))\n".utf8)
    }

    // MARK: - Reading

    /// Reads a header from the beginning of `bytes`.
    ///
    /// - Throws: ``AgeFailure/header``.
    init(parsing bytes: Data) throws(AgeFailure) {
        var rest = bytes[...]
        guard try Self.line(&rest) == Self.version else { throw .header }
        var stanzas: [Stanza] = []
        while true {
            let start = rest.startIndex
            let line = try Self.line(&rest)
            if line.hasPrefix("-> ") {
                stanzas.append(try Self.stanza(line.dropFirst(3), &rest))
            } else if line.hasPrefix("--- "), !stanzas.isEmpty {
                guard let code = Self.decoded(line.dropFirst(4)), code.count == 32 else { throw .header }
                self.stanzas = stanzas
                self.code = code
                authenticated = Data(bytes[bytes.startIndex..<start + 3])
                length = rest.startIndex - bytes.startIndex
                return
            } else {
                throw .header
            }
        }
    }

    /// The file's key, by the first of `identities` it is sealed for.
    ///
    /// - Throws: ``AgeFailure``; ``VaultError/locked`` when the identities have been wiped.
    func fileKey(for identities: [AgeIdentity]) throws -> SecretBytes {
        let isForPassphrase = stanzas.contains { $0.arguments[0] == "scrypt" }
        if isForPassphrase { throw stanzas.count == 1 ? AgeFailure.unsupported : AgeFailure.header }
        let wrapped = try stanzas.compactMap { try Self.x25519($0) }
        for identity in identities {
            for (share, body) in wrapped {
                guard let key = try Self.unwrap(body, share: share, by: identity) else { continue }
                let isGenuine = HMAC<SHA256>.isValidAuthenticationCode(
                    code,
                    authenticating: authenticated,
                    using: try Self.authenticationKey(of: key)
                )
                guard isGenuine else { throw AgeFailure.headerAuthentication }
                return key
            }
        }
        throw AgeFailure.noMatch
    }

    /// - Returns: `nil` for another kind of stanza.
    private static func x25519(_ stanza: Stanza) throws(AgeFailure) -> (share: Data, body: Data)? {
        guard stanza.arguments[0] == "X25519" else { return nil }
        guard stanza.arguments.count == 2, let share = decoded(stanza.arguments[1][...]), share.count == 32,
            stanza.body.count == 32
        else { throw .header }
        return (share, stanza.body)
    }

    /// - Returns: `nil` when it is sealed for another.
    private static func unwrap(_ body: Data, share: Data, by identity: AgeIdentity) throws -> SecretBytes? {
        let key = try identity.privateKey()
        let wrapping: SymmetricKey
        do {
            // A share of low order gives a secret of zeros, which is refused.
            let secret = try key.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: share))
            guard secret.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw AgeFailure.header }
            wrapping = wrappingKey(secret, share: share, recipient: key.publicKey.rawRepresentation)
        } catch {
            throw AgeFailure.header
        }
        guard
            let box = try? ChaChaPoly.SealedBox(nonce: zeroNonce(), ciphertext: body.prefix(16), tag: body.suffix(16)),
            let opened = try? ChaChaPoly.open(box, using: wrapping)
        else { return nil }  // a key for another does not open it, and says no more than that
        return SecretBytes(copying: opened)
    }

    // MARK: - Keys

    private static func wrappingKey(_ secret: SharedSecret, share: Data, recipient: Data) -> SymmetricKey {
        secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: share + recipient,
            sharedInfo: Data("age-encryption.org/v1/X25519".utf8),
            outputByteCount: 32
        )
    }

    private static func authenticationKey(of fileKey: SecretBytes) throws -> SymmetricKey {
        try fileKey.withUnsafeBytes {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: $0),
                info: Data("header".utf8),
                outputByteCount: 32
            )
        }
    }

    /// Each wrapping key is used once.
    private static func zeroNonce() throws -> ChaChaPoly.Nonce { try ChaChaPoly.Nonce(data: Data(count: 12)) }

    // MARK: - Text

    private static func line(_ rest: inout Data.SubSequence) throws(AgeFailure) -> String {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw .header }
        let line = rest[rest.startIndex..<end]
        guard line.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .header }
        rest = rest[(end + 1)...]
        return String(decoding: line, as: UTF8.self)
    }

    private static func stanza(_ head: Substring, _ rest: inout Data.SubSequence) throws(AgeFailure) -> Stanza {
        let arguments = head.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard arguments.allSatisfy({ !$0.isEmpty }) else { throw .header }
        let fullLine = 64
        var body = Data()
        while true {
            let line = try line(&rest)
            guard line.utf8.count <= fullLine, let bytes = decoded(line[...]) else { throw .header }
            body += bytes
            if line.utf8.count < fullLine { return Stanza(arguments: arguments, body: body) }
        }
    }

    private static func base64(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("=", with: "")
    }

    /// Base64 without padding, and only the one way to write each value.
    private static func decoded(_ text: Substring) -> Data? {
        guard !text.contains("="), text.utf8.count % 4 != 1 else { return nil }
        let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: String(padded)), base64(bytes) == text else { return nil }
        return bytes
    }
}
