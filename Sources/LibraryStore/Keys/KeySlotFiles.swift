import EchoText
import Foundation

/// The folders and files of one vault's key slots, opened for one operation.
struct KeySlotFiles {
    /// The names that show that a library exists, with or without its keys.
    private static let contents = ["library.db", "blobs"]
    /// The empty file that says of a library without slots that it was erased and did not lose them.
    static let erasedNote = "erased"

    var list: SlotList
    let library: GuardedFolder
    /// `nil` when the device's folder is missing.
    let device: GuardedFolder?
    let machine: MachineIdentity
    let environment: KeyStore.Environment

    /// - Parameters:
    ///   - paths: The folders.
    ///   - environment: Clocks, costs and file steps.
    ///   - isMade: Whether to create the device's folder if missing.
    /// - Throws: ``VaultError/slotsMissing``, and errors of the files.
    init(_ paths: KeyStore.Paths, _ environment: KeyStore.Environment, makingDevice isMade: Bool) throws {
        guard let library = try Self.library(paths, environment, isMade: false) else { throw VaultError.slotsMissing }
        self.library = library
        self.environment = environment
        device = try Self.device(paths, environment, isMade: isMade)
        machine = try MachineIdentity(path: paths.machineID)
        list = try Self.loadList(from: library, named: SlotList.fileName, environment)
    }

    private init(
        _ list: SlotList,
        _ library: GuardedFolder,
        _ device: GuardedFolder,
        _ machine: MachineIdentity,
        _ environment: KeyStore.Environment
    ) {
        (self.list, self.library, self.device) = (list, library, device)
        (self.machine, self.environment) = (machine, environment)
    }

    private static func library(
        _ paths: KeyStore.Paths,
        _ environment: KeyStore.Environment,
        isMade: Bool
    ) throws -> GuardedFolder? {
        try GuardedFolder(
            path: paths.library,
            isMade: isMade,
            isTightened: true,
            refusal: .unsafeFolder,
            willDo: environment.willDo
        )
    }

    private static func device(
        _ paths: KeyStore.Paths,
        _ environment: KeyStore.Environment,
        isMade: Bool
    ) throws -> GuardedFolder? {
        try GuardedFolder(
            path: paths.device,
            isMade: isMade,
            isTightened: false,
            refusal: .deviceSecretUnsafe,
            willDo: environment.willDo
        )
    }

    static func loadList(
        from library: GuardedFolder,
        named name: String,
        _ environment: KeyStore.Environment
    ) throws -> SlotList {
        let list = try library.read(name, limit: SlotList.limit, damage: .slotsDamaged) {
            try SlotList(Data($0), floor: environment.floor)
        }
        guard let list else { throw VaultError.slotsMissing }
        return list
    }

    /// Whether there is a vault.
    ///
    /// A note that its folder's library was erased is removed where there is: it is about one that was there before, as
    /// when a backup is copied into what an erasure left. Should this library lose its slots, it must not be said of it.
    ///
    /// - Throws: ``VaultError/slotsMissing`` when there is a library but no slots,
    ///   ``VaultError/erasedFilesStay`` when it was erased and some of its files stay.
    static func exists(_ paths: KeyStore.Paths, _ environment: KeyStore.Environment) throws -> Bool {
        guard let library = try library(paths, environment, isMade: false) else { return false }
        if library.contains(SlotList.fileName) {
            // In a folder that cannot be written to, it stays for the next who can.
            if library.contains(erasedNote) { try? library.remove(erasedNote) }
            return true
        }
        guard contents.contains(where: library.contains) else { return false }
        throw library.contains(erasedNote) ? VaultError.erasedFilesStay : VaultError.slotsMissing
    }

    /// Whether both the slots and this machine's secret of a vault are gone from folders that are there.
    static func isErased(
        _ vault: HexBytes,
        _ paths: KeyStore.Paths,
        _ environment: KeyStore.Environment
    ) throws -> Bool {
        guard let library = try library(paths, environment, isMade: false),
            let device = try device(paths, environment, isMade: false)
        else { return false }
        return !library.contains(SlotList.fileName) && !device.contains(DeviceFile.name(for: vault))
    }

    // MARK: Making

