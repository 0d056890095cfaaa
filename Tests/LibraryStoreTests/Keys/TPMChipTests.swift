import EchoText
import EchoTextTesting
import Foundation
import LibraryStore
import Testing

/// The chip itself, without a vault.
@Suite("TPM chip", .endsInTime, .enabled(if: SoftwareChip.isInstalled))
struct TPMChipTests {
    private let device: SoftwareChip
    private let secret = SecretBytes(randomBytes: 32)
    private let wrong = SecretBytes(randomBytes: 32)

    init() throws { device = try SoftwareChip() }

    private func counter(limit: UInt32 = 5) throws -> ChipCounter {
        let counter = ChipCounter(
            index: try device.chip.freeIndex(),
            authorization: SecretBytes(randomBytes: 32)
        )
        try device.chip.define(counter, limit: limit)
        return counter
    }

    private func opens(_ sealed: SealedSecret, _ authorization: SecretBytes?) throws -> Bool {
        guard let opened = try device.chip.unseal(sealed, authorization: authorization) else { return false }
        return try opened.copy == secret.copy
    }

    @Test("opens what it sealed, also after its power was cut")
    func seals() throws {
        let sealed = try device.chip.seal(secret, behind: nil)
        #expect(try opens(sealed, nil))
        try device.cutPower()
        try device.chip.check(sealed)
        #expect(try opens(sealed, nil))
    }

    @Test("counts wrong tries, and starts again after a right one")
    func counts() throws {
        let counter = try counter()
        let sealed = try device.chip.seal(secret, behind: counter)
        for _ in 0..<4 { #expect(try !opens(sealed, wrong)) }
        #expect(try device.tries(at: counter.index) == [4, 5])
        #expect(try opens(sealed, counter.authorization))
        #expect(try device.tries(at: counter.index) == [0, 5])
    }

    @Test("opens nothing behind a counter without its authorization")
    func needsAuthorization() throws {
        let counter = try counter()
        let sealed = try device.chip.seal(secret, behind: counter)
        #expect(try device.chip.unseal(sealed, authorization: nil) == nil)
        let bare = SealedSecret(publicPart: sealed.publicPart, privatePart: sealed.privatePart, counter: nil)
        #expect(throws: VaultError.self) { try device.chip.unseal(bare, authorization: nil) }
    }

    @Test("keeps the count when its power is cut at once, and at the limit refuses the right authorization too")
    func limit() throws {
        let counter = try counter()
        let sealed = try device.chip.seal(secret, behind: counter)
        for tries in 1...5 as ClosedRange<UInt32> {
            #expect(try !opens(sealed, wrong))
            try device.cutPower()
            #expect(try device.tries(at: counter.index) == [tries, 5])
        }
        #expect(throws: VaultError.tpmLockedOut) { try device.chip.check(sealed) }
        for authorization in [counter.authorization, wrong] {
            #expect(throws: VaultError.tpmLockedOut) { try opens(sealed, authorization) }
        }
        #expect(try device.tries(at: counter.index) == [5, 5])
    }

    @Test("opens nothing sealed behind a counter that was deleted and defined alike by another")
    func counterDefinedAlike() throws {
        let counter = try counter()
        let sealed = try device.chip.seal(secret, behind: counter)
        try device.chip.deleteCounter(at: counter.index)
        #expect(throws: VaultError.deviceSecretMissing) { try opens(sealed, counter.authorization) }
        try device.chip.define(ChipCounter(index: counter.index, authorization: wrong), limit: 5)
        #expect(throws: VaultError.deviceSecretMissing) { try opens(sealed, wrong) }
    }

    @Test("opens nothing that another chip sealed, or whose bytes were changed")
    func foreign() throws {
        let other = try SoftwareChip()
        let sealed = try other.chip.seal(secret, behind: nil)
        #expect(throws: VaultError.deviceSecretMissing) { try opens(sealed, nil) }
        #expect(throws: VaultError.deviceSecretMissing) { try device.chip.check(sealed) }
        var bytes = sealed.privatePart
        bytes[40] ^= 1
        let changed = SealedSecret(publicPart: sealed.publicPart, privatePart: bytes, counter: nil)
        #expect(throws: VaultError.deviceSecretMissing) { try other.chip.unseal(changed, authorization: nil) }
    }

    @Test("is unavailable without power or at an address where there is none")
    func unavailable() throws {
        let sealed = try device.chip.seal(secret, behind: nil)
        device.powerOff()
        for chip in [device.chip, TPMChip(address: "swtpm:path=/nowhere"), TPMChip(address: "nonsense")] {
            #expect(throws: VaultError.tpmUnavailable) { try chip.unseal(sealed, authorization: nil) }
            #expect(throws: VaultError.tpmUnavailable) { try chip.check(sealed) }
            #expect(throws: VaultError.tpmUnavailable) { try chip.freeIndex() }
            #expect(throws: VaultError.tpmUnavailable) { try chip.deleteCounter(at: 0x0180_0000) }
        }
    }

    @Test("leaves no object and no session in the chip, whatever a call came to")
    func flushes() throws {
        let counter = try counter(limit: 2)
        let sealed = try device.chip.seal(secret, behind: counter)
        #expect(try opens(sealed, counter.authorization))
        for _ in 0..<2 { #expect(try !opens(sealed, wrong)) }
        #expect(throws: VaultError.tpmLockedOut) { try opens(sealed, wrong) }
        #expect(throws: VaultError.tpmUnavailable) { try device.chip.define(counter, limit: 5) }
        #expect(try device.contents() == SoftwareChip.Contents(objects: 0, sessions: 0, counters: 1))
        try device.chip.deleteCounter(at: counter.index)
        try device.chip.deleteCounter(at: counter.index)
        #expect(try device.contents() == SoftwareChip.Contents())
    }
}
