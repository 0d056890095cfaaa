/// Operations on the vault for a person at a screen: the port to the key store.
///
/// Secrets are text here, because a person types them; an implementation must not keep them.
package protocol VaultControl: Sendable {
    func status() async throws -> VaultStatus

    /// Opens the library and passes it to `work`, which is cancelled when the library is locked meanwhile.
    ///
    /// - Throws: ``VaultError`` when it does not open or is locked meanwhile, and what `work` throws.
    func lend(to work: @escaping @Sendable (Library) async throws -> Void) async throws

    /// Whether callers of ``lend(to:)`` may still use the library, according to its files.
    ///
    /// It is checked at each entry, because without a free inotify watch a passcode set elsewhere is not reported.
    func isStillOpen() async -> Bool

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
    /// - Throws: ``VaultError/locked``, other ``VaultError``s, and what `file` throws, which is not finished.
    func backUp(to file: any ByteSink) async throws

    /// Destroys the keys, then everything that they opened.
    func eraseEverything(passcode: String?) async throws
}
