import Crypto
import Foundation

/// A key of age: opens what was sealed for it, and says for whom to seal.
///
/// - SeeAlso: C2SP, age.md, “The X25519 recipient type”.
package struct AgeIdentity: Sendable {
    private static let prefix = "age-secret-key-"

    /// 32 bytes.
    package let scalar: SecretBytes

    /// A new one.
    package init() {
        scalar = SecretBytes(randomBytes: 32)
    }

    /// - Precondition: `scalar` has 32 bytes.
    package init(scalar: SecretBytes) {
        precondition(scalar.count == 32, "an X25519 key has 32 bytes, got \(scalar.count)")
        self.scalar = scalar
    }

    /// Reads what ``exported()`` writes; `nil` for anything else.
    package init?(_ text: String) {
        guard var bytes = Bech32.decode(prefix: Self.prefix, text), bytes.count == 32 else { return nil }
        scalar = SecretBytes(copying: bytes)
        for index in bytes.indices { bytes[index] = 0 }
    }

    /// The identity as the `age` program reads it: `AGE-SECRET-KEY-1…`.
    ///
    /// - Throws: ``VaultError/locked`` when it has been wiped.
    package func exported() throws -> String {
        try scalar.withUnsafeBytes { Bech32.encode(prefix: Self.prefix, $0).uppercased() }
    }

    /// For whom to seal: `age1…`.
    ///
    /// EchoText never writes it down: who knows it can add files that look like ours.
    package func recipient() throws -> String {
        Bech32.encode(prefix: "age", try publicKey())
    }

    func publicKey() throws -> Data { try privateKey().publicKey.rawRepresentation }

    func privateKey() throws -> Curve25519.KeyAgreement.PrivateKey {
        try scalar.withUnsafeBytes { try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Data($0)) }
    }
}
