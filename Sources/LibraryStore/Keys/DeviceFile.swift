import Crypto
import EchoText
import Foundation

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
        name = "\(vault.text).device"
    }

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
