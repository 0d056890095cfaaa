import EchoText
import Foundation

/// Counts wrong passcodes before they are tried, and delays the next attempt; all ways to the vault share it.
///
/// The record is stored twice: in the device's folder and, written first, in the library's folder. The higher
/// generation counts, so that restoring an old copy of either shortens nothing. If one of the two is missing or not
/// authentic, or the device's is older than an interrupted write explains, it was tampered with, and a wait of a day
/// begins. None of this delays the recovery code.
struct AttemptLedger: Sendable {
    private static let witnessName = "attempts.bin"
    /// Between two recovery codes, in milliseconds.
    private static let recoveryPause: Int64 = 1_000

    private let device: GuardedFolder
    private let library: GuardedFolder
    private let name: String
    private let lockName: String
    private let key: SecretBytes
    private let clocks: VaultClocks

    init(
        device: GuardedFolder,
        library: GuardedFolder,
        vault: HexBytes,
        machine: MachineIdentity,
        clocks: VaultClocks
    ) throws {
        (self.device, self.library, self.clocks) = (device, library, clocks)
        name = "\(vault.text).attempts"
        lockName = "\(vault.text).lock"
        key = try machine.share.derive("echotext/attempts", salt: vault.bytes)
    }

    /// Runs `body` while nobody else tries, changes or counts anything.
    ///
    /// - Throws: ``VaultError/attemptInProgress``.
    func excludingOthers<Result>(_ body: () throws -> Result) throws -> Result {
        try device.excluding(lockName, body)
    }

    // MARK: Waits

    /// The wait before the next passcode; a record with signs of tampering is repaired, unless another process is
    /// writing it.
    func remainingWait() throws -> Duration {
        let now = try moment()
        if let record = try found() { return .milliseconds(record.remaining(at: now)) }
        do {
            return .milliseconds(try excludingOthers { try load(at: now).remaining(at: now) })
        } catch VaultError.attemptInProgress {
            return .milliseconds(AttemptRecord.longestWait)
        }
    }

    /// Counts a passcode as wrong, durably, and then tries it.
    ///
    /// The count is reset when `attempt` succeeds. Call it inside ``excludingOthers(_:)``.
    ///
    /// - Parameter attempt: Throws for a wrong passcode; receives the remaining free tries, and the wait that a wrong
    ///   passcode causes.
    /// - Returns: What `attempt` returned.
    /// - Throws: ``VaultError/lockedOut(wait:)``, and what `attempt` throws.
    func counting<Result>(_ attempt: (_ freeTries: Int, _ wait: Duration) throws -> Result) throws -> Result {
        let now = try moment()
        var record = try load(at: now).moved(to: now)
        guard record.wait == 0 else {
            try store(record)
            throw VaultError.lockedOut(wait: .milliseconds(record.wait))
        }
        record.failures = min(record.failures, .max - 1) + 1
        record.wait = AttemptRecord.wait(afterFailures: record.failures)
        try store(record)
        return try attempt(max(0, 4 - Int(record.failures)), .milliseconds(record.wait))
    }

    /// Records an attempt with a recovery code, which must be at least a second after the last one.
    ///
    /// Call it inside ``excludingOthers(_:)``.
    ///
    /// - Throws: ``VaultError/lockedOut(wait:)``.
    func noteRecovery(isPasscodeSet: Bool) throws {
        let now = try moment()
        var record = try load(at: now, isExpected: isPasscodeSet).moved(to: now)
        if record.lastRecovery >= 0 {
            let wait = record.lastRecovery + Self.recoveryPause - now.boottime
            guard wait <= 0 else { throw VaultError.lockedOut(wait: .milliseconds(min(wait, Self.recoveryPause))) }
        }
        record.lastRecovery = now.boottime
        try store(record)
    }

    /// Starts the count again, because a credential was right or a passcode is new.
    ///
    /// - Parameter slots: The generation of the list that was opened.
    /// - Throws: ``VaultError`` when the record cannot be written.
    func reset(slots: UInt64) throws {
        let now = try moment()
        var record = try load(at: now, isExpected: false).moved(to: now)
        (record.failures, record.wait, record.slotsSeen) = (0, 0, max(slots, record.slotsSeen))
        try store(record)
    }

