import CProcess
import EchoText
import Foundation

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
