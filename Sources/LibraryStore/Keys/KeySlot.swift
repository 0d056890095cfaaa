import EchoText
import Foundation

/// The vault's secret, encrypted under one credential.
struct KeySlot: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Codable {
        case device = "dev"
        case pin
        case password = "pw"
        case recovery = "rec"
    }

    let type: Kind
    /// 8 random bytes.
    let id: HexBytes
    /// Which device secret is mixed in; `nil` for the recovery code, which opens it anywhere.
    let device: HexBytes?
    /// The cost of a guess; `nil` where the credential is too long to be guessed.
    let cost: PasswordCost?
    /// 16 random bytes.
    let salt: HexBytes
    /// 32 bytes that commit to the key: ChaCha20-Poly1305 by itself would allow a ciphertext that several keys decrypt.
    let commitment: HexBytes
    /// 12 random bytes; the key is used once, for this slot.
    let nonce: HexBytes
    /// The secret's 32 bytes and a tag of 16.
    let sealed: HexBytes

    /// Whether the fields have the lengths, and are there or not, as the type demands; the cost also within its limits.
    func isWellFormed(floor: PasswordCost) -> Bool {
        let lengths = [id, salt, commitment, nonce, sealed].map(\.bytes.count)
        guard lengths == [8, PasswordCost.saltCount, 32, SecretBytes.nonceCount, 32 + SecretBytes.tagCount] else {
            return false
        }
        let isDeviceWell = type == .recovery ? device == nil : device?.bytes.count == 8
        switch type {
        case .pin, .password: return isDeviceWell && cost.map { $0.isAtLeast(floor) && $0.isWithinCap() } == true
        case .device, .recovery: return isDeviceWell && cost == nil
        }
    }
}

extension KeySlot {
    /// A credential for a slot, before any computing.
    enum Credential: Sendable {
        case device(DeviceSecret, MachineIdentity)
        case passcode(HashedPasscode, DeviceSecret, MachineIdentity)
        case recoveryCode(RecoveryCode)

        var kind: Kind {
            switch self {
            case .device: .device
            case .passcode(let passcode, _, _): passcode.kind == .pin ? .pin : .password
            case .recoveryCode: .recovery
            }
        }

        fileprivate var device: HexBytes? {
            switch self {
            case .device(let secret, _), .passcode(_, let secret, _): secret.id
            case .recoveryCode: nil
            }
        }

        fileprivate var passcode: HashedPasscode? {
            if case .passcode(let passcode, _, _) = self { passcode } else { nil }
        }

        /// The input of the key derivation.
        fileprivate var material: SecretBytes {
            get throws {
                switch self {
                case .device(let secret, let machine):
                    return try SecretBytes(joining: [secret.bytes, machine.share])
                case .passcode(let passcode, let secret, let machine):
                    return try SecretBytes(joining: [passcode.hash, secret.bytes, machine.share])
                case .recoveryCode(let code):
                    return code.symbols
                }
            }
        }

        /// The same with a passcode hashed again.
        func repeated() throws -> Credential {
            guard case .passcode(let passcode, let secret, let machine) = self else { return self }
            return .passcode(try passcode.repeated(), secret, machine)
        }
    }

    /// Seals `secret` for `credential`.
    init(sealing secret: SecretBytes, for credential: Credential, vault: HexBytes) throws {
        type = credential.kind
        id = HexBytes(SecretBytes.randomBytes(8))
        device = credential.device
        cost = credential.passcode?.cost
        salt = credential.passcode?.salt ?? HexBytes(SecretBytes.randomBytes(PasswordCost.saltCount))
        nonce = HexBytes(SecretBytes.randomBytes(SecretBytes.nonceCount))
        let wrapping = try Self.wrapping(type, id, salt, credential, vault)
        commitment = HexBytes(try wrapping[32..<64].withUnsafeBytes { Array($0) })
        let context = Self.context(type, id, device, cost, vault)
        sealed = HexBytes(try secret.sealed(under: wrapping[0..<32], nonce: nonce.bytes, binding: context))
    }

    /// Decrypts the secret; `nil` when the slot was made for another credential.
    ///
    /// A passcode has to be hashed with the slot's own salt and cost.
    func opened(with credential: Credential, vault: HexBytes) throws -> SecretBytes? {
        let wrapping = try Self.wrapping(type, id, salt, credential, vault)
        guard try wrapping[32..<64].isEqual(to: SecretBytes(copying: commitment.bytes)) else { return nil }
        let context = Self.context(type, id, device, cost, vault)
        return try SecretBytes.opened(sealed.bytes, under: wrapping[0..<32], nonce: nonce.bytes, binding: context)
    }

    /// 64 bytes: a key, then the commitment to it.
    private static func wrapping(
        _ type: Kind,
        _ id: HexBytes,
        _ salt: HexBytes,
        _ credential: Credential,
        _ vault: HexBytes
    ) throws -> SecretBytes {
        try credential.material
            .derive("echotext/slot/\(type.rawValue)", salt: vault.bytes + id.bytes + salt.bytes, count: 64)
    }

    private static func context(
        _ type: Kind,
        _ id: HexBytes,
        _ device: HexBytes?,
        _ cost: PasswordCost?,
        _ vault: HexBytes
    ) -> [UInt8] {
        let numbers = [UInt64(cost?.passes ?? 0), UInt64(cost?.memory ?? 0)].flatMap(\.bigEndianBytes)
        let device = device?.bytes ?? Array(repeating: 0, count: 8)
        return Array("echotext/slot/1/\(type.rawValue)\0".utf8) + id.bytes + vault.bytes + device + numbers
    }
}

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
