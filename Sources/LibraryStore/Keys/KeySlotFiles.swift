import EchoText
import Foundation

/// The folders and files of one vault's key slots, opened for one operation.
struct KeySlotFiles {
    /// The names that show that a library exists, with or without its keys.
    private static let contents = ["library.db", "blobs"]

    var list: SlotList
    let library: GuardedFolder
    /// `nil` when the device's folder is missing.
    let device: GuardedFolder?
    let machine: MachineIdentity
    let surroundings: KeyStore.Surroundings

    /// - Parameters:
    ///   - places: The folders.
    ///   - surroundings: Clocks, costs and file steps.
    ///   - isMade: Whether to create the device's folder if missing.
    /// - Throws: ``VaultError/slotsMissing``, and errors of the files.
    init(_ places: KeyStore.Places, _ surroundings: KeyStore.Surroundings, makingDevice isMade: Bool) throws {
        guard let library = try Self.library(places, surroundings, isMade: false) else { throw VaultError.slotsMissing }
        self.library = library
        self.surroundings = surroundings
        device = try Self.device(places, surroundings, isMade: isMade)
        machine = try MachineIdentity(path: places.machineID)
        list = try Self.loadList(from: library, named: SlotList.fileName, surroundings)
    }

    private init(
        _ list: SlotList,
        _ library: GuardedFolder,
        _ device: GuardedFolder,
        _ machine: MachineIdentity,
        _ surroundings: KeyStore.Surroundings
    ) {
        (self.list, self.library, self.device) = (list, library, device)
        (self.machine, self.surroundings) = (machine, surroundings)
    }

    private static func library(
        _ places: KeyStore.Places,
        _ surroundings: KeyStore.Surroundings,
        isMade: Bool
    ) throws -> GuardedFolder? {
        try GuardedFolder(
            path: places.library,
            isMade: isMade,
            isTightened: true,
            refusal: .unsafeFolder,
            willDo: surroundings.willDo
        )
    }

    private static func device(
        _ places: KeyStore.Places,
        _ surroundings: KeyStore.Surroundings,
        isMade: Bool
    ) throws -> GuardedFolder? {
        try GuardedFolder(
            path: places.device,
            isMade: isMade,
            isTightened: false,
            refusal: .deviceSecretUnsafe,
            willDo: surroundings.willDo
        )
    }

    static func loadList(
        from library: GuardedFolder,
        named name: String,
        _ surroundings: KeyStore.Surroundings
    ) throws -> SlotList {
        let list = try library.read(name, limit: SlotList.limit, damage: .slotsDamaged) {
            try SlotList(Data($0), floor: surroundings.floor)
        }
        guard let list else { throw VaultError.slotsMissing }
        return list
    }

    /// Whether there is a vault.
    ///
    /// - Throws: ``VaultError/slotsMissing`` when there is a library but no slots.
    static func exists(_ places: KeyStore.Places, _ surroundings: KeyStore.Surroundings) throws -> Bool {
        guard let library = try library(places, surroundings, isMade: false) else { return false }
        if library.contains(SlotList.fileName) { return true }
        guard !contents.contains(where: library.contains) else { throw VaultError.slotsMissing }
        return false
    }

    // MARK: Making

    static func create(_ places: KeyStore.Places, _ surroundings: KeyStore.Surroundings) throws -> VaultKeys {
        guard let library = try library(places, surroundings, isMade: true),
            let device = try device(places, surroundings, isMade: true)
        else { throw VaultError.system(errno: ENOENT) }
        return try library.excluding(".keys.lock") {
            guard try !exists(places, surroundings) else { throw VaultError.inUse }
            let machine = try MachineIdentity(path: places.machineID)
            let list = SlotList(vault: HexBytes(SecretBytes.randomBytes(16)))
            var slotFiles = KeySlotFiles(list, library, device, machine, surroundings)
            return try slotFiles.fill()
        }
    }

    /// Writes the files of a new vault; the vault exists once the last one, `slots.json`, does.
    private mutating func fill() throws -> VaultKeys {
        let (secret, own) = (SecretBytes(randomBytes: 32), DeviceSecret())
        let secrets = try secrets()
        try secrets.store([secrets.kept(own, nil, beside: [])])
        let keyring = Keyring(now: surroundings.clocks.wall() / 1_000)
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
        return DeviceSecrets(in: file, chip: surroundings.chip, used: list.device)
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
            clocks: surroundings.clocks
        )
    }

    /// Runs `body` with the current slots while it holds the lock on changes.
    ///
    /// - Throws: ``VaultError/attemptInProgress``, and what `body` throws.
    func changing<Result>(_ body: (inout KeySlotFiles) throws -> Result) throws -> Result {
        try ledger().excludingOthers {
            var slotFiles = self
            slotFiles.list = try Self.loadList(from: library, named: SlotList.fileName, surroundings)
            guard slotFiles.list.vault == list.vault else { throw VaultError.slotsDamaged }
            return try body(&slotFiles)
        }
    }
}
