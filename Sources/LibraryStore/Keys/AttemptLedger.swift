import CProcess
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

/// The number of wrong passcodes, and the wait before the next attempt.
struct AttemptRecord: Sendable, Hashable {
    /// The longest wait, in milliseconds: a day.
    static let longestWait: Int64 = 86_400_000

    /// The wait after the n-th wrong passcode in a row, in milliseconds.
    static func wait(afterFailures count: UInt32) -> Int64 {
        switch count {
        case ...4: 0
        case 5: 30_000
        case 6: 60_000
        case 7: 300_000
        case 8: 900_000
        case 9: 3_600_000
        case 10: 14_400_000
        default: longestWait
        }
    }

    /// A moment on all clocks, in milliseconds.
    struct Moment: Sendable, Hashable {
        var wall: Int64
        var boottime: Int64
        var boot: HexBytes
        /// Whether the wall clock can be believed after a restart.
        var isSynchronised = false
    }

    /// Counts the writes.
    var generation: UInt64 = 0
    var failures: UInt32 = 0
    /// The remaining wait at `since`, in milliseconds.
    var wait: Int64 = 0
    /// Its `isSynchronised` is not stored.
    var since: Moment
    /// The latest wall clock time ever seen.
    var latestWall: Int64
    /// When a recovery code was tried last, by `CLOCK_BOOTTIME` of the start in `since`; −1 for not in it.
    var lastRecovery: Int64 = -1
    /// The newest list of slots that was opened here.
    var slotsSeen: UInt64 = 0

    init(now: Moment) {
        since = now
        latestWall = now.wall
    }

    /// The rest of the wait, in milliseconds.
    ///
    /// Without a restart of the system, the elapsed time is the lesser of the wall clock's and `CLOCK_BOOTTIME`'s, so
    /// setting the clock forward gains nothing, and setting it back stops the wait; but a day of `CLOCK_BOOTTIME` ends
    /// it in any case. After a restart the time since that restart counts; the wall clock adds the time before only if
    /// it is synchronized with a time server and has not gone back.
    func remaining(at now: Moment) -> Int64 {
        let passed: Int64
        if now.boot == since.boot {
            let up = max(0, now.boottime - since.boottime)
            passed = up >= Self.longestWait ? up : min(up, max(0, now.wall - since.wall))
        } else {
            let isBelieved = now.isSynchronised && now.wall >= latestWall
            passed = max(max(0, now.boottime), isBelieved ? max(0, now.wall - since.wall) : 0)
        }
        return min(max(0, wait - passed), Self.longestWait)
    }

    /// The same wait, measured from `now`.
    func moved(to now: Moment) -> AttemptRecord {
        var record = self
        record.wait = remaining(at: now)
        if now.boot != since.boot { record.lastRecovery = -1 }
        record.since = now
        record.since.isSynchronised = false
        record.latestWall = max(latestWall, now.wall)
        return record
    }
}

extension AttemptRecord {
    private static let magic = Array("echotext-attempt".utf8)
    static let limit = 256

    /// The file's bytes but for the code behind them.
    ///
    /// `"echotext-attempt"`, version 1 (1 byte), generation (8), failures (4), wait (8), wall clock (8), boot time (8), boot id (16), latest
    /// wall clock (8), last recovery (8), slots seen (8).
    var encoded: [UInt8] {
        Self.magic + [1] + generation.bigEndianBytes + failures.bigEndianBytes + wait.bigEndianBytes
            + since.wall.bigEndianBytes + since.boottime.bigEndianBytes + since.boot.bytes
            + latestWall.bigEndianBytes + lastRecovery.bigEndianBytes + slotsSeen.bigEndianBytes
    }

