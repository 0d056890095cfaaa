package import EchoText
import Foundation

/// The secret that a person types to open the vault: a PIN of 4 to 6 digits, or a password.
///
/// The text is normalized to NFC, so that the same letters give the same bytes on every keyboard; nothing else is
/// changed or removed. Its UTF-8 is held in ``SecretBytes``.
package struct Passcode: Sendable {
    /// Its kind, which decides the slot that it opens.
    package enum Kind: Sendable { case pin, password }

    /// The longest that is looked at, in bytes; more is refused as a wrong passcode would be.
    static let limit = 1_024

    package let kind: Kind
    let bytes: SecretBytes

    /// - Throws: ``VaultError/weakPasscode(_:)`` for an empty passcode; only the vault knows whether it is right.
    package init(typed: String) throws {
        let text = typed.precomposedStringWithCanonicalMapping
        guard !text.isEmpty, text.utf8.count <= Self.limit else { throw VaultError.weakPasscode(.tooShort) }
        kind = PasscodeStrength.isPIN(text) ? .pin : .password
        bytes = SecretBytes(copying: Data(text.utf8))
    }

    /// Why it must not be chosen, or `nil` when it may.
    package func weakness() throws -> PasscodeWeakness? {
        try bytes.withUnsafeBytes { PasscodeStrength.weakness(of: String(decoding: $0, as: UTF8.self)) }
    }
}

extension Passcode: CustomStringConvertible, CustomReflectable {
    package var description: String { "Passcode" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