    static func create(_ paths: KeyStore.Paths, _ environment: KeyStore.Environment) throws -> VaultKeys {
        guard let library = try library(paths, environment, isMade: true),
            let device = try device(paths, environment, isMade: true)
        else { throw VaultError.system(errno: ENOENT) }
        return try library.excluding(".keys.lock") {
            guard try !exists(paths, environment) else { throw VaultError.inUse }
            // It is about the library that was here before.
            if library.contains(erasedNote) { try library.remove(erasedNote) }
            let machine = try MachineIdentity(path: paths.machineID)
            let list = SlotList(vault: HexBytes(SecretBytes.randomBytes(16)))
            var slotFiles = KeySlotFiles(list, library, device, machine, environment)
            return try slotFiles.fill()
        }
    }

    /// Writes the files of a new vault; the vault exists once the last one, `slots.json`, does.
    private mutating func fill() throws -> VaultKeys {
        let (secret, own) = (SecretBytes(randomBytes: 32), DeviceSecret())
        let secrets = try secrets()
        try secrets.store([secrets.kept(own, nil, beside: [])])
        let keyring = Keyring(now: environment.clocks.wall() / 1_000)
        try keyring.store(in: library, secret: secret, vault: list.vault)
        list.keyring = keyring.generation
        try replace([.device(own, machine)], keeping: [], secret)
        try ledger().reset(slots: list.generation)
        return try keys(with: secret)
    }

    // MARK: The device's secret

    /// - Throws: ``VaultError/deviceSecretMissing`` when the device's folder is missing.
    func secrets() throws -> DeviceSecrets {
        guard let device else { throw VaultError.deviceSecretMissing }
        let file = DeviceFile(in: device, vault: list.vault, machine: machine)
        return DeviceSecrets(in: file, chip: environment.chip, used: list.device)
    }

    /// Why the device's secret cannot be opened; `nil` when it can.
    func deviceProblem() throws -> VaultError? {
        do {
            return try secrets().problem()
        } catch VaultError.deviceSecretMissing {
            return .deviceSecretMissing
        }
    }

    /// Whether the device's secret is in the security chip; not when it is lost.
    var usesSecurityChip: Bool {
        guard let kept = try? secrets().inUse() else { return false }
        return !kept.isPlain
    }

    /// Whether an interrupted change has left anything.
    func needsRepair() throws -> Bool {
        let secrets = try secrets()
        return try drafts.contains(where: library.containsDraft) || secrets.hasLeftovers
    }

    /// Removes the leftovers of an interrupted change: drafts, and device secrets of no slot in use.
    func repair() throws {
        let secrets = try secrets()
        for name in drafts { try library.discardDraft(of: name) }
        try secrets.removeLeftovers()
    }

    private var drafts: [String] { [SlotList.fileName, Keyring.fileName] }

    // MARK: Locking

    func ledger() throws -> AttemptLedger {
        guard let device else { throw VaultError.deviceSecretMissing }
        return try AttemptLedger(
            device: device,
            library: library,
            vault: list.vault,
            machine: machine,
            clocks: environment.clocks
        )
    }

    /// Runs `body` with the current slots while it holds the lock on changes.
    ///
    /// - Throws: ``VaultError/attemptInProgress``, and what `body` throws.
    func changing<Result>(_ body: (inout KeySlotFiles) throws -> Result) throws -> Result {
        try ledger().excludingOthers {
            var slotFiles = self
            slotFiles.list = try Self.loadList(from: library, named: SlotList.fileName, environment)
            guard slotFiles.list.vault == list.vault else { throw VaultError.slotsDamaged }
            return try body(&slotFiles)
        }
    }
}

/// Opening the slots: the vault's secret by each credential.
extension KeySlotFiles {
    /// The vault's secret by the device alone.
    func secretOfDevice() throws -> SecretBytes {
        guard let slot = list[.device] else { throw VaultError.locked }
        guard let own = try secrets().inUse().opened(by: environment.chip, nil),
            let secret = try slot.opened(with: .device(own, machine), vault: list.vault)
        else { throw VaultError.deviceSecretMissing }
        try list.verify(with: secret)
        return secret
    }

    /// The vault's secret by a passcode, which is counted before it is tried.
    func attempt(_ passcode: Passcode) throws -> SecretBytes {
        guard let slot = list.passcodeSlot, let cost = slot.cost else { throw VaultError.noPasscode }
        let kept = try secrets().inUse()
        try kept.check(by: environment.chip)
        let ledger = try ledger()
        let secret = try ledger.counting { freeTries, wait in
            let passcode = try HashedPasscode(passcode, cost: cost, salt: slot.salt)
            guard let own = try kept.opened(by: environment.chip, passcode),
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
            guard let cost = environment.cost else { return try HashedPasscode.calibrated(passcode) }
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
            .rotated(now: environment.clocks.wall() / 1_000)
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
                let read = try Self.loadList(from: library, named: draft, environment)
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
