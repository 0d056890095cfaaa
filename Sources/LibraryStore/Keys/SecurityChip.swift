import EchoText

/// A chip that keeps a secret so that only it can open it, and counts wrong tries where no copy of a disk sets them back.
///
/// Calls may overlap, also with those of other processes. Every call throws ``VaultError/tpmUnavailable`` when the chip is not there, does not
/// answer or refuses what is asked of it.
package protocol SecurityChip: Sendable {
    /// Seals 32 bytes, so that this chip alone opens them, until it is cleared.
    ///
    /// - Parameters:
    ///   - secret: The bytes.
    ///   - counter: What counts the wrong tries at them; `nil` for none, and no authorisation.
    /// - Returns: What is to be kept outside; it says nothing without the chip.
    /// - Throws: ``VaultError/tpmUnavailable``.
    func seal(_ secret: SecretBytes, behind counter: ChipCounter?) throws -> SealedSecret

    /// Opens what was sealed.
    ///
    /// - Parameters:
    ///   - sealed: What ``seal(_:behind:)`` returned.
    ///   - authorization: The counter's, where there is one; a wrong one is counted, a right one sets the count to 0.
    /// - Returns: The bytes; `nil` for a wrong authorisation.
    /// - Throws: ``VaultError/tpmLockedOut`` at the limit, also for the right one; ``VaultError/deviceSecretMissing`` when
    ///   another chip sealed it, this one has been cleared since, or the counter is gone.
    func unseal(_ sealed: SealedSecret, authorization: SecretBytes?) throws -> SecretBytes?

    /// Finds out whether ``unseal(_:authorization:)`` can succeed, without a try.
    ///
    /// - Throws: As that.
    func check(_ sealed: SealedSecret) throws

    /// An index at which there is no counter.
    func freeIndex() throws -> UInt32

    /// Creates a counter at a free index; it can be reset only with its authorisation.
    ///
    /// - Parameters:
    ///   - counter: Where, and with which authorisation.
    ///   - limit: How many wrong tries there may be in a row.
    /// - Throws: ``VaultError/tpmUnavailable``.
    func define(_ counter: ChipCounter, limit: UInt32) throws

    /// Takes a counter away, and with it all that was sealed behind it; one that is not there is well.
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
    /// Where its counter is; `nil` for none.
    package let counter: UInt32?

    package init(publicPart: [UInt8], privatePart: [UInt8], counter: UInt32?) {
        (self.publicPart, self.privatePart, self.counter) = (publicPart, privatePart, counter)
    }
}
