import EchoText
import Foundation

/// The keys that are in use between two rotations.
struct KeyEpoch: Sendable {
    let number: UInt32
    /// Seconds since 1970.
    let created: Int64
    /// Seconds since 1970, 0 while it is the newest.
    var retired: Int64
    /// The 32-byte scalar of an X25519 key, as age uses it.
    let ageIdentity: SecretBytes
    /// 32 bytes.
    let databaseKey: SecretBytes

    init(number: UInt32, created: Int64) {
        (self.number, self.created, retired) = (number, created, 0)
        ageIdentity = SecretBytes(randomBytes: 32)
        databaseKey = SecretBytes(randomBytes: 32)
    }

    fileprivate init(_ reader: inout BytesReader) throws {
        number = try reader.integer()
        created = try reader.integer()
        retired = try reader.integer()
        ageIdentity = SecretBytes(copying: try reader.take(32))
        databaseKey = SecretBytes(copying: try reader.take(32))
    }

    fileprivate var parts: [SecretBytes] {
        let numbers = number.bigEndianBytes + created.bigEndianBytes + retired.bigEndianBytes
        return [SecretBytes(copying: numbers), ageIdentity, databaseKey]
    }
}

/// The file `keyring.bin`: every epoch's keys, encrypted under a key derived from the vault's secret.
///
/// `"echotext-keyring"`, version 1 (1 byte), generation (8 bytes), nonce (12 bytes), then ChaCha20-Poly1305 of the
/// count (2 bytes) and the epochs, oldest first, 84 bytes each. The additional authenticated data is everything before
/// the nonce, and the vault's id.
struct Keyring: Sendable {
    static let fileName = "keyring.bin"
    private static let magic = Array("echotext-keyring".utf8)
    private static let epochLimit = 512
    private static let limit = 65_536

    private(set) var generation: UInt64
    /// Oldest first, at least one.
    private(set) var epochs: [KeyEpoch]

    init(now: Int64) {
        generation = 1
        epochs = [KeyEpoch(number: 1, created: now)]
    }

    /// Returns a keyring with a new epoch; the older ones remain for what was encrypted with them.
    ///
    /// - Throws: ``VaultError/system(errno:)`` when the maximum number of epochs is reached.
    func rotated(now: Int64) throws -> Keyring {
        guard epochs.count < Self.epochLimit, generation < .max, let newest = epochs.last, newest.number < .max else {
            throw VaultError.system(errno: ENOSPC)
        }
        var keyring = self
        keyring.generation += 1
        keyring.epochs[epochs.count - 1].retired = now
        keyring.epochs.append(KeyEpoch(number: newest.number + 1, created: now))
        return keyring
    }

    /// - Throws: ``VaultError/slotsDamaged`` when the file is missing, not authentic or older than the slots.
    static func load(from folder: GuardedFolder, secret: SecretBytes, vault: HexBytes, atLeast: UInt64) throws
        -> Keyring
    {
        let keyring = try folder.read(fileName, limit: limit, damage: .slotsDamaged) { bytes in
            do {
                return try Keyring(bytes, secret: secret, vault: vault)
            } catch is BytesReader.Ended {
                throw VaultError.slotsDamaged
            }
        }
        guard let keyring, keyring.generation >= atLeast else { throw VaultError.slotsDamaged }
        return keyring
    }

    /// - Throws: ``VaultError/slotsDamaged`` or ``BytesReader/Ended``.
    init(_ bytes: UnsafeRawBufferPointer, secret: SecretBytes, vault: HexBytes) throws {
        var reader = BytesReader(bytes)
        guard try reader.bytes(Self.magic.count) == Self.magic, try reader.integer(UInt8.self) == 1 else {
            throw VaultError.slotsDamaged
        }
        generation = try reader.integer()
        let nonce = try reader.bytes(SecretBytes.nonceCount)
        let sealed = try reader.bytes(bytes.count - Self.magic.count - 9 - nonce.count)
        let key = try Self.key(of: secret, vault: vault)
        let context = Self.context(generation, vault)
        guard let plain = try SecretBytes.opened(sealed, under: key, nonce: nonce, binding: context) else {
            throw VaultError.slotsDamaged
        }
        epochs = try plain.withUnsafeBytes { bytes in
            var reader = BytesReader(bytes)
            let count = Int(try reader.integer(UInt16.self))
            return try (0..<count).map { _ in try KeyEpoch(&reader) }
        }
        guard !epochs.isEmpty else { throw VaultError.slotsDamaged }
    }

    func store(in folder: GuardedFolder, secret: SecretBytes, vault: HexBytes) throws {
        let count = SecretBytes(copying: UInt16(epochs.count).bigEndianBytes)
        let plain = try SecretBytes(joining: [count] + epochs.flatMap(\.parts))
        let file = try Self.sealed(plain, generation: generation, secret: secret, vault: vault)
        try file.withUnsafeBytes { bytes in
            try folder.write(Self.fileName, bytes) { draft in
                _ = try folder.read(draft, limit: Self.limit, damage: .slotsDamaged) {
                    try Keyring($0, secret: secret, vault: vault)
                }
            }
        }
    }

    /// The file with these epochs, and how many they are, in it.
    static func sealed(_ plain: SecretBytes, generation: UInt64, secret: SecretBytes, vault: HexBytes) throws -> [UInt8]
    {
        let nonce = SecretBytes.randomBytes(SecretBytes.nonceCount)
        let key = try key(of: secret, vault: vault)
        return head(generation) + nonce
            + (try plain.sealed(under: key, nonce: nonce, binding: context(generation, vault)))
    }

    private static func head(_ generation: UInt64) -> [UInt8] { magic + [1] + generation.bigEndianBytes }

    private static func context(_ generation: UInt64, _ vault: HexBytes) -> [UInt8] { head(generation) + vault.bytes }

    private static func key(of secret: SecretBytes, vault: HexBytes) throws -> SecretBytes {
        try secret.derive("echotext/keyring", salt: vault.bytes)
    }
}

/// All keys of an open vault.
package final class VaultKeys: Sendable {
    /// The vault's name: 16 random bytes that never change and are no secret.
    package let vaultID: HexBytes
    /// An identity for each epoch, newest first.
    package let ageIdentities: [SecretBytes]
    /// A key for each epoch, newest first: the database is encrypted with the first, unless a rotation is unfinished.
    package let databaseKeys: [SecretBytes]
    /// Whether this machine has seen a newer list of slots than the opened one: the library may be an older copy.
    package let isOlderThanSeen: Bool
    /// The vault's secret, from which everything else is derived; only processes of the same user may receive it.
    package let secret: SecretBytes

    init(secret: SecretBytes, keyring: Keyring, vault: HexBytes, isOlderThanSeen: Bool) {
        self.secret = secret
        self.isOlderThanSeen = isOlderThanSeen
        vaultID = vault
        ageIdentities = keyring.epochs.reversed().map(\.ageIdentity)
        databaseKeys = keyring.epochs.reversed().map(\.databaseKey)
    }

    package var databaseKey: SecretBytes { databaseKeys[0] }

    /// Derives a key of 32 bytes for one purpose; it depends on the vault and the name only, not on rotations.
    ///
    /// - Throws: ``VaultError/locked`` after ``wipe()``.
    package func purposeKey(_ purpose: String) throws -> SecretBytes {
        try secret.derive("echotext/purpose/\(purpose)", salt: vaultID.bytes)
    }

    /// Overwrites all of them; every later use throws ``VaultError/locked``.
    package func wipe() {
        for key in ageIdentities + databaseKeys + [secret] { key.wipe() }
    }
}
