import Crypto
import EchoText
import Foundation

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
