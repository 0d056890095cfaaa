import Crypto
import EchoText
import Foundation

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

/// The secret that only this machine has: D, 32 random bytes, to be mixed with M, which comes from the machine's name.
struct DeviceSecret: Sendable {
    static let count = 32

    /// Its id; slots name the secret that they were made with.
    let id: HexBytes
    let bytes: SecretBytes

    init() {
        id = HexBytes(SecretBytes.randomBytes(8))
        bytes = SecretBytes(randomBytes: Self.count)
    }

    init(id: HexBytes, bytes: SecretBytes) {
        (self.id, self.bytes) = (id, bytes)
    }
}

/// A device secret as stored in its file.
struct StoredDeviceSecret: Sendable {
    enum Form: Sendable {
        case plain(SecretBytes)
        /// The security chip opens it.
        case sealed(SealedSecret)
        /// There is no secret yet: the chip's counter at this index is being created for one.
        case announced(counter: UInt32)
    }

    let id: HexBytes
    let form: Form

    init(_ id: HexBytes, _ form: Form) {
        (self.id, self.form) = (id, form)
    }

    init(_ secret: DeviceSecret) { self.init(secret.id, .plain(secret.bytes)) }

    var isPlain: Bool { if case .plain = form { true } else { false } }

    /// The index of the chip's counter of wrong tries; `nil` without one.
    var counter: UInt32? {
        switch form {
        case .plain: nil
        case .sealed(let sealed): sealed.counter
        case .announced(let counter): counter
        }
    }

    /// Finds out whether it can be opened, without a try.
    ///
    /// - Throws: ``VaultError/tpmUnavailable``, ``VaultError/tpmLockedOut`` or ``VaultError/deviceSecretMissing``.
    func check(by chip: (any SecurityChip)?) throws {
        switch form {
        case .plain: return
        case .announced: throw VaultError.deviceSecretMissing
        case .sealed(let sealed):
            guard let chip else { throw VaultError.tpmUnavailable }
            try chip.check(sealed)
        }
    }

    /// The secret; `nil` when the chip refuses the passcode, which it counts.
    ///
    /// - Throws: As ``check(by:)``.
    func opened(by chip: (any SecurityChip)?, _ passcode: HashedPasscode?) throws -> DeviceSecret? {
        switch form {
        case .plain(let bytes): return DeviceSecret(id: id, bytes: bytes)
        case .announced: throw VaultError.deviceSecretMissing
        case .sealed(let sealed):
            guard let chip else { throw VaultError.tpmUnavailable }
            let authorization = sealed.counter == nil ? nil : try passcode?.authorization
            return try chip.unseal(sealed, authorization: authorization).map { DeviceSecret(id: id, bytes: $0) }
        }
    }
}

/// The machine's share of the keys, M: HMAC-SHA256 under the machine's id with the message `echotext/device`.
///
/// The id is outside the home folder, so that a backup of that folder alone opens nothing elsewhere. It is not secret
/// on the machine itself. Without an id the key is empty.
struct MachineIdentity: Sendable {
    let share: SecretBytes

    /// - Parameter path: `/etc/machine-id` but for tests.
    /// - Throws: ``VaultError`` when it exists and cannot be read.
    init(path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        var text = [UInt8](repeating: 0, count: 128)
        var length = 0
        if file >= 0 {
            length = max(0, read(file, &text, text.count))
            close(file)
        } else if errno != ENOENT {
            throw VaultError(fileProblem: errno)
        }
        let name = text[..<length].prefix { $0 != UInt8(ascii: "\n") }
        let code = HMAC<SHA256>.authenticationCode(for: Data("echotext/device".utf8), using: SymmetricKey(data: name))
        share = SecretBytes(copying: Data(code))
    }

    /// The value that verifies that a file was made on this machine, without revealing the machine's share.
    func check(for vault: HexBytes) throws -> [UInt8] {
        Array(try share.authenticationCode(for: Data("echotext/machine".utf8) + vault.bytes).prefix(16))
    }
}

/// The file with the device secrets of one vault: one, or two while slots move from the old to the new.
///
/// Version 1 holds them directly; version 2 is written if one of them is in the security chip.
struct DeviceFile: Sendable {
    private static let magic = Array("echotext-device\n".utf8)
    private static let checksumCount = SHA256.byteCount
    private static let limit = 4_096
    /// The header of a secret of version 2.
    private enum Mark: UInt8 { case plain, sealed, sealedBehindCounter, announced }

    private let folder: GuardedFolder
    private let name: String
    private let vault: HexBytes
    private let machine: MachineIdentity

    init(in folder: GuardedFolder, vault: HexBytes, machine: MachineIdentity) {
        (self.folder, self.vault, self.machine) = (folder, vault, machine)
        name = Self.name(for: vault)
    }

    static func name(for vault: HexBytes) -> String { "\(vault.text).device" }

