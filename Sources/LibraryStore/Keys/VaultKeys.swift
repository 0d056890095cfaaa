import EchoText
import Foundation

/// All keys of an open vault.
package final class VaultKeys: Sendable {
    /// The vault's name: 16 random bytes that never change and are no secret.
    package let vaultID: HexBytes
    /// One identity for each epoch, newest first.
    package let ageIdentities: [SecretBytes]
    /// One key for each epoch, newest first: the database is encrypted with the first, unless a rotation is unfinished.
    package let databaseKeys: [SecretBytes]
    /// Whether this machine has seen a newer list of slots than the opened one: the library may be an older copy.
    package let isOlderThanSeen: Bool
    /// The vault's secret, from which everything else is derived; only processes of the same user may receive it.
    package let secret: SecretBytes

    init(secret: SecretBytes, keyring: Keyring, vault: HexBytes, isOlderThanSeen: Bool) {
        self.secret = secret
        self.isOlderThanSeen = isOlderThanSeen
        vaultID = vault
        ageIdentities = keyring.epochs.reversed().map(\.ageIdentity)
        databaseKeys = keyring.epochs.reversed().map(\.databaseKey)
    }

    package var databaseKey: SecretBytes { databaseKeys[0] }

    /// Derives a key of 32 bytes for one purpose; it depends on the vault and the name only, not on rotations.
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