    /// Decodes a record; `nil` when the bytes are not ``encoded`` with an authentication code of `key`.
    init?(_ bytes: UnsafeRawBufferPointer, key: SecretBytes) throws {
        guard bytes.count > 32, try key.isValid(Array(bytes.suffix(32)), for: Data(bytes.dropLast(32))) else {
            return nil
        }
        var reader = BytesReader(UnsafeRawBufferPointer(rebasing: bytes.dropLast(32)))
        do {
            guard try reader.bytes(Self.magic.count) == Self.magic, try reader.integer(UInt8.self) == 1 else {
                return nil
            }
            generation = try reader.integer()
            failures = try reader.integer()
            wait = try reader.integer()
            let (wall, boottime) = (try reader.integer(Int64.self), try reader.integer(Int64.self))
            since = Moment(wall: wall, boottime: boottime, boot: HexBytes(try reader.bytes(16)))
            latestWall = try reader.integer()
            lastRecovery = try reader.integer()
            slotsSeen = try reader.integer()
        } catch is BytesReader.Ended {
            return nil
        }
        guard reader.isAtEnd, isPlausible else { return nil }
    }

    /// Whether its numbers can be reckoned with.
    ///
    /// The code shows only that the record was made on this machine, by whichever program.
    private var isPlausible: Bool {
        let limit: Int64 = 1 << 60
        return [wait, since.wall, since.boottime, latestWall, lastRecovery].allSatisfy { (-limit...limit).contains($0) }
            && generation < .max >> 1
    }
}

/// The times that waits are measured by, all in milliseconds.
package struct VaultClocks: Sendable {
    /// Since 1970; can be set by people.
    package var wall: @Sendable () -> Int64
    /// Since the system started, including suspension (`CLOCK_BOOTTIME`); it cannot be set, but differs in a time
    /// namespace.
    package var boottime: @Sendable () -> Int64
    /// Whether this process is in a time namespace that is ahead of the system's time, or behind it.
    package var isMoved: @Sendable () throws -> Bool
    /// 16 bytes that change at each start of the system.
    package var bootID: @Sendable () throws -> HexBytes
    /// Whether the wall clock agrees with a time server, by the kernel's word.
    package var isSynchronised: @Sendable () -> Bool

    package init(
        wall: @escaping @Sendable () -> Int64,
        boottime: @escaping @Sendable () -> Int64,
        bootID: @escaping @Sendable () throws -> HexBytes,
        isSynchronised: @escaping @Sendable () -> Bool,
        isMoved: @escaping @Sendable () throws -> Bool = { false }
    ) {
        (self.wall, self.boottime, self.bootID, self.isSynchronised) = (wall, boottime, bootID, isSynchronised)
        self.isMoved = isMoved
    }

    package static let system = VaultClocks(
        wall: { milliseconds(of: CLOCK_REALTIME) },
        boottime: { milliseconds(of: CLOCK_BOOTTIME) },
        bootID: {
            let text = try kernelFile("kernel/random/boot_id", in: "/proc/sys")
            guard let id = HexBytes(text: text.filter(\.isHexDigit)), id.bytes.count == 16 else {
                throw VaultError.system(errno: EINVAL)
            }
            return id
        },
        isSynchronised: { clock_is_synchronised() != 0 },
        isMoved: {
            do {
                return hasOffset(try kernelFile("self/timens_offsets", in: "/proc"))
            } catch VaultError.system(errno: ENOENT) {
                return false  // A kernel without time namespaces.
            }
        }
    )

    /// Whether a clock in `offsets` differs from the system's: lines with a name, seconds and nanoseconds
    /// (time_namespaces(7)).
    static func hasOffset(_ offsets: String) -> Bool {
        offsets.split(separator: "\n").contains { line in
            line.split(whereSeparator: \.isWhitespace).dropFirst().contains { $0 != "0" }
        }
    }

    /// Container managers mount their own file over the boot id, which is accepted, because this user could not have
    /// done so.
    ///
    /// - Throws: ``VaultError/system(errno:)``; a mount over the kernel's file that this user may have made counts as a
    ///   moved clock.
    private static func kernelFile(_ name: String, in folder: String) throws -> String {
        var text = [CChar](repeating: 0, count: 256)
        let failure = read_kernel_file(folder, name, &text, text.count)
        if failure == EXDEV {
            guard mounts_are_others() != 0, let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw VaultError.clockMoved
            }
            return String(decoding: data.prefix(text.count), as: UTF8.self)
        }
        guard failure == 0 else { throw VaultError.system(errno: failure) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
