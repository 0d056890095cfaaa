import CSodium
import EchoText
import Foundation

/// The cost of one guess at a passcode: the parameters of Argon2id (RFC 9106) for libsodium's `crypto_pwhash`.
package struct PasswordCost: Sendable, Hashable, Codable {
    /// Passes over the memory.
    package var passes: Int
    /// In bytes.
    package var memory: Int

    package init(passes: Int, memory: Int) {
        (self.passes, self.memory) = (passes, memory)
    }

    /// The minimum cost of new vaults, and of accepted ones: 256 MiB, three passes.
    package static let floor = PasswordCost(passes: 3, memory: 256 << 20)

    /// The most memory that a file may demand, in bytes: that of every vault.
    ///
    /// A file that demands more would exhaust this machine's memory.
    static let memoryCap = floor.memory

    /// The most work that a file may ask for, in bytes times passes: 8 GiB, about 10 seconds at the 0.8 GiB/s of a slow machine.
    static let workCap = 8 << 30

    /// libsodium's own least, for tests.
    package static let least = PasswordCost(passes: 1, memory: 8_192)

    func isWithinCap() -> Bool {
        guard passes >= 1, memory >= 8_192, memory <= Self.memoryCap else { return false }
        let (work, overflows) = passes.multipliedReportingOverflow(by: memory)
        return !overflows && work <= Self.workCap
    }

    func isAtLeast(_ floor: PasswordCost) -> Bool { passes >= floor.passes && memory >= floor.memory }

    /// Calibrates a cost of 0.7 to 1.0 seconds on this machine, as far as whole passes allow, but at least ``floor``.
    ///
    /// - Parameter measure: Returns the time of a hash with a cost.
    /// - Returns: The cost.
    /// - Throws: What `measure` throws.
    static func calibrated(measure: (PasswordCost) throws -> Duration) rethrows -> PasswordCost {
        var cost = floor
        let pass = try measure(cost) / cost.passes
        guard pass > .zero else { return cost }
        while pass * cost.passes < .milliseconds(700) {
            cost.passes += 1
            guard cost.isWithinCap() else { return PasswordCost(passes: cost.passes - 1, memory: cost.memory) }
        }
        return cost
    }

    static let saltCount = Int(crypto_pwhash_SALTBYTES)

    /// Computes Argon2id, version 1.3, with one lane.
    ///
    /// - Throws: ``VaultError/slotsDamaged`` for a cost beyond the cap, and ``VaultError/system(errno:)`` when there is
    ///   not enough memory.
    func hash(_ password: SecretBytes, salt: [UInt8], count: Int) throws -> SecretBytes {
        precondition(
            salt.count == Self.saltCount,
            "Argon2id takes \(Self.saltCount) bytes of salt here, got \(salt.count)"
        )
        guard isWithinCap() else { throw VaultError.slotsDamaged }
        return try password.withUnsafeBytes { password in
            try SecretBytes(count: count) { output in
                guard let start = output.baseAddress, let typed = password.baseAddress else { throw VaultError.locked }
                let status = crypto_pwhash(
                    start.assumingMemoryBound(to: UInt8.self),
                    UInt64(output.count),
                    typed.assumingMemoryBound(to: CChar.self),
                    UInt64(password.count),
                    salt,
                    UInt64(passes),
                    memory,
                    crypto_pwhash_ALG_ARGON2ID13
                )
                guard status == 0 else { throw VaultError.system(errno: ENOMEM) }
            }
        }
    }
}
