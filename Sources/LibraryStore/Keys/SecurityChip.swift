import CTPM
import EchoText
import Glibc

/// A chip that encrypts a secret so that only it can decrypt it, and counts wrong tries where no copy of a disk can
/// reset them.
///
/// Calls may overlap, also with those of other processes. Every call throws ``VaultError/tpmUnavailable`` when the chip
/// is missing, does not respond or refuses the request.
package protocol SecurityChip: Sendable {
    /// Seals 32 bytes, so that only this chip can unseal them, until it is cleared.
    ///
    /// - Parameters:
    ///   - secret: The bytes.
    ///   - counter: The counter of wrong tries; `nil` for none, and no authorization.
    /// - Returns: The sealed secret, which is useless without the chip.
    /// - Throws: ``VaultError/tpmUnavailable``.
    func seal(_ secret: SecretBytes, behind counter: ChipCounter?) throws -> SealedSecret

    /// Unseals a secret.
    ///
    /// - Parameters:
    ///   - sealed: What ``seal(_:behind:)`` returned.
    ///   - authorization: The authorization of the counter, if there is one; a wrong one is counted, a right one resets
    ///     the count.
    /// - Returns: The bytes; `nil` for a wrong authorization.
    /// - Throws: ``VaultError/tpmLockedOut`` at the limit, even for a right authorization;
    ///   ``VaultError/deviceSecretMissing`` when another chip sealed it, this one has been cleared since, or the
    ///   counter is gone.
    func unseal(_ sealed: SealedSecret, authorization: SecretBytes?) throws -> SecretBytes?

    /// Finds out whether ``unseal(_:authorization:)`` can succeed, without a try.
    ///
    /// - Throws: As that.
    func check(_ sealed: SealedSecret) throws

    /// An index at which there is no counter.
    func freeIndex() throws -> UInt32

    /// Creates a counter at a free index; it can be reset only with its authorization.
    ///
    /// - Parameters:
    ///   - counter: The index and the authorization.
    ///   - limit: The limit of consecutive wrong tries.
    /// - Throws: ``VaultError/tpmUnavailable``.
    func define(_ counter: ChipCounter, limit: UInt32) throws

    /// Deletes a counter, and with it everything sealed with it; a missing one is no error.
    func deleteCounter(at index: UInt32) throws
}

/// A counter of wrong tries in a chip.
package struct ChipCounter: Sendable {
    package let index: UInt32
    /// 32 bytes.
    package let authorization: SecretBytes

    package init(index: UInt32, authorization: SecretBytes) {
        (self.index, self.authorization) = (index, authorization)
    }
}

/// A secret as a chip has sealed it.
package struct SealedSecret: Sendable, Hashable {
    /// `TPM2B_PUBLIC` and `TPM2B_PRIVATE` of the sealed object, as the TPM marshals them.
    package let publicPart: [UInt8]
    package let privatePart: [UInt8]
    /// The index of its counter; `nil` for none.
    package let counter: UInt32?

    package init(publicPart: [UInt8], privatePart: [UInt8], counter: UInt32?) {
        (self.publicPart, self.privatePart, self.counter) = (publicPart, privatePart, counter)
    }
}

