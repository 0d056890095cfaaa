package import Foundation

/// Whether EchoText's stored data can be read at the moment.
package enum VaultState: Sendable, Hashable {
    /// Nothing is stored yet; the first item creates the vault.
    case uninitialised
    /// A passcode or the recovery code opens it.
    case locked
    /// A passcode is being tried.
    case unlocking
    case unlocked
    /// Keys are being wiped and workers ended.
    case locking
    /// Too many wrong passcodes: none is tried before `until`. The recovery code is.
    case lockedOut(until: Date)
    /// The device's secret is missing or belongs to another vault, or the security chip does not release it: only the
    /// recovery code opens the vault.
    case recoveryNeeded
    /// The library can be read, but not written until the cause is removed.
    case readOnly(ReadOnlyCause)
    /// The database is being migrated to this version's schema.
    case migrating
}

extension VaultState {
    /// Whether stored data can be read, or could be if there were any.
    package var isOpen: Bool {
        switch self {
        case .uninitialised, .unlocked, .readOnly: true
        case .locked, .unlocking, .locking, .lockedOut, .recoveryNeeded, .migrating: false
        }
    }
}

/// Why a vault cannot be written to.
package enum ReadOnlyCause: String, Sendable, Hashable, Codable {
    case diskFull
    case deviceFailed
    case noPermission
    case damaged
}
