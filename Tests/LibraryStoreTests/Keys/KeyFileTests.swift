import EchoText
import Foundation
import Testing

@testable import LibraryStore

/// Files with a valid code or encryption and invalid numbers.
@Suite("Numbers in files of keys")
struct KeyFileTests {
    private static let key = SecretBytes(copying: [UInt8](repeating: 9, count: 32))
    private static let vault = HexBytes([UInt8](0..<16))
    private static let moment = AttemptRecord.Moment(wall: 1 << 40, boottime: 1 << 30, boot: vault)

    private func read(_ change: (inout AttemptRecord) -> Void) throws -> AttemptRecord? {
        var record = AttemptRecord(now: Self.moment)
        change(&record)
        let code = try Self.key.authenticationCode(for: Data(record.encoded))
        return try (record.encoded + code).withUnsafeBytes { try AttemptRecord($0, key: Self.key) }
    }

    @Test("of attempts are read as they were written")
    func attempts() throws {
        let record = try read { $0.wait = 30_000 }
        #expect(record?.wait == 30_000)
        #expect(record?.since == Self.moment)
    }

    @Test("that cannot be reckoned with make a record of attempts worth nothing")
    func attemptsBeyondReckoning() throws {
        let edits: [(inout AttemptRecord) -> Void] = [
            { $0.wait = .min }, { $0.since.wall = .min }, { $0.since.boottime = .min }, { $0.latestWall = .max },
            { $0.lastRecovery = .max }, { $0.generation = .max },
        ]
        for edit in edits { #expect(try read(edit) == nil) }
    }

    @Test("that cannot be counted on keep a keyring from being rotated")
    func lastEpoch() throws {
        let epoch = UInt32.max.bigEndianBytes + [UInt8](repeating: 3, count: 16 + 64)
        let plain = SecretBytes(copying: [0, 1] + epoch)
        let file = try Keyring.sealed(plain, generation: 4, secret: Self.key, vault: Self.vault)
        let keyring = try file.withUnsafeBytes { try Keyring($0, secret: Self.key, vault: Self.vault) }
        #expect(keyring.epochs.map(\.number) == [.max])
        #expect(throws: VaultError.system(errno: ENOSPC)) { try keyring.rotated(now: 5) }
    }
}