/// A TPM 2.0 that is reached by tpm2-tss.
package struct TPMChip: SecurityChip {
    private let address: String

    /// - Parameter address: A tpm2-tss TCTI string, such as `device:/dev/tpmrm0`.
    package init(address: String) { self.address = address }

    /// The way to the chip of this machine; `nil` where there is none that this person may use.
    package static var addressOnThisMachine: String? {
        let path = "/dev/tpmrm0"
        return access(path, R_OK | W_OK) == 0 ? "device:\(path)" : nil
    }

    // MARK: Secrets

    package func seal(_ secret: SecretBytes, behind counter: ChipCounter?) throws -> SealedSecret {
        var sealed = ctpm_sealed()
        let status = try connected { chip in
            try Self.lending(secret) { secret in
                try Self.lending(counter?.authorization) { authorization in
                    ctpm_seal(chip, secret, counter?.index ?? 0, authorization, &sealed)
                }
            }
        }
        try Self.check(status)
        return SealedSecret(
            publicPart: Self.bytes(of: &sealed.public_part),
            privatePart: Self.bytes(of: &sealed.private_part),
            counter: counter?.index
        )
    }

    package func unseal(_ sealed: SealedSecret, authorization: SecretBytes?) throws -> SecretBytes? {
        guard sealed.counter == nil || authorization != nil else { return nil }
        var object = try Self.object(sealed)
        var status = CTPM_UNAVAILABLE
        let secret = try SecretBytes(count: Int(CTPM_SECRET_SIZE)) { buffer in
            status = try connected { chip in
                try Self.lending(authorization) { authorization in
                    ctpm_unseal(chip, &object, sealed.counter ?? 0, authorization, buffer.baseAddress)
                }
            }
        }
        if status == CTPM_WRONG_AUTH { return nil }
        try Self.check(status)
        return secret
    }

    package func check(_ sealed: SealedSecret) throws {
        var object = try Self.object(sealed)
        try Self.check(
            connected { chip in
                let status = ctpm_check(chip, &object)
                guard status == CTPM_OK, let index = sealed.counter else { return status }
                var (count, limit): (UInt32, UInt32) = (0, 0)
                let found = ctpm_read_counter(chip, index, &count, &limit)
                return found == CTPM_OK && count >= limit ? CTPM_LOCKED_OUT : found
            }
        )
    }

    // MARK: Counters

    package func freeIndex() throws -> UInt32 {
        try connected { chip in
            // Few indices of four million are in use: more than one attempt is rare, and a hundred indicate another
            // problem.
            for _ in 0..<100 {
                let index = UInt32.random(in: CTPM_FIRST_INDEX...CTPM_LAST_INDEX)
                var (count, limit): (UInt32, UInt32) = (0, 0)
                let status = ctpm_read_counter(chip, index, &count, &limit)
                if status == CTPM_MISSING { return index }
                if status == CTPM_UNAVAILABLE { break }
            }
            throw VaultError.tpmUnavailable
        }
    }

    package func define(_ counter: ChipCounter, limit: UInt32) throws {
        let status = try connected { chip in
            try Self.lending(counter.authorization) { ctpm_define_counter(chip, counter.index, $0, limit) }
        }
        guard status == CTPM_OK else { throw VaultError.tpmUnavailable }
    }

    package func deleteCounter(at index: UInt32) throws {
        let status = try connected { ctpm_delete_counter($0, index) }
        guard status != CTPM_MISSING, status != CTPM_OCCUPIED else { return }
        try Self.check(status)
    }

    // MARK: The connection

    private func connected<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        var chip: OpaquePointer?
        guard ctpm_open(address, &chip) == CTPM_OK, let chip else { throw VaultError.tpmUnavailable }
        defer { ctpm_close(chip) }
        return try body(chip)
    }

    private static func check(_ status: ctpm_status) throws {
        switch status {
        case CTPM_OK: return
        case CTPM_LOCKED_OUT: throw VaultError.tpmLockedOut
        case CTPM_FOREIGN, CTPM_MISSING, CTPM_OCCUPIED: throw VaultError.deviceSecretMissing
        default: throw VaultError.tpmUnavailable
        }
    }

    private static func lending<Result>(
        _ secret: SecretBytes?,
        _ body: (UnsafePointer<UInt8>?) throws -> Result
    ) throws -> Result {
        guard let secret else { return try body(nil) }
        precondition(secret.count == Int(CTPM_SECRET_SIZE), "the chip takes 32 bytes, got \(secret.count)")
        return try secret.withUnsafeBytes { try body($0.bindMemory(to: UInt8.self).baseAddress) }
    }

    private static func object(_ sealed: SealedSecret) throws -> ctpm_sealed {
        var object = ctpm_sealed()
        guard fill(&object.public_part, with: sealed.publicPart), fill(&object.private_part, with: sealed.privatePart)
        else { throw VaultError.deviceSecretDamaged }
        return object
    }

    private static func fill(_ part: inout ctpm_part, with bytes: [UInt8]) -> Bool {
        guard bytes.count <= Int(CTPM_PART_LIMIT) else { return false }
        part.count = bytes.count
        withUnsafeMutableBytes(of: &part.bytes) { $0.copyBytes(from: bytes) }
        return true
    }

    private static func bytes(of part: inout ctpm_part) -> [UInt8] {
        let count = part.count
        return withUnsafeBytes(of: &part.bytes) { Array($0.prefix(count)) }
    }
}
