import EchoText
import Foundation

/// Every key of an open vault; what a locked one has lost.
package final class VaultKeys: Sendable {
    /// The vault's name: 16 random bytes that never change and are no secret.
    package let vaultID: HexBytes
    /// One for each epoch, newest first.
    package let ageIdentities: [SecretBytes]
    /// One for each epoch, newest first: the database was written with the first, unless a rotation is still to be finished.
    package let databaseKeys: [SecretBytes]
    /// Whether this machine has seen a newer list of slots than the one that was opened: the library may be an older copy.
    package let isOlderThanSeen: Bool
    /// The vault's secret, from which all else is derived or opened; to be lent to processes of the same person only.
    package let secret: SecretBytes

    init(secret: SecretBytes, keyring: Keyring, vault: HexBytes, isOlderThanSeen: Bool) {
        self.secret = secret
        self.isOlderThanSeen = isOlderThanSeen
        vaultID = vault
        ageIdentities = keyring.epochs.reversed().map(\.ageIdentity)
        databaseKeys = keyring.epochs.reversed().map(\.databaseKey)
    }

    package var databaseKey: SecretBytes { databaseKeys[0] }

    /// A key of 32 bytes for one use, always the same for the same vault and name; rotation does not change it.
    ///
    /// - Throws: ``VaultError/locked`` after ``wipe()``.
    package func purposeKey(_ purpose: String) throws -> SecretBytes {
        try secret.derive("echotext/purpose/\(purpose)", salt: vaultID.bytes)
    }

    /// Overwrites all of them; every later use throws ``VaultError/locked``.
    package func wipe() {
        for key in ageIdentities + databaseKeys + [secret] { key.wipe() }
    }
}
