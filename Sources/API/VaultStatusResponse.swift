package import EchoText
package import Foundation

/// Whether the library is locked, and what opens it.
package struct VaultStatusResponse: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case uninitialised
        case locked
        case unlocked
        case lockedOut
        case recoveryNeeded
        case readOnly

        fileprivate init(_ state: VaultState) {
            self =
                switch state {
                case .uninitialised: .uninitialised
                case .locked: .locked
                case .unlocked: .unlocked
                case .lockedOut: .lockedOut
                case .recoveryNeeded: .recoveryNeeded
                case .readOnly: .readOnly
                }
        }
    }

    package let state: State
    /// The credential that opens it, besides the recovery code; null before there is a library.
    @Nullable package var protection: VaultStatus.Protection?
    package let hasRecoveryCode: Bool
    /// Whether this machine's secret is in its security chip.
    package let usesSecurityChip: Bool
    /// Seconds until another passcode is accepted.
    @Nullable package var retryAfter: Double?
    /// In a command's answer: when another passcode is accepted.
    package private(set) var until: Date?
    /// The path of the library's folder.
    @Nullable package var folder: String?
    /// The path of the folder with this machine's secret.
    @Nullable package var deviceFolder: String?

    package init(_ status: VaultStatus, now: Date = Date()) {
        state = State(status.state)
        (hasRecoveryCode, usesSecurityChip) = (status.hasRecoveryCode, status.usesSecurityChip)
        (protection, folder, deviceFolder) = (status.protection, status.folder, status.deviceFolder)
        if case .lockedOut(let until) = status.state {
            retryAfter = max(0, until.timeIntervalSince(now).rounded(.up))
        }
    }

    /// The answer of a command about `status`.
    package static func answer(about status: VaultStatus) -> VaultStatusResponse {
        var answer = VaultStatusResponse(status)
        if case .lockedOut(let until) = status.state { answer.until = until }
        return answer
    }
}