    /// Loads the secrets, the newest last.
    ///
    /// - Throws: ``VaultError/deviceSecretMissing`` also when the file was made on another machine,
    ///   ``VaultError/deviceSecretUnsafe``, ``VaultError/deviceSecretDamaged``.
    func load() throws -> [StoredDeviceSecret] {
        let secrets = try folder.read(name, limit: Self.limit, damage: .deviceSecretDamaged) { bytes in
            do {
                return try parse(bytes)
            } catch is BytesReader.Ended {
                throw VaultError.deviceSecretDamaged
            }
        }
        guard let secrets else { throw VaultError.deviceSecretMissing }
        return secrets
    }

    /// - Throws: As ``load()``, and ``BytesReader/Ended``.
    func parse(_ bytes: UnsafeRawBufferPointer) throws -> [StoredDeviceSecret] {
        guard bytes.count > Self.checksumCount else { throw VaultError.deviceSecretDamaged }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.checksumCount))
        guard SHA256.hash(data: content).elementsEqual(bytes.suffix(Self.checksumCount)) else {
            throw VaultError.deviceSecretDamaged
        }
        var reader = BytesReader(content)
        guard try reader.bytes(Self.magic.count) == Self.magic else { throw VaultError.deviceSecretDamaged }
        let (version, count) = (try reader.integer(UInt8.self), try reader.integer(UInt8.self))
        guard (1...2).contains(version), (1...2).contains(count) else { throw VaultError.deviceSecretDamaged }
        let secrets = try (0..<count).map { _ in
            StoredDeviceSecret(
                HexBytes(try reader.bytes(8)),
                try form(version == 1 ? .plain : Mark(rawValue: try reader.integer()), &reader)
            )
        }
        let check = try reader.bytes(16)
        guard reader.isAtEnd else { throw VaultError.deviceSecretDamaged }
        guard check == (try machine.check(for: vault)) else { throw VaultError.deviceSecretMissing }
        return secrets
    }

    private func form(_ mark: Mark?, _ reader: inout BytesReader) throws -> StoredDeviceSecret.Form {
        switch mark {
        case .plain: return .plain(SecretBytes(copying: try reader.take(DeviceSecret.count)))
        case .announced: return .announced(counter: try reader.integer())
        case .sealed, .sealedBehindCounter:
            let counter: UInt32? = mark == .sealedBehindCounter ? try reader.integer() : nil
            let parts = try (0..<2).map { _ in try reader.bytes(Int(try reader.integer(UInt16.self))) }
            return .sealed(SealedSecret(publicPart: parts[0], privatePart: parts[1], counter: counter))
        case nil: throw VaultError.deviceSecretDamaged
        }
    }

    func store(_ secrets: [StoredDeviceSecret]) throws {
        precondition((1...2).contains(secrets.count), "a device has 1 or 2 secrets of a vault, got \(secrets.count)")
        try mark()
        let version: UInt8 = secrets.allSatisfy(\.isPlain) ? 1 : 2
        let head = SecretBytes(copying: Self.magic + [version, UInt8(secrets.count)])
        let fields = secrets.flatMap { [SecretBytes(copying: $0.id.bytes)] + Self.fields(of: $0.form, version) }
        let tail = SecretBytes(copying: try machine.check(for: vault))
        let content = try SecretBytes(joining: [head] + fields + [tail])
        let checksum = try content.withUnsafeBytes { SecretBytes(copying: Data(SHA256.hash(data: $0))) }
        try SecretBytes(joining: [content, checksum]).withUnsafeBytes { try folder.write(name, $0) }
    }

    private static func fields(of form: StoredDeviceSecret.Form, _ version: UInt8) -> [SecretBytes] {
        switch form {
        case .plain(let bytes):
            return version == 1 ? [bytes] : [SecretBytes(copying: [Mark.plain.rawValue]), bytes]
        case .announced(let counter):
            return [SecretBytes(copying: [Mark.announced.rawValue] + counter.bigEndianBytes)]
        case .sealed(let sealed):
            let mark: Mark = sealed.counter == nil ? .sealed : .sealedBehindCounter
            let parts = [sealed.publicPart, sealed.privatePart].flatMap { UInt16($0.count).bigEndianBytes + $0 }
            return [SecretBytes(copying: [mark.rawValue] + (sealed.counter?.bigEndianBytes ?? []) + parts)]
        }
    }

    /// Asks programs that make backups to leave the folder out.
    private func mark() throws {
        // The signature is the one of the Cache Directory Tagging Specification (bford.info/cachedir).
        let tag =
            "Signature: 8a477f597d28d172789f06886806bc55\n# Secrets of this machine: not to be kept in a backup.\n"
        for (name, text) in [("CACHEDIR.TAG", tag), (".nobackup", "")] where !folder.contains(name) {
            try Array(text.utf8).withUnsafeBytes { try folder.write(name, $0) }
        }
    }

    func remove() throws { try folder.remove(name) }

    /// Whether an interrupted write has left a draft.
    var hasDraft: Bool { folder.containsDraft(of: name) }

    func discardDraft() throws { try folder.discardDraft(of: name) }
}
