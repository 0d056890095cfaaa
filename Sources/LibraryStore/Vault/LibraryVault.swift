package import EchoText
import Foundation

/// The vault of a library: what opens it, and what is done with it as a whole.
package struct LibraryVault: Sendable {
    let places: VaultPlaces
    let chest: KeyChest

    /// - Parameters:
    ///   - places: Where its files are.
    ///   - surroundings: Clocks and costs; tests have others.
    package init(_ places: VaultPlaces, _ surroundings: KeyChest.Surroundings = .init()) {
        self.places = places
        chest = KeyChest(
            .init(library: places.library, device: places.device, machineID: places.machineID),
            surroundings
        )
    }

    // MARK: - Using

    /// Opens the library, lends it to `work`, and closes it; makes it when there is none.
    ///
    /// When the library is locked meanwhile, `work` is cancelled.
    ///
    /// - Parameters:
    ///   - tell: Told what the person should know about the library.
    ///   - work: What is done with it.
    /// - Returns: What `work` returns.
    /// - Throws: ``VaultError`` when it does not open or is locked meanwhile, and what `work` throws.
    package func use<Output: Sendable>(
        telling tell: @escaping @Sendable (VaultFinding) -> Void = { _ in },
        _ work: @escaping @Sendable (Library) async throws -> Output
    ) async throws -> Output {
        try await useOpen { open in
            if open.isOlderThanSeen { tell(VaultFinding(.olderThanThisMachineRemembers)) }
            return try await work(open.library)
        }
    }

    func useOpen<Output: Sendable>(
        _ work: @escaping @Sendable (OpenVault) async throws -> Output
    ) async throws -> Output {
        let (keys, lease) = try await keysInReach()
        defer {
            keys.wipe()
            lease?.close()
        }
        let open = try await OpenVault(keys, in: places)
        let result: Result<Output, any Error>
        do {
            result = .success(try await run(work, on: open, until: lease))
        } catch {
            result = .failure(error)
        }
        // A task that was cancelled has to close all the same, and stores begin nothing in one.
        try await Task { try await open.close() }.value
        return try result.get()
    }

    /// The keys, by this machine alone or by the agent that holds the vault's secret.
    func keysInReach() async throws -> (VaultKeys, AgentLease?) {
        switch try await chest.state() {
        case .uninitialised:
            try makeFolders()
            return (try await chest.create(), nil)
        case .recoveryNeeded:
            throw try await chest.deviceProblem() ?? .deviceSecretMissing
        default:
            if try await chest.doors().passcode == nil { return (try await chest.open(with: .device), nil) }
            guard let lease = try await AgentClient(at: try places.agentAddress()).lease() else {
                throw VaultError.locked
            }
            return (try await chest.open(with: .secret(lease.secret)), lease)
        }
    }

    /// Makes the folders that the library and the device's folder lie in, ours alone.
    private func makeFolders() throws {
        for path in [places.library, places.device] {
            do {
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                let problem = VaultError(opening: errno)
                let isDevice = path == places.device && problem == .readOnly(.noPermission)
                throw isDevice ? .deviceFolderReadOnly : problem
            }
        }
    }

    private func run<Output: Sendable>(
        _ work: @escaping @Sendable (OpenVault) async throws -> Output,
        on open: OpenVault,
        until lease: AgentLease?
    ) async throws -> Output {
        try await withThrowingTaskGroup(of: Output?.self) { group in
            group.addTask { try await work(open) }
            group.addTask {
                let isLocked = if let lease { await lease.waitUntilLocked() } else { await self.waitForPasscode() }
                if isLocked { throw VaultError.locked }
                return nil
            }
            defer {
                lease?.close()
                group.cancelAll()
            }
            while let output = try await group.next() {
                if let output { return output }
            }
            throw VaultError.locked
        }
    }

    /// Waits until the library has a passcode, whichever program sets it: who came in by the device alone has to leave then.
    ///
    /// - Returns: `false` when the task was cancelled first.
    private func waitForPasscode() async -> Bool {
        for await _ in FileChanges.changes(of: SlotList.fileName, in: places.library) {
            if await hasPasscode() { return true }
        }
        // The system had no watch left to give, and tells of no change: nothing but the file itself is left to look at. That costs
        // one lstat a second; each entry looks as well (``isStillOpen()``), so that nobody comes in meanwhile.
        var seen: FileStamp?
        while (try? await Task.sleep(for: Self.look)) != nil {
            let stamp = slotsStamp
            if stamp != seen, await hasPasscode() { return true }
            seen = stamp
        }
        return false
    }

    private static let look = Duration.seconds(1)

    /// Slots that cannot be read are being written, which is another change.
    private func hasPasscode() async -> Bool { (try? await chest.doors())?.passcode != nil }

    /// The state of the list of slots, without reading it.
    var slotsStamp: FileStamp? { FileStamp(of: "\(places.library)/\(SlotList.fileName)") }

    // MARK: - Doors

    package func status() async throws -> VaultStatus {
        let state = try await chest.state()
        if state == .uninitialised { return VaultStatus(state: state) }
        let doors = try await chest.doors()
        let protection: VaultStatus.Protection =
            switch doors.passcode {
            case nil: .device
            case .pin: .shortPasscode
            case .password: .password
            }
        var status = VaultStatus(
            state: state,
            protection: protection,
            hasRecoveryCode: doors.hasRecoveryCode,
            usesSecurityChip: doors.usesSecurityChip
        )
        if state == .recoveryNeeded { return status }
        let isOpen =
            if doors.passcode == nil { true } else {
                try await AgentClient(at: try places.agentAddress()).status() != nil
            }
        if isOpen { status.state = places.writingObstacle.map { .readOnly($0) } ?? .unlocked }
        return status
    }

    /// What weakens the vault on this machine.
    package func findings(of machine: VaultDoctor.Machine, home: String) async throws -> [VaultFinding] {
        let doctor = VaultDoctor(machine, libraryFolder: places.library, deviceFolder: places.device, home: home)
        let status = try await status()
        var findings = doctor.findings()
        if status.protection == .device { findings.append(VaultFinding(.noPasscode)) }
        if status.protection != nil, machine.hasSecurityChip, !status.usesSecurityChip {
            findings.append(VaultFinding(.secretOutsideSecurityChip))
        }
        if status.protection == .shortPasscode, !status.usesSecurityChip {
            findings.append(VaultFinding(.shortPasscode))
        }
        if status.protection != nil, !status.hasRecoveryCode { findings.append(VaultFinding(.noRecoveryCode)) }
        return findings
    }

    /// Keeps the library open for all commands of this person, until it is locked or has lain unused.
    ///
    /// - Throws: ``VaultError/noPasscode``, and what ``KeyChest/open(with:)`` and the agent throw.
    package func unlock(with passcode: Passcode) async throws {
        let keys = try await chest.open(with: .passcode(passcode))
        defer { keys.wipe() }
        let open = try await OpenVault(keys, in: places)
        let minutes = try await open.library.settings.value(of: SettingsCatalogue.lockAfter)
        try await open.close()
        _ = try await AgentLauncher.thisProgram.launch(
            holding: keys.secret,
            at: try places.agentAddress(),
            lockingAfter: minutes == 0 ? nil : .seconds(60 * minutes)
        )
    }

    /// Locks the library: every command that has it open ends.
    ///
    /// - Returns: Whether it was unlocked.
    /// - Throws: ``VaultError/noPasscode`` when nothing would keep it locked.
    package func lock() async throws -> Bool {
        guard try await chest.state() != .uninitialised, try await chest.doors().passcode != nil else {
            throw VaultError.noPasscode
        }
        return try await AgentClient(at: try places.agentAddress()).lock()
    }

    /// A code to be shown once and typed back.
    package func proposeRecoveryCode() -> RecoveryCode { chest.proposeRecoveryCode() }

    /// - Throws: As ``KeyChest/setPasscode(_:recoveryCode:keys:)``.
    package func setPasscode(_ passcode: Passcode, recoveryCode: ConfirmedRecoveryCode) async throws {
        let (keys, _) = try await keysInReach()
        defer { keys.wipe() }
        try await chest.setPasscode(passcode, recoveryCode: recoveryCode, keys: keys)
    }

    /// - Throws: As ``KeyChest/changePasscode(from:to:)``.
    package func changePasscode(from old: Passcode, to new: Passcode) async throws {
        try await chest.changePasscode(from: old, to: new)
    }

    /// - Throws: As ``KeyChest/removePasscode(_:)``.
    package func removePasscode(_ current: Passcode) async throws {
        try await chest.removePasscode(current)
        _ = try await AgentClient(at: try places.agentAddress()).lock()
    }

    /// Whoever had it unlocked before has to open it anew.
    ///
    /// - Throws: As ``KeyChest/recover(with:newPasscode:)``.
    package func recover(with code: RecoveryCode, newPasscode: Passcode?) async throws {
        let keys = try await chest.recover(with: code, newPasscode: newPasscode)
        keys.wipe()
        _ = try await AgentClient(at: try places.agentAddress()).lock()
    }

    /// - Throws: As ``KeyChest/renewRecoveryCode(_:passcode:keys:)``.
    package func renewRecoveryCode(_ code: ConfirmedRecoveryCode, passcode: Passcode?) async throws {
        let (keys, lease) = try await keysInReach()
        defer {
            keys.wipe()
            lease?.close()
        }
        try await chest.renewRecoveryCode(code, passcode: passcode, keys: keys)
    }

    /// Asks for the passcode again before something that needs more than an open vault; nothing to ask where there is none.
    ///
    /// - Throws: ``VaultError/locked`` when it is missing, and what a wrong one throws.
    package func reauthenticate(_ passcode: Passcode?) async throws {
        guard try await chest.doors().passcode != nil else { return }
        guard let passcode else { throw VaultError.locked }
        try await chest.verify(passcode)
    }
}