    /// Whether a newer list of slots than this has been opened here.
    func hasSeenNewer(than slots: UInt64) throws -> Bool {
        try newest().map { $0.slotsSeen > slots } ?? false
    }

    /// Deletes both records, together with the vault.
    ///
    /// - Throws: Errors of the system.
    func remove() throws {
        try library.remove(Self.witnessName)
        try device.remove(name)
    }

    // MARK: The record

    /// - Throws: ``VaultError/clockMoved``: a wait must not end because the program was shown another time.
    private func moment() throws -> AttemptRecord.Moment {
        guard try !clocks.isMoved() else { throw VaultError.clockMoved }
        return AttemptRecord.Moment(
            wall: clocks.wall(),
            boottime: clocks.boottime(),
            boot: try clocks.bootID(),
            isSynchronised: clocks.isSynchronised()
        )
    }

    /// Loads the valid record; one that was tampered with is replaced by a wait of a day.
    ///
    /// - Parameters:
    ///   - now: The current moment.
    ///   - isExpected: Whether there must be a record, because there is a passcode.
    /// - Returns: The stored record.
    /// - Throws: ``VaultError`` when a file cannot be read, or the new wait cannot be written.
    private func load(at now: AttemptRecord.Moment, isExpected: Bool = true) throws -> AttemptRecord {
        if let record = try found() {
            try finishWrite(of: record)
            return record
        }
        let newest = try newest()
        guard isExpected else { return newest ?? AttemptRecord(now: now) }
        var penalty = newest ?? AttemptRecord(now: now)
        penalty.since = now
        penalty.failures = max(penalty.failures, 11)
        penalty.wait = AttemptRecord.longestWait
        try store(penalty)
        return penalty
    }

    /// The record that counts; `nil` when it has been tampered with.
    private func found() throws -> AttemptRecord? {
        // The witness is read first, as it is written first: a write meanwhile makes the device's record newer, never
        // older.
        let witness = try read(Self.witnessName, in: library)
        guard let record = try read(name, in: device), let witness else { return nil }
        // If it is one write behind, a process ended between the two writes. The other way round, the library is an
        // older copy.
        guard record.generation < witness.generation else { return record }
        return record.generation + 1 == witness.generation ? witness : nil
    }

    private func newest() throws -> AttemptRecord? {
        let records = [try read(Self.witnessName, in: library), try read(name, in: device)]
        return records.compactMap(\.self).max { $0.generation < $1.generation }
    }

    /// `nil` when it is missing or not authentic.
    private func read(_ name: String, in folder: GuardedFolder) throws -> AttemptRecord? {
        do {
            return try folder.read(name, limit: AttemptRecord.limit, damage: .slotsDamaged) {
                try AttemptRecord($0, key: key)
            } ?? nil
        } catch VaultError.slotsDamaged, VaultError.unsafeFolder, VaultError.deviceSecretUnsafe {
            return nil
        }
    }

    /// Writes the second copy of a record whose process ended after the first: otherwise a second interruption would
    /// look like tampering.
    private func finishWrite(of record: AttemptRecord) throws {
        guard try read(name, in: device)?.generation != record.generation else { return }
        try bytes(of: record).withUnsafeBytes { try device.write(name, $0) }
    }

    private func store(_ record: AttemptRecord) throws {
        var record = record
        record.generation += 1
        let bytes = try bytes(of: record)
        do {
            try write(bytes)
        } catch VaultError.readOnly(.diskFull) where DiskReserve(inLibrary: library.path).release() {
            // Nothing can be deleted before the library is open.
            try write(bytes)
        }
    }

    private func write(_ record: [UInt8]) throws {
        try record.withUnsafeBytes {
            do {
                try library.write(Self.witnessName, $0)
            } catch VaultError.readOnly(.noPermission) {
                // The library may be read-only: then the device's record is newer, and counts.
            }
            try device.write(name, $0)
        }
    }

    private func bytes(of record: AttemptRecord) throws -> [UInt8] {
        try record.encoded + key.authenticationCode(for: record.encoded)
    }
}
