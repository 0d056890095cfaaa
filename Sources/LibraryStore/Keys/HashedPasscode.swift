import EchoText

/// A passcode behind the slow hash that makes each guess at it dear.
struct HashedPasscode: Sendable {
    let kind: Passcode.Kind
    let cost: PasswordCost
    /// 16 random bytes.
    let salt: HexBytes
    /// 32 bytes.
    let hash: SecretBytes

    private let passcode: Passcode

    /// It takes the time that the cost implies.
    ///
    /// - Throws: As ``PasswordCost/hash(_:salt:count:)``.
    init(
        _ passcode: Passcode,
        cost: PasswordCost,
        salt: HexBytes = HexBytes(SecretBytes.randomBytes(PasswordCost.saltCount))
    ) throws {
        (self.passcode, self.cost, self.salt) = (passcode, cost, salt)
        kind = passcode.kind
        hash = try cost.hash(passcode.bytes, salt: salt.bytes, count: 32)
    }

    /// Hashes with a cost that is calibrated on this machine.
    ///
    /// The calibration measures a hash of the passcode itself, so that where the least cost is enough, nobody waits for
    /// another.
    ///
    /// - Throws: As ``PasswordCost/hash(_:salt:count:)``.
    static func calibrated(_ passcode: Passcode) throws -> HashedPasscode {
        let began = ContinuousClock.now
        let hashed = try HashedPasscode(passcode, cost: .floor)
        let duration = ContinuousClock.now - began
        let cost = PasswordCost.calibrated { _ in duration }
        return cost == hashed.cost ? hashed : try HashedPasscode(passcode, cost: cost)
    }

    /// Computed a second time, to detect a memory error during the first.
    func repeated() throws -> HashedPasscode { try HashedPasscode(passcode, cost: cost, salt: salt) }

    /// The value that the security chip gets instead of the passcode.
    var authorization: SecretBytes {
        get throws { try hash.derive("echotext/chip", salt: salt.bytes) }
    }
}
