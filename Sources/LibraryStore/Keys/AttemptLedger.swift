import EchoText
import Foundation

/// Counts wrong passcodes before they are tried, and makes the next one wait; one for every way to the vault.
///
/// The record is kept twice: in the device's folder and, written before, in the library's folder. The one of the higher generation
/// counts, so that bringing back an old copy of either shortens nothing. When one of the two is missing or not authentic, or the device's
/// is older by more than a broken-off write explains, somebody has been at it, and a day's wait begins. The recovery code is not kept
/// waiting by any of this.
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

    /// Runs `body` while nothing else tries, changes or counts anything.
    ///
    /// - Throws: ``VaultError/attemptInProgress``.
    func excludingOthers<Result>(_ body: () throws -> Result) throws -> Result {
        try device.excluding(lockName, body)
    }

    // MARK: Waits

    /// The wait before the next passcode; a record that was tampered with is repaired, unless another process is writing it.
    func remainingWait() throws -> Duration {
        let now = try moment()
        if let record = try found() { return .milliseconds(record.remaining(at: now)) }
        do {
            return .milliseconds(try excludingOthers { try load(at: now).remaining(at: now) })
        } catch VaultError.attemptInProgress {
            return .milliseconds(AttemptRecord.longestWait)
        }
    }

    /// Counts a passcode as wrong, on the disk, and then tries it.
    ///
    /// The count starts again when `attempt` succeeds. Call it inside ``excludingOthers(_:)``.
    ///
    /// - Parameter attempt: Throws for a wrong passcode; is given how many tries are still free, and the wait that a wrong one begins.
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

    /// Notes that a recovery code is tried, which has to wait for nothing but the second since the last one.
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

    /// Forgets everything, together with the vault.
    ///
    /// - Throws: What the system says.
    func remove() throws {
        try library.remove(Self.witnessName)
        try device.remove(name)
    }

    // MARK: The record

    /// - Throws: ``VaultError/clockMoved``: a wait must not end because somebody had the program see another time.
    private func moment() throws -> AttemptRecord.Moment {
        guard try !clocks.isMoved() else { throw VaultError.clockMoved }
        return AttemptRecord.Moment(
            wall: clocks.wall(),
            boottime: clocks.boottime(),
            boot: try clocks.bootID(),
            isSynchronised: clocks.isSynchronised()
        )
    }

    /// The record that counts; a day's wait in the place of one that has been tampered with.
    ///
    /// - Parameters:
    ///   - now: This moment.
    ///   - isExpected: Whether there must be one, because there is a passcode.
    /// - Returns: The record, as it is stored.
    /// - Throws: ``VaultError`` when a file cannot be read, or the day's wait not be written.
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
        // The witness first, as in writing: so what is written meanwhile makes the device's record newer and never older.
        let witness = try read(Self.witnessName, in: library)
        guard let record = try read(name, in: device), let witness else { return nil }
        // One write behind, a process ended between the two. The other way round, the library is an older copy.
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

    /// Writes the second copy of a record of which only the first was written before its process ended: otherwise the next one
    /// that ends there would leave the two so far apart as only tampering does.
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
                // A library on a medium that cannot be written to: the device's record is the newer one then, and counts.
            }
            try device.write(name, $0)
        }
    }

    private func bytes(of record: AttemptRecord) throws -> [UInt8] {
        try record.encoded + key.authenticationCode(for: record.encoded)
    }
}
