import EchoText
import FileSystem
import Foundation

/// The folders of a vault's files.
package struct VaultPaths: Sendable {
    /// The library, which backups include.
    package var library: String
    /// This machine's secret and its own records, which backups must not include.
    package var device: String
    /// The folder of this login's sockets, from `XDG_RUNTIME_DIR`.
    package var runtime: String?
    package var machineID: String

    package init(library: String, device: String, runtime: String?, machineID: String = "/etc/machine-id") {
        (self.library, self.device, self.runtime, self.machineID) = (library, device, runtime, machineID)
    }

    var folder: LibraryFolder { LibraryFolder(path: library) }
    var contents: String { "\(library)/blobs" }
    /// Copies that are being sent; none outlives its sending.
    var copies: String { "\(library)/copies" }

    /// The free space below which nothing is started, in bytes: SQLite needs some for its WAL.
    private static let leastRoom: Int64 = 1 << 20

    /// What prevents writing to the library, as far as is known without trying.
    var writingObstacle: ReadOnlyCause? {
        guard access(library, W_OK) == 0 else { return .noPermission }
        guard let free = FreeSpace.bytes(at: library) else { return .deviceFailed }
        return free < Self.leastRoom ? .diskFull : nil
    }

    /// The address of the unlock agent.
    ///
    /// - Throws: ``VaultError``.
    func agentAddress() throws(VaultError) -> AgentAddress {
        try AgentAddress(library: library, deviceFolder: device, runtimeFolder: runtime)
    }
}
