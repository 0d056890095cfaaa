import CProcess
import EchoText
import Foundation

/// The times that waits are measured by, all in milliseconds.
package struct VaultClocks: Sendable {
    /// Since 1970; can be set by people.
    package var wall: @Sendable () -> Int64
    /// Since the system started, sleep included (`CLOCK_BOOTTIME`); can not be set.
    package var boottime: @Sendable () -> Int64
    /// 16 bytes that are others after each start of the system.
    package var bootID: @Sendable () throws -> HexBytes
    /// Whether the wall clock agrees with a time server, by the kernel's word.
    package var isSynchronised: @Sendable () -> Bool

    package init(
        wall: @escaping @Sendable () -> Int64,
        boottime: @escaping @Sendable () -> Int64,
        bootID: @escaping @Sendable () throws -> HexBytes,
        isSynchronised: @escaping @Sendable () -> Bool
    ) {
        (self.wall, self.boottime, self.bootID, self.isSynchronised) = (wall, boottime, bootID, isSynchronised)
    }

    package static let system = VaultClocks(
        wall: { milliseconds(of: CLOCK_REALTIME) },
        boottime: { milliseconds(of: CLOCK_BOOTTIME) },
        bootID: {
            let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            guard let id = HexBytes(text: text.filter(\.isHexDigit)), id.bytes.count == 16 else {
                throw VaultError.system(errno: EINVAL)
            }
            return id
        },
        isSynchronised: { clock_is_synchronised() != 0 }
    )

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
