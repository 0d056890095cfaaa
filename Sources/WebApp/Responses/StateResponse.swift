import API
import EchoText
import Foundation
import Hummingbird

/// The facts that the page gets before anything is unlocked.
struct StateResponse: ResponseEncodable {
    struct Vault: Encodable {
        let state: String
        @Nullable var protection: String?
        let hasRecoveryCode: Bool
        let usesSecurityChip: Bool
        @Nullable var retryAfter: Double?
        @Nullable var folder: String?
        @Nullable var deviceFolder: String?

        init(_ status: VaultStatus, now: Date = Date()) {
            state = status.state.name
            protection = status.protection?.rawValue
            hasRecoveryCode = status.hasRecoveryCode
            usesSecurityChip = status.usesSecurityChip
            folder = status.folder
            deviceFolder = status.deviceFolder
            if case .lockedOut(let until) = status.state {
                retryAfter = max(0, until.timeIntervalSince(now).rounded(.up))
            } else {
                retryAfter = nil
            }
        }
    }

    let vault: Vault
    let version: String
    /// The key with which the page checks proofs of `/api/proof`; only in the answer to `/api/state`.
    var proofKey: String?
    var wordLimit = 10_000
    var speedRange = [Prosody.speedRange.lowerBound, Prosody.speedRange.upperBound]
    var pitchRange = [Prosody.pitchRange.lowerBound, Prosody.pitchRange.upperBound]
    var chanceRange = [Prosody.chanceRange.lowerBound, Prosody.chanceRange.upperBound]
}

extension VaultState {
    fileprivate var name: String {
        switch self {
        case .uninitialised: "uninitialised"
        case .locked, .unlocking, .locking: "locked"
        case .unlocked: "unlocked"
        case .lockedOut: "lockedOut"
        case .recoveryNeeded: "recoveryNeeded"
        case .readOnly: "readOnly"
        case .migrating: "migrating"
        }
    }
}
