import EchoText
import Foundation

/// The file `slots.json`: the vault's secret, encrypted once for each credential, with a code that authenticates the
/// list.
///
/// Only the exact form in which it is written is accepted: compact JSON with sorted keys. So no key can be duplicated,
/// added or omitted.
struct SlotList: Sendable, Hashable, Codable {
    static let fileName = "slots.json"
    static let limit = 65_536
    private static let currentVersion = 1

    let version: Int
    /// 16 random bytes that never change.
    let vault: HexBytes
    /// Counts the writes of this file.
    var generation: UInt64
    /// The generation of the keyring that belongs to it, at least.
    var keyring: UInt64
    var slots: [KeySlot]
    /// HMAC-SHA256 over the file with this field empty, under a key of the vault's secret.
    private var mac = HexBytes([])

    init(vault: HexBytes) {
        version = Self.currentVersion
        self.vault = vault
        (generation, keyring, slots) = (0, 0, [])
    }

    // MARK: Reading

    /// - Throws: ``VaultError/slotsTooNew(version:)`` or ``VaultError/slotsDamaged``, before any slow operation.
    init(_ data: Data, floor: PasswordCost) throws {
        struct Version: Decodable { let version: Int }
        let decoder = JSONDecoder()
        guard let found = try? decoder.decode(Version.self, from: data).version else { throw VaultError.slotsDamaged }
        guard found <= Self.currentVersion else { throw VaultError.slotsTooNew(version: found) }
        // The exact difference would not help a person.
        guard found == Self.currentVersion, let list = try? decoder.decode(SlotList.self, from: data),
            try list.encoded() == data, list.isWellFormed(floor: floor)
        else { throw VaultError.slotsDamaged }
        self = list
    }

    private func isWellFormed(floor: PasswordCost) -> Bool {
        guard vault.bytes.count == 16, mac.bytes.count == 32 else { return false }
        guard slots.allSatisfy({ $0.isWellFormed(floor: floor) }), Set(slots.map(\.id)).count == slots.count else {
            return false
        }
        // A passcode slot never exists together with the device's own slot, or without a recovery code.
        let kinds = slots.map(\.type)
        return [[.device], [.device, .recovery], [.pin, .recovery], [.password, .recovery]].contains(kinds)
    }

    subscript(_ kind: KeySlot.Kind) -> KeySlot? { slots.first { $0.type == kind } }

    var passcodeSlot: KeySlot? { self[.pin] ?? self[.password] }

    /// The device secret that is in use.
    var device: HexBytes? { slots.compactMap(\.device).first }

    // MARK: Writing

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    func signed(with secret: SecretBytes) throws -> SlotList {
        var list = self
        list.mac = HexBytes(try key(of: secret).authenticationCode(for: unsigned()))
        return list
    }

    /// - Throws: ``VaultError/slotsDamaged`` when the list was modified.
    func verify(with secret: SecretBytes) throws {
        guard try key(of: secret).isValid(mac.bytes, for: unsigned()) else { throw VaultError.slotsDamaged }
    }

    private func unsigned() throws -> Data {
        var list = self
        list.mac = HexBytes([])
        return try list.encoded()
    }

    private func key(of secret: SecretBytes) throws -> SecretBytes {
        try secret.derive("echotext/slots", salt: vault.bytes)
    }
}
