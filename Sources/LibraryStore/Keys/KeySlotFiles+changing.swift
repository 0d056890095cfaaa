import EchoText
import Foundation

/// Changes of the slots: each atomically replaces the list.
extension KeySlotFiles {
    /// Encrypts the vault's secret for this device again, with or without a passcode.
    ///
    /// The device gets a new secret, so that an older copy of the slots opens nothing here. Both secrets are stored
    /// until the new slots are in place.
    ///
    /// - Parameters:
    ///   - secret: The vault's secret.
    ///   - passcode: The passcode that opens it; `nil` for the device alone.
    ///   - recoveryCode: A new recovery code; `nil` keeps the present slot.
    /// - Throws: ``VaultError``; the old or the new slots are in place then.
    mutating func rewrap(_ secret: SecretBytes, passcode: Passcode?, recoveryCode: RecoveryCode?) throws {
        let (secrets, own) = (try secrets(), DeviceSecret())
        let found = try secrets.found()
        let before = found.filter(secrets.isInUse)
        try secrets.deleteCountersIfPossible(of: found.filter { !secrets.isInUse($0) })
        let passcode = try passcode.map { passcode in
            guard let cost = surroundings.cost else { return try HashedPasscode.calibrated(passcode) }
            return try HashedPasscode(passcode, cost: cost)
        }
        let kept = try secrets.kept(own, passcode, beside: before)
        try secrets.store(before + [kept])
        try ledger().reset(slots: list.generation)
        var credentials: [KeySlot.Credential] = [
            passcode.map { .passcode($0, own, machine) } ?? .device(own, machine)
        ]
        if let recoveryCode { credentials.append(.recoveryCode(recoveryCode)) }
        let others = recoveryCode == nil ? list.slots.filter { $0.type == .recovery } : []
        try replace(credentials, keeping: others, secret)
        try secrets.deleteCountersIfPossible(of: before)
        try secrets.store([kept])
        try ledger().reset(slots: list.generation)
    }

    mutating func replaceRecoveryCode(_ code: RecoveryCode, _ secret: SecretBytes) throws {
        try replace([.recoveryCode(code)], keeping: list.slots.filter { $0.type != .recovery }, secret)
        try ledger().reset(slots: list.generation)
    }

    /// The keyring is written before the slots that name it: in between it is newer than they ask for, which is well.
    mutating func rotate(_ secret: SecretBytes) throws {
        let keyring = try Keyring.load(from: library, secret: secret, vault: list.vault, atLeast: list.keyring)
            .rotated(now: surroundings.clocks.wall() / 1_000)
        try keyring.store(in: library, secret: secret, vault: list.vault)
        list.keyring = keyring.generation
        try replace([], keeping: list.slots, secret)
        try ledger().reset(slots: list.generation)
    }

    /// Writes a list of slots for `credentials` and the remaining ones, reads it back and opens every new slot, and
    /// then atomically replaces the old list.
    mutating func replace(
        _ credentials: [KeySlot.Credential],
        keeping kept: [KeySlot],
        _ secret: SecretBytes
    ) throws {
        let vault = list.vault
        let made = try credentials.map { try KeySlot(sealing: secret, for: $0, vault: vault) }
        var new = list
        new.generation += 1
        new.slots = (made + kept).sorted { $0.type != .recovery && $1.type == .recovery }
        new = try new.signed(with: secret)
        try Array(new.encoded()).withUnsafeBytes { bytes in
            try library.write(SlotList.fileName, bytes) { draft in
                let read = try Self.loadList(from: library, named: draft, surroundings)
                try read.verify(with: secret)
                for (slot, credential) in zip(made, credentials) {
                    guard read.slots.contains(slot),
                        let opened = try slot.opened(with: credential.repeated(), vault: vault),
                        try opened.isEqual(to: secret)
                    else { throw VaultError.slotsDamaged }
                }
            }
        }
        list = new
    }

    func erase() throws {
        let secrets = try secrets()
        try secrets.deleteCountersIfPossible(of: secrets.found())
        try secrets.remove()
        try ledger().remove()
        try device?.remove(GenerationMark.name(for: list.vault))
        for name in [SlotList.fileName, Keyring.fileName] { try library.remove(name) }
    }
}
