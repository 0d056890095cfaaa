package import Foundation

/// Whether what EchoText keeps can be read just now.
package enum VaultState: Sendable, Hashable {
    /// Nothing has been kept yet; the first thing kept makes the vault.
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
    /// The device's secret is missing or not the one the vault was made with, or the security chip does not give it out: only the
    /// recovery code opens it.
    case recoveryNeeded
    /// The library can be read, but not written until the cause is gone.
    case readOnly(ReadOnlyCause)
    /// The database is brought up to this version's schema.
    case migrating
}

extension VaultState {
    /// Whether what is kept can be read, or would be if there were anything.
    package var isOpen: Bool {
        switch self {
        case .uninitialised, .unlocked, .readOnly: true
        case .locked, .unlocking, .locking, .lockedOut, .recoveryNeeded, .migrating: false
        }
    }
}

/// Why a vault takes nothing more in.
package enum ReadOnlyCause: String, Sendable, Hashable, Codable {
    case diskFull
    case deviceFailed
    case noPermission
    case damaged
}
