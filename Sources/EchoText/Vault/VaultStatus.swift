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
