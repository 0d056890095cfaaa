import EchoText

/// This machine's secrets for one vault: in their file, or encrypted by the security chip if there is one.
struct DeviceSecrets {
    /// How many wrong passcodes in a row the chip takes.
    private static let chipLimit: UInt32 = 50

    private let file: DeviceFile
    private let chip: (any SecurityChip)?
    /// The id of the secret that the slots were made with.
    private let used: HexBytes?

    init(in file: DeviceFile, chip: (any SecurityChip)?, used: HexBytes?) {
        (self.file, self.chip, self.used) = (file, chip, used)
    }

    /// The stored secret that the slots were made with.
    ///
    /// - Throws: ``VaultError/deviceSecretMissing``, ``VaultError/deviceSecretUnsafe`` or
    ///   ``VaultError/deviceSecretDamaged``.
    func inUse() throws -> StoredDeviceSecret {
        guard let secret = try file.load().first(where: isInUse) else { throw VaultError.deviceSecretMissing }
        return secret
    }

    func isInUse(_ secret: StoredDeviceSecret) -> Bool { secret.id == used }

    /// All secrets; none when they are lost and the recovery code replaces them.
    func found() throws -> [StoredDeviceSecret] {
        do {
            return try file.load()
        } catch VaultError.deviceSecretMissing, VaultError.deviceSecretDamaged, VaultError.deviceSecretUnsafe {
            return []
        }
    }

    /// Why the secret in use cannot be opened; `nil` when it can.
    func problem() throws -> VaultError? {
        do {
            try inUse().check(by: chip)
            return nil
        } catch let problem as VaultError {
            switch problem {
            case .deviceSecretMissing, .deviceSecretDamaged, .tpmUnavailable, .tpmLockedOut: return problem
            default: throw problem
            }
        }
    }

    func store(_ secrets: [StoredDeviceSecret]) throws { try file.store(secrets) }

    func remove() throws { try file.remove() }

    /// Whether an interrupted change has left anything.
    var hasLeftovers: Bool {
        get throws { try file.hasDraft || file.load().count > 1 }
    }

    /// Removes the leftovers of an interrupted change: a draft, and secrets of no slot in use.
    func removeLeftovers() throws {
        try file.discardDraft()
        let secrets = try file.load()
        guard secrets.count > 1 else { return }
        let inUse = try inUse()
        do {
            try deleteCounters(of: secrets.filter { !isInUse($0) })
        } catch VaultError.tpmUnavailable {
            return  // The file shows the next time which they are.
        }
        try file.store([inUse])
    }

    // MARK: The security chip

    /// Seals a new secret in the chip, with a counter if there is a passcode; if the chip fails, it is not used.
    ///
    /// - Parameters:
    ///   - own: The secret.
    ///   - passcode: The passcode that opens it; `nil` for the chip alone.
    ///   - others: The secrets that remain in the file meanwhile.
    /// - Returns: The secret as stored in the file.
    /// - Throws: ``VaultError``, when the file cannot be written.
    func kept(
        _ own: DeviceSecret,
        _ passcode: HashedPasscode?,
        beside others: [StoredDeviceSecret]
    ) throws -> StoredDeviceSecret {
        guard let chip else { return StoredDeviceSecret(own) }
        do {
            guard let passcode else { return try Self.sealed(own, nil, behind: nil, in: chip) }
            let counter = ChipCounter(index: try chip.freeIndex(), authorization: try passcode.authorization)
            // Written down before it is made, so that it is found again wherever this is broken off.
            try file.store(others + [StoredDeviceSecret(own.id, .announced(counter: counter.index))])
            do {
                try chip.define(counter, limit: Self.chipLimit)
                return try Self.sealed(own, passcode, behind: counter, in: chip)
            } catch VaultError.tpmUnavailable {
                try chip.deleteCounter(at: counter.index)
                throw VaultError.tpmUnavailable
            }
        } catch VaultError.tpmUnavailable {
            return StoredDeviceSecret(own)
        }
    }

    /// Seals, and opens it once to see that it does.
    private static func sealed(
        _ own: DeviceSecret,
        _ passcode: HashedPasscode?,
        behind counter: ChipCounter?,
        in chip: any SecurityChip
    ) throws -> StoredDeviceSecret {
        let kept = StoredDeviceSecret(own.id, .sealed(try chip.seal(own.bytes, behind: counter)))
        guard let opened = try kept.opened(by: chip, passcode), try opened.bytes.isEqual(to: own.bytes) else {
            throw VaultError.tpmUnavailable
        }
        return kept
    }

    /// - Throws: ``VaultError/tpmUnavailable``.
    private func deleteCounters(of secrets: [StoredDeviceSecret]) throws {
        for index in secrets.compactMap(\.counter) {
            guard let chip else { throw VaultError.tpmUnavailable }
            try chip.deleteCounter(at: index)
        }
    }

    /// Deletes the counters if the chip is present; without the chip, nobody can use them.
    func deleteCountersIfPossible(of secrets: [StoredDeviceSecret]) throws {
        do {
            try deleteCounters(of: secrets)
        } catch VaultError.tpmUnavailable {}
    }
}
