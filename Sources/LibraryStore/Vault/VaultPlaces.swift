import EchoText

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

    /// Where the unlock agent is met.
    ///
    /// - Throws: ``VaultError``.
    func agentAddress() throws(VaultError) -> AgentAddress {
        try AgentAddress(library: library, deviceFolder: device, runtimeFolder: runtime)
    }
}
