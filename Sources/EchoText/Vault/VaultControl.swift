package import Foundation

/// Operations on the vault for a person at a screen: the port to the key store.
///
/// Secrets are text here, because a person types them; an implementation must not keep them.
package protocol VaultControl: Sendable {
    func status() async throws -> VaultStatus

    /// Opens the library and passes it to `work`, which is cancelled when the library is locked meanwhile.
    ///
    /// - Throws: ``VaultError`` when it does not open or is locked meanwhile, and what `work` throws.
    func withLibrary(_ work: @escaping @Sendable (Library) async throws -> Void) async throws

    /// Whether callers of ``withLibrary(_:)`` may still use the library, according to its files.
    ///
    /// It is checked at each entry, because without a free inotify watch a passcode set elsewhere is not reported.
    func isStillOpen() async -> Bool

    /// Whether the library that was opened was erased since, by any program; not one whose folder is away.
    func isErased() async -> Bool

    /// Whether the open library is an older copy than this machine used last, and the person has not seen that on a page.
    func isOlderUnseen() async -> Bool

    /// Records that the person has seen that the open library is an older copy.
    func noteOlderSeen() async

    /// - Throws: ``VaultError/wrongPasscode(remainingFreeTries:)``, ``VaultError/lockedOut(wait:)``.
    func unlock(with passcode: String) async throws

    /// - Throws: ``VaultError/noPasscode`` when there is no passcode, so that the library would not stay locked.
    func lock() async throws

    /// Checks the passcode again before an operation that needs more than an open library; succeeds when there is none.
    ///
    /// - Throws: As ``unlock(with:)``, and ``VaultError/locked`` when one is needed and `passcode` is `nil`.
    func verify(_ passcode: String?) async throws

    /// Proposes a recovery code, which the person has to type back.
    func proposeRecoveryCode() async throws -> String

    /// - Parameters:
    ///   - passcode: The new passcode.
    ///   - typed: The proposed recovery code, as the person typed it back.
    /// - Throws: ``VaultError/recoveryCodeNotConfirmed``, ``VaultError/weakPasscode(_:)``, ``VaultError/passcodeExists``.
    func setPasscode(_ passcode: String, confirmedBy typed: String) async throws
    func changePasscode(from old: String, to new: String) async throws
    func removePasscode(_ current: String) async throws

    /// - Throws: ``VaultError/wrongRecoveryCode``, ``VaultError/misspeltRecoveryCode``, ``VaultError/weakPasscode(_:)``.
    func recover(with code: String, newPasscode: String?) async throws

    /// Replaces the recovery code by the proposed one, which the person has typed back.
    func renewRecoveryCode(_ typed: String, passcode: String?) async throws

    /// Writes a copy of the library, still encrypted, as a tar archive of its folder, without this machine's secret.
    ///
    /// The archive and the recovery code together open the library on any machine; without the code it opens on no
    /// other machine.
    ///
    /// - Returns: How many files of the library are missing in it, and so in the copy.
    /// - Throws: ``VaultError/locked``, other ``VaultError``s, and what `file` throws, which is not finished.
    func backUp(to file: any ByteSink) async throws -> Int

    /// Looks through the whole library for damage; nothing damaged is deleted.
    ///
    /// - Parameters:
    ///   - readsData: Whether every byte of every sealed file is read too.
    ///   - repairs: Whether what can be repaired is.
    ///   - progress: Called with the number of sealed files done and their total.
    /// - Returns: What was found, and what was done.
    /// - Throws: ``VaultError/locked``, other ``VaultError``s; `CancellationError`.
    func check(
        readsData: Bool,
        repairs: Bool,
        reporting progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws -> VaultReport

    /// Destroys the keys, then everything that they opened.
    func eraseEverything(passcode: String?) async throws
}

/// Whether EchoText's stored data can be read at the moment.
package enum VaultState: Sendable, Hashable {
    /// Nothing is stored yet; the first item creates the vault.
    case uninitialised
    /// A passcode or the recovery code opens it.
    case locked
    case unlocked
    /// Too many wrong passcodes: none is tried before `until`. The recovery code is.
    case lockedOut(until: Date)
    /// The device's secret is missing or belongs to another vault, or the security chip does not release it: only the
    /// recovery code opens the vault.
    case recoveryNeeded
    /// The library can be read, but not written until the cause is removed.
    case readOnly(ReadOnlyCause)
}

extension VaultState {
    /// Whether stored data can be read, or could be if there were any.
    package var isOpen: Bool {
        switch self {
        case .uninitialised, .unlocked, .readOnly: true
        case .locked, .lockedOut, .recoveryNeeded: false
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

/// The state of a vault that is known without opening it.
package struct VaultStatus: Sendable, Hashable {
    /// The secret that opens the vault, in addition to the recovery code.
    package enum Protection: String, Sendable, Hashable, Codable {
        /// This machine alone.
        case device
        /// This machine and 4 to 6 digits.
        case shortPasscode
        /// This machine and a password.
        case password
    }

    package var state: VaultState
    /// `nil` before there is a vault.
    package var protection: Protection?
    package var hasRecoveryCode: Bool
    /// Whether this machine's secret is in its security chip.
    package var usesSecurityChip: Bool
    /// The path of the library's folder; `nil` for a library in memory.
    package var folder: String?
    /// The path of the folder with this machine's secret; `nil` likewise.
    package var deviceFolder: String?

    package init(
        state: VaultState,
        protection: Protection? = nil,
        hasRecoveryCode: Bool = false,
        usesSecurityChip: Bool = false,
        folder: String? = nil,
        deviceFolder: String? = nil
    ) {
        self.state = state
        self.protection = protection
        self.hasRecoveryCode = hasRecoveryCode
        self.usesSecurityChip = usesSecurityChip
        self.folder = folder
        self.deviceFolder = deviceFolder
    }
}

/// Reminds a person once that a library worth keeping has no recovery code.
///
/// Without one, a lost machine loses everything: only this machine's secret opens the library.
package enum RecoveryReminder {
    /// How many recordings make a library worth it.
    static let recordings = 10

    /// Returns whether the reminder is due; it remains due until ``noteSeen(in:)``.
    ///
    /// - Parameters:
    ///   - library: The library, whose settings record whether the reminder was shown.
    ///   - status: The vault's status.
    /// - Returns: Whether the reminder is due.
    /// - Throws: What the library's stores throw.
    package static func isDue(in library: Library, _ status: VaultStatus) async throws -> Bool {
        guard status.protection != nil, !status.hasRecoveryCode,
            try await library.settings.value(of: SettingsCatalogue.remindsOfRecoveryCode)
        else { return false }
        var query = AudioQuery()
        query.limit = 1
        return try await library.audio.items(matching: query).total >= recordings
    }

    /// Records that the person has seen the reminder, so that it is not shown again.
    ///
    /// - Throws: What the library's settings throw.
    package static func noteSeen(in library: Library) async throws {
        let setting = SettingsCatalogue.remindsOfRecoveryCode
        try await library.settings.set(setting.name, to: setting.text(of: false))
    }
}
