import EchoText
import Foundation

/// Opening the slots: the vault's secret by each credential.
extension KeySlotFiles {
    /// The vault's secret by the device alone.
    func secretOfDevice() throws -> SecretBytes {
        guard let slot = list[.device] else { throw VaultError.locked }
        guard let own = try secrets().inUse().opened(by: surroundings.chip, nil),
            let secret = try slot.opened(with: .device(own, machine), vault: list.vault)
        else { throw VaultError.deviceSecretMissing }
        try list.verify(with: secret)
        return secret
    }

    /// The vault's secret by a passcode, which is counted before it is tried.
    func attempt(_ passcode: Passcode) throws -> SecretBytes {
        guard let slot = list.passcodeSlot, let cost = slot.cost else { throw VaultError.noPasscode }
        let kept = try secrets().inUse()
        try kept.check(by: surroundings.chip)
        let ledger = try ledger()
        let secret = try ledger.counting { freeTries, wait in
            let passcode = try HashedPasscode(passcode, cost: cost, salt: slot.salt)
            guard let own = try kept.opened(by: surroundings.chip, passcode),
                let secret = try slot.opened(with: .passcode(passcode, own, machine), vault: list.vault)
            else { throw VaultError.wrongPasscode(remainingFreeTries: freeTries, wait: wait) }
            return secret
        }
        try list.verify(with: secret)
        try ledger.reset(slots: list.generation)
        return secret
    }

    /// The vault's secret by the recovery code.
    func attempt(_ code: RecoveryCode) throws -> SecretBytes {
        guard let slot = list[.recovery] else { throw VaultError.noRecoveryCode(problem: try deviceProblem()) }
        let ledger = try ledger()
        try ledger.noteRecovery(isPasscodeSet: list.passcodeSlot != nil)
        guard let secret = try slot.opened(with: .recoveryCode(code), vault: list.vault) else {
            throw VaultError.wrongRecoveryCode
        }
        try list.verify(with: secret)
        try ledger.reset(slots: list.generation)
        return secret
    }

    func keys(with secret: SecretBytes) throws -> VaultKeys {
        let keyring = try Keyring.load(from: library, secret: secret, vault: list.vault, atLeast: list.keyring)
        return VaultKeys(
            secret: secret,
            keyring: keyring,
            vault: list.vault,
            isOlderThanSeen: try ledger().hasSeenNewer(than: list.generation)
        )
    }
}
