import EchoText

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
