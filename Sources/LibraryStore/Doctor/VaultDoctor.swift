package import EchoText
import FileSystem
import Foundation
import Glibc

/// Checks the machine for weaknesses of a vault.
package struct VaultDoctor: Sendable {
    /// The source of the machine's facts, which tests replace.
    package struct Machine: Sendable {
        /// Holds `swaps` and `sys/kernel/core_pattern`.
        package var proc: String
        /// Holds `block/DEVICE/dm/uuid` and `zram*`.
        package var sys: String
        /// The confinement of the processes that open untrusted files, as a probe has determined it.
        package var confinement: Confinement
        package var hasSecurityChip: Bool

        package init(proc: String, sys: String, confinement: Confinement, hasSecurityChip: Bool) {
            self.proc = proc
            self.sys = sys
            self.confinement = confinement
            self.hasSecurityChip = hasSecurityChip
        }
    }

    /// The confinement of the processes that open untrusted files.
    package enum Confinement: Sendable, Hashable {
        /// A sandbox, Landlock and a filter of system calls.
        case whole
        /// A sandbox, on a kernel that lacks one of the others.
        case sandboxOnly
        /// Landlock and a filter of system calls; `isRefused` where bubblewrap is installed and may make no sandbox.
        case kernelOnly(isRefused: Bool)
        /// None; `isAllowed` if untrusted files are opened anyway.
        case none(isAllowed: Bool)
    }

    private let machine: Machine
    private let libraryFolder: String
    private let deviceFolder: String
    private let home: String

    /// - Parameters:
    ///   - machine: The machine to check.
    ///   - libraryFolder: The library's folder.
    ///   - deviceFolder: The folder of the device's secret.
    ///   - home: The person's home folder, which backups usually include completely.
    package init(_ machine: Machine, libraryFolder: String, deviceFolder: String, home: String) {
        self.machine = machine
        self.libraryFolder = libraryFolder
        self.deviceFolder = deviceFolder
        self.home = home
    }

    /// The findings about the machine and the folders.
    package func findings() -> [VaultFinding] {
        var found: [VaultFinding.Kind] = []
        if swapsInClear { found.append(.swapInClear) }
        if handsCoreDumpsOn { found.append(.coreDumpsToProgram) }
        if liesUnderHome(libraryFolder), liesUnderHome(deviceFolder) { found.append(.keyAndDataUnderOneBackup) }
        if !machine.hasSecurityChip { found.append(.noSecurityChip) }
        found.append(confinement)
        if isOpenToOthers(libraryFolder) || isOpenToOthers(deviceFolder) { found.append(.foldersOpenToOthers) }
        return found.map { VaultFinding($0) }
    }

    private var confinement: VaultFinding.Kind {
        switch machine.confinement {
        case .whole: .strangersFilesShutIn
        case .sandboxOnly: .noKernelGuards
        case .kernelOnly(isRefused: false): .noSandbox
        case .kernelOnly(isRefused: true): .sandboxRefused
        case .none(isAllowed: false): .strangersFilesRefused
        case .none(isAllowed: true): .strangersFilesUnconfined
        }
    }

    /// Whether a swap area is neither in compressed memory nor on an encrypted volume.
    ///
    /// - SeeAlso: proc(5), /proc/swaps: a heading, then one line an area that begins with its path.
    private var swapsInClear: Bool {
        guard let table = try? String(kernelFile: "\(machine.proc)/swaps") else { return false }
        return table.split(separator: "\n").dropFirst().contains { line in
            guard let path = line.split(whereSeparator: \.isWhitespace).first else { return false }
            let device = URL(filePath: String(path)).resolvingSymlinksInPath().lastPathComponent
            if device.hasPrefix("zram") { return false }
            let uuid = try? String(contentsOfFile: "\(machine.sys)/block/\(device)/dm/uuid", encoding: .utf8)
            return !(uuid?.hasPrefix("CRYPT-") ?? false)
        }
    }

    /// - SeeAlso: core(5): a pattern that begins with a pipe names a program.
    private var handsCoreDumpsOn: Bool {
        let pattern = try? String(contentsOfFile: "\(machine.proc)/sys/kernel/core_pattern", encoding: .utf8)
        return pattern?.hasPrefix("|") ?? false
    }

    private func liesUnderHome(_ folder: String) -> Bool {
        let real = URL(filePath: folder).resolvingSymlinksInPath().path
        let own = URL(filePath: home).resolvingSymlinksInPath().path
        return real == own || real.hasPrefix(own.hasSuffix("/") ? own : "\(own)/")
    }

    private func isOpenToOthers(_ folder: String) -> Bool {
        var status = stat()
        guard lstat(folder, &status) == 0 else { return false }
        return status.st_mode & 0o077 != 0
    }
}
