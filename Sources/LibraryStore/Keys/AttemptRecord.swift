import EchoText
import Foundation

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
