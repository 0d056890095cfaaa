/// The vault as a person at a screen uses it: the port to what holds the keys.
///
/// Secrets come and go as text, because that is what a person types; whoever implements it lets go of them at once.
package protocol VaultKeeper: Sendable {
    func status() async throws -> VaultStatus

    /// Opens the library and lends it to `work`, which is cancelled when the library is locked meanwhile.
    ///
    /// - Throws: ``VaultError`` when it does not open or is locked meanwhile, and what `work` throws.
    func lend(to work: @escaping @Sendable (Library) async throws -> Void) async throws

    /// Whether those whom the library is lent to may stay in it, as its files say now.
    ///
    /// Asked at each entry: a system that has no watch left does not tell when a passcode is set elsewhere.
    func isStillOpen() async -> Bool

    /// - Throws: ``VaultError/wrongPasscode(remainingFreeTries:)``, ``VaultError/lockedOut(wait:)``.
    func unlock(with passcode: String) async throws

    /// - Throws: ``VaultError/noPasscode`` when nothing would keep it locked.
    func lock() async throws

    /// Asks for the passcode again before something that needs more than an open library; nothing is asked where there is none.
    ///
    /// - Throws: As ``unlock(with:)``, and ``VaultError/locked`` when one is needed and `passcode` is `nil`.
    func verify(_ passcode: String?) async throws

    /// A recovery code that is to be typed back.
    func proposeRecoveryCode() async throws -> String

    /// - Parameters:
    ///   - passcode: The new one.
    ///   - typed: The proposed recovery code as it was typed back.
    /// - Throws: ``VaultError/recoveryCodeNotConfirmed``, ``VaultError/weakPasscode(_:)``, ``VaultError/passcodeExists``.
    func setPasscode(_ passcode: String, confirmedBy typed: String) async throws
    func changePasscode(from old: String, to new: String) async throws
    func removePasscode(_ current: String) async throws

    /// - Throws: ``VaultError/wrongRecoveryCode``, ``VaultError/misspeltRecoveryCode``, ``VaultError/weakPasscode(_:)``.
    func recover(with code: String, newPasscode: String?) async throws

    /// Puts the proposed recovery code, as it was typed back, in the place of the old one.
    func renewRecoveryCode(_ typed: String, passcode: String?) async throws

    /// Destroys the keys and then all that they opened.
    func eraseEverything(passcode: String?) async throws
}
