import Crypto
import EchoText
import Foundation

/// What only this machine has: D, 32 random bytes in a file of their own, to be mixed with M, which comes from the machine's name.
struct DeviceSecret: Sendable {
    static let count = 32

    /// Which one it is; slots name the one they were made with.
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

/// The machine's share of the keys, M: HMAC-SHA256 under the machine's id with the message `echotext/device`.
///
/// It lies outside the home folder, so that a backup of that folder alone opens nothing elsewhere. It is no secret on the machine
/// itself. A machine without an id has the empty key.
struct MachineIdentity: Sendable {
    let share: SecretBytes

    /// - Parameter path: `/etc/machine-id` but for tests.
    /// - Throws: ``VaultError`` when it is there and cannot be read.
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

    /// Tells whether a file was made on this machine, without giving away what it is mixed into.
    func check(for vault: HexBytes) throws -> [UInt8] {
        Array(try share.authenticationCode(for: Data("echotext/machine".utf8) + vault.bytes).prefix(16))
    }
}

/// The file with the device secrets of one vault: one, or two while slots move from the old to the new.
///
/// `"echotext-device\n"`, version 1 (1 byte), count 1 or 2 (1 byte), for each secret its id (8 bytes) and itself (32 bytes), the machine
/// check (16 bytes), SHA-256 of all that (32 bytes).
struct DeviceFile: Sendable {
    private static let magic = Array("echotext-device\n".utf8)
    private static let checksumCount = SHA256.byteCount
    private static let limit = 256

    private let folder: GuardedFolder
    private let name: String
    private let vault: HexBytes
    private let machine: MachineIdentity

    init(in folder: GuardedFolder, vault: HexBytes, machine: MachineIdentity) {
        (self.folder, self.vault, self.machine) = (folder, vault, machine)
        name = "\(vault.text).device"
    }

    /// The secrets, the newest last.
    ///
    /// - Throws: ``VaultError/deviceSecretMissing`` also when the file was made on another machine,
    ///   ``VaultError/deviceSecretUnsafe``, ``VaultError/deviceSecretDamaged``.
    func load() throws -> [DeviceSecret] {
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

    private func parse(_ bytes: UnsafeRawBufferPointer) throws -> [DeviceSecret] {
        guard bytes.count > Self.checksumCount else { throw VaultError.deviceSecretDamaged }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.checksumCount))
        guard SHA256.hash(data: content).elementsEqual(bytes.suffix(Self.checksumCount)) else {
            throw VaultError.deviceSecretDamaged
        }
        var reader = BytesReader(content)
        guard try reader.bytes(Self.magic.count) == Self.magic, try reader.integer(UInt8.self) == 1 else {
            throw VaultError.deviceSecretDamaged
        }
        let count = try reader.integer(UInt8.self)
        guard (1...2).contains(count) else { throw VaultError.deviceSecretDamaged }
        let secrets = try (0..<count).map { _ in
            DeviceSecret(
                id: HexBytes(try reader.bytes(8)),
                bytes: SecretBytes(copying: try reader.take(DeviceSecret.count))
            )
        }
        let check = try reader.bytes(16)
        guard reader.isAtEnd else { throw VaultError.deviceSecretDamaged }
        guard check == (try machine.check(for: vault)) else { throw VaultError.deviceSecretMissing }
        return secrets
    }

    func store(_ secrets: [DeviceSecret]) throws {
        precondition((1...2).contains(secrets.count), "a device has 1 or 2 secrets of a vault, got \(secrets.count)")
        try mark()
        let head = SecretBytes(copying: Self.magic + [1, UInt8(secrets.count)])
        let fields = secrets.flatMap { [SecretBytes(copying: $0.id.bytes), $0.bytes] }
        let tail = SecretBytes(copying: try machine.check(for: vault))
        let content = try SecretBytes(joining: [head] + fields + [tail])
        let checksum = try content.withUnsafeBytes { SecretBytes(copying: Data(SHA256.hash(data: $0))) }
        try SecretBytes(joining: [content, checksum]).withUnsafeBytes { try folder.write(name, $0) }
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

    /// Whether a broken-off write has left something.
    var hasDraft: Bool { folder.containsDraft(of: name) }

    func discardDraft() throws { try folder.discardDraft(of: name) }
}
