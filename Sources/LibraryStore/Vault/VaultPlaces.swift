import EchoText
import FileSystem
import Foundation

/// Where a vault's files are.
package struct VaultPlaces: Sendable {
    /// The library: what is in backups.
    package var library: String
    /// This machine's secret and what it remembers: what is not.
    package var device: String
    /// Where sockets of this login live, as `XDG_RUNTIME_DIR` says.
    package var runtime: String?
    package var machineID: String

    package init(library: String, device: String, runtime: String?, machineID: String = "/etc/machine-id") {
        (self.library, self.device, self.runtime, self.machineID) = (library, device, runtime, machineID)
    }

    var folder: LibraryFolder { LibraryFolder(path: library) }
    var contents: String { "\(library)/blobs" }
    /// Copies that are being sent; none outlives its sending.
    var copies: String { "\(library)/copies" }

    /// Room below which nothing more is begun, in bytes: a database of SQLite's needs some for its log.
    private static let leastRoom: Int64 = 1 << 20

    /// What prevents writing to the library, as far as is known without trying.
    var writingObstacle: ReadOnlyCause? {
        guard access(library, W_OK) == 0 else { return .noPermission }
        guard let free = FreeSpace.bytes(at: library) else { return .deviceFailed }
        return free < Self.leastRoom ? .diskFull : nil
    }

    /// Where the unlock agent is met.
    ///
    /// - Throws: ``VaultError``.
    func agentAddress() throws(VaultError) -> AgentAddress {
        try AgentAddress(library: library, deviceFolder: device, runtimeFolder: runtime)
    }
}
