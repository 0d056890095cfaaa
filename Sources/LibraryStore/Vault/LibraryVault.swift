package import EchoText
import FileSystem
import Foundation
import Synchronization

/// The vault of a library: opens and locks it, and works on it as a whole.
///
/// ```swift
/// let total = try await LibraryVault(places).use { library in
///     try await library.audio.items(matching: AudioQuery()).total
/// }
/// ```
package struct LibraryVault: Sendable {
    let places: VaultPaths
    let keyStore: KeyStore

    /// - Parameters:
    ///   - places: The paths of its files.
    ///   - environment: Clocks and costs, which tests replace.
    package init(_ places: VaultPaths, _ environment: KeyStore.Environment = .init()) {
        self.places = places
        keyStore = KeyStore(
            .init(library: places.library, device: places.device, machineID: places.machineID),
            environment
        )
    }

    // MARK: - Using

    /// Opens the library, passes it to `work`, and closes it; creates a library when there is none.
    ///
    /// When the library is locked or erased meanwhile, `work` is cancelled.
    ///
    /// - Parameters:
    ///   - report: Informs the person of notices about the library; without it, another program does so.
    ///   - work: The work on the library.
    /// - Returns: What `work` returned.
    /// - Throws: ``VaultError`` when it does not open or is locked meanwhile, ``VaultError/erased`` when it is erased, and
    ///   what `work` throws.
    package func use<Output: Sendable>(
        reporting report: (@Sendable (VaultFinding) -> Void)? = nil,
        _ work: @escaping @Sendable (Library) async throws -> Output
    ) async throws -> Output {
        try await useOpen { open in
            if let report { open.reportAge(by: report) }
            return try await work(open.library)
        }
    }

    func useOpen<Output: Sendable>(
        _ work: @escaping @Sendable (OpenVault) async throws -> Output
    ) async throws -> Output {
        let (keys, lease) = try await availableKeys()
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
        // A separate task: a cancelled task has to close the library too, and stores refuse to start in it.
        let closing = await Task { try await open.close() }.result
        do {
            // Where both have failed, the work's error is the one to report.
            let output = try result.get()
            try closing.get()
            return output
        } catch let error where !(error is CancellationError) {
            // Missing files would look like damage then.
            throw await isErased() ? VaultError.erased : error
        }
    }

    /// Whether the library that was opened was erased since, and is not only away.
    func isErased() async -> Bool { (try? await keyStore.isErased()) ?? false }

    /// The keys, opened by this machine alone or with the secret that the agent holds.
    func availableKeys() async throws -> (VaultKeys, AgentLease?) {
        switch try await keyStore.state() {
        case .uninitialised:
            try makeFolders()
            return (try await keyStore.create(), nil)
        case .recoveryNeeded:
            let problem = try await keyStore.deviceProblem() ?? .deviceSecretMissing
            throw try await keyStore.unlockMethods().hasRecoveryCode ? problem : .noRecoveryCode(problem: problem)
        default:
            if try await keyStore.unlockMethods().passcode == nil {
                return (try await keyStore.open(with: .device), nil)
            }
            guard let lease = try await AgentClient(at: try places.agentAddress()).lease() else {
                throw VaultError.locked
            }
            return (try await keyStore.open(with: .secret(lease.secret)), lease)
        }
    }

    /// Creates the parents of the library's and the device's folder, readable for this user only.
    private func makeFolders() throws {
        for path in [places.library, places.device] {
            do {
                try FileManager.default.createDirectory(
                    atPath: (path as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                let problem = VaultError(makingFolder: errno)
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

    /// Waits until any program sets a passcode or erases the library: processes that opened it by the device alone have to
    /// close it then.
    ///
    /// - Returns: `false` when the task was cancelled first.
    private func waitForPasscode() async -> Bool {
        for await _ in FileChanges.changes(of: SlotList.fileName, in: places.library) {
            if await isClosedToAll() { return true }
        }
        // Without a free inotify watch the file itself is checked: one lstat a second. Each entry of a session checks
        // it as well (`isStillOpen()`), so that nobody gets in meanwhile.
        var seen: FileStamp?
        while (try? await Task.sleep(for: Self.look)) != nil {
            let stamp = slotsStamp
            if stamp != seen, await isClosedToAll() { return true }
            seen = stamp
        }
        return false
    }

    private static let look = Duration.seconds(1)

    /// Unreadable slots are being written, and the end of the write is another change.
    private func isClosedToAll() async -> Bool {
        if await isErased() { return true }
        return (try? await keyStore.unlockMethods())?.passcode != nil
    }

    /// The state of the list of slots, without reading it.
    var slotsStamp: FileStamp? { FileStamp(of: "\(places.library)/\(SlotList.fileName)") }

    // MARK: - Unlocking

    package func status() async throws -> VaultStatus {
        let state = try await keyStore.state()
        if state == .uninitialised {
            return VaultStatus(state: state, folder: places.library, deviceFolder: places.device)
        }
        let methods = try await keyStore.unlockMethods()
        let protection: VaultStatus.Protection =
            switch methods.passcode {
            case nil: .device
            case .pin: .shortPasscode
            case .password: .password
            }
        var status = VaultStatus(
            state: state,
            protection: protection,
            hasRecoveryCode: methods.hasRecoveryCode,
            usesSecurityChip: methods.usesSecurityChip,
            folder: places.library,
            deviceFolder: places.device
        )
        if state == .recoveryNeeded { return status }
        let isOpen =
            if methods.passcode == nil { true } else {
                try await AgentClient(at: try places.agentAddress()).status() != nil
            }
        if isOpen { status.state = places.writingObstacle.map { .readOnly($0) } ?? .unlocked }
        return status
    }

    /// The weaknesses of the vault's protection on this machine.
    package func findings(of machine: VaultDoctor.Machine, home: String) async throws -> [VaultFinding] {
        let doctor = VaultDoctor(machine, libraryFolder: places.library, deviceFolder: places.device, home: home)
        var findings = doctor.findings()
        let status: VaultStatus
        do {
            status = try await self.status()
        } catch VaultError.deviceSecretUnsafe, VaultError.unsafeFolder {
            return [VaultFinding(.keysNotUsed)] + findings
        }
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

    /// Unlocks the library for all commands of this person until it is locked or idle for too long.
    ///
    /// - Throws: ``VaultError/noPasscode``, and what ``KeyStore/open(with:)`` and the agent throw.
    package func unlock(with passcode: Passcode) async throws {
        let keys = try await keyStore.open(with: .passcode(passcode))
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

    /// Locks the library, and ends all commands that have it open.
    ///
    /// - Returns: Whether it was unlocked.
    /// - Throws: ``VaultError/noPasscode`` when there is no passcode, so that it would not stay locked.
    package func lock() async throws -> Bool {
        guard try await keyStore.state() != .uninitialised, try await keyStore.unlockMethods().passcode != nil else {
            throw VaultError.noPasscode
        }
        return try await AgentClient(at: try places.agentAddress()).lock()
    }

    /// A code to be shown once and typed back.
    package func proposeRecoveryCode() -> RecoveryCode { keyStore.proposeRecoveryCode() }

    /// - Throws: As ``KeyStore/setPasscode(_:recoveryCode:keys:)``.
    package func setPasscode(_ passcode: Passcode, recoveryCode: ConfirmedRecoveryCode) async throws {
        let (keys, _) = try await availableKeys()
        defer { keys.wipe() }
        try await keyStore.setPasscode(passcode, recoveryCode: recoveryCode, keys: keys)
    }

    /// - Throws: As ``KeyStore/changePasscode(from:to:)``.
    package func changePasscode(from old: Passcode, to new: Passcode) async throws {
        try await keyStore.changePasscode(from: old, to: new)
    }

    /// - Throws: As ``KeyStore/removePasscode(_:)``.
    package func removePasscode(_ current: Passcode) async throws {
        try await keyStore.removePasscode(current)
        _ = try await AgentClient(at: try places.agentAddress()).lock()
    }

    /// Opens the vault with the recovery code, and locks it for all processes that have it open.
    ///
    /// - Throws: As ``KeyStore/recover(with:newPasscode:)``.
    package func recover(with code: RecoveryCode, newPasscode: Passcode?) async throws {
        let keys = try await keyStore.recover(with: code, newPasscode: newPasscode)
        keys.wipe()
        _ = try await AgentClient(at: try places.agentAddress()).lock()
    }

    /// - Throws: As ``KeyStore/renewRecoveryCode(_:passcode:keys:)``.
    package func renewRecoveryCode(_ code: ConfirmedRecoveryCode, passcode: Passcode?) async throws {
        let (keys, lease) = try await availableKeys()
        defer {
            keys.wipe()
            lease?.close()
        }
        try await keyStore.renewRecoveryCode(code, passcode: passcode, keys: keys)
    }

    /// Checks the passcode again before an operation that needs more than an open vault; succeeds when there is no
    /// passcode.
    ///
    /// - Throws: ``VaultError/locked`` when the passcode is missing, and what a wrong one throws.
    package func reauthenticate(_ passcode: Passcode?) async throws {
        guard try await keyStore.unlockMethods().passcode != nil else { return }
        guard let passcode else { throw VaultError.locked }
        try await keyStore.verify(passcode)
    }
}

/// A library with its keys: the database, the encrypted files, and the stores on them.
///
/// Several processes may have it open. The first one removes files of what was deleted that are still there.
final class OpenVault: Sendable {
    let database: LibraryDatabase
    let contents: ContentStore
    /// The folder's database when it was opened, so that one that was put in its place since is told from it.
    let file: FileIdentity?
    private let folder: LibraryFolder
    /// Whether the library is an older copy than this machine used last.
    let isOlderThanSeen: Bool
    /// Whether the person has been informed of that.
    private let isAgeReported = Atomic(false)
    private let keys: VaultKeys
    private let mark: GenerationMark
    private let presence: ContentPresence

    init(_ keys: VaultKeys, in places: VaultPaths) async throws {
        self.keys = keys
        folder = places.folder
        try Self.requireDatabase(keys, in: places)
        // Noted before it is opened: another one is put in its place at any moment.
        let before = folder.presentDatabase
        database = try Self.database(keys, in: folder)
        file = before ?? folder.presentDatabase
        do {
            contents = try ContentStore(
                path: places.contents,
                identities: try keys.ageIdentities.map { try AgeIdentity(scalar: $0) }
            )
            presence = try ContentPresence(in: places.folder)
            mark = try GenerationMark(keys, deviceFolder: places.device)
            let generation = try await database.generation()
            isOlderThanSeen = try keys.isOlderThanSeen || mark.isNewer(than: generation)
            if presence.isAlone {
                try await Self.finishDeletions(in: database, contents, isAfterCrash: presence.isAfterCrash)
            }
            if presence.isAfterCrash {
                // The temporary copy of a backup is encrypted too, so one that remains reveals nothing.
                try? FileManager.default.removeItem(atPath: places.copies)
            }
            try presence.share()
            do {
                try await database.forgetDrafts()
            } catch VaultError.readOnly {
                // Nothing refers to these files; they are removed another time.
            }
        } catch {
            // The first failure is the one to report.
            try? database.close()
            throw error
        }
    }

    /// Informs the person when the library is an older copy than this machine used last.
    func reportAge(by report: (VaultFinding) -> Void) {
        guard isOlderThanSeen else { return }
        report(VaultFinding(.olderThanThisMachineRemembers))
        isAgeReported.store(true, ordering: .releasing)
    }

    /// Whether another library replaced this one in its folder: nobody finds what is added to this one from then on.
    ///
    /// It is not replaced where it is only away.
    var isReplaced: Bool {
        guard let file, let present = folder.presentDatabase else { return false }
        return present != file
    }

    var library: Library {
        let settings = StoredSettings(database: database)
        return Library(
            audio: StoredLibrary(database: database, contents: contents),
            documents: StoredDocuments(database: database, contents: contents),
            jobs: StoredJobs(database: database, contents: contents),
            batch: StoredBatch(database: database),
            speech: StoredSpeech(database: database, contents: contents) {
                try await settings.value(of: SettingsCatalogue.cache) * 1_000_000
            },
            history: StoredHistory(database: database),
            profiles: StoredProfiles(database: database),
            playback: StoredPlayback(database: database),
            draft: StoredDraft(database: database),
            settings: settings,
            voices: StoredVoices(database: database),
            recordings: StoredRecordings(database: database, contents: contents),
            transcripts: StoredTranscripts(database: database),
            transcriptions: StoredTranscriptions(database: database),
            outbound: StoredOutbound(database: database),
            services: StoredServices(database: database),
            apiKeys: StoredAPIKeys(database: database),
            speeches: StoredSpeeches(database: database),
            practice: StoredPractice(database: database, contents: contents),
            watch: StoredWatch(database: database),
            measure: StoredMeasure(database: database)
        )
    }

    /// Removes the files of what was deleted where that has not been done, and after a crash what nobody can finish.
    ///
    /// Whole files that nobody has deleted stay, also without a row: an older database may have been put in place of theirs.
    private static func finishDeletions(
        in database: LibraryDatabase,
        _ contents: ContentStore,
        isAfterCrash: Bool
    ) async throws {
        var removed = try await database.removedContents()
        guard isAfterCrash || !removed.isEmpty else { return }
        let kept = Set(try await database.referencedContents().map(\.id))
        do {
            for id in removed.subtracting(kept) where (try? await contents.delete(id)) == nil { removed.remove(id) }
            if isAfterCrash {
                _ = try await contents.sweep(keeping: kept, parts: [], unassigned: .left, olderThan: .distantFuture)
            }
            try await database.forgetRemovedContents(removed)
        } catch VaultError.readOnly {
            // It is done another time.
        }
    }

    /// Closes it, and remembers on this machine how new it is, unless that is an older copy and nobody was informed of it:
    /// the next program then still sees that it is.
    ///
    /// - Throws: ``VaultError/ageNotNoted`` where only that cannot be remembered; ``VaultError``.
    func close() async throws {
        defer { presence.leave() }
        contents.revokeReaders()
        let isAgeKnown = !isOlderThanSeen || isAgeReported.load(ordering: .acquiring)
        if isAgeKnown, database.hasWritten || isOlderThanSeen {
            let age = database.hasWritten ? try await database.advanceGeneration() : try await database.generation()
            do {
                try mark.store(age)
            } catch VaultError.deviceFolderReadOnly {
                try database.close()
                throw VaultError.ageNotNoted
            }
        }
        try database.close()
    }

    /// Refuses to make a new database for a library that has been used: it would be empty, without a word.
    ///
    /// - Throws: ``VaultError/databaseMissing``.
    static func requireDatabase(_ keys: VaultKeys, in places: VaultPaths) throws {
        guard !places.folder.hasDatabase else { return }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: places.contents)) ?? []
        let isUsed = try !files.isEmpty || GenerationMark(keys, deviceFolder: places.device).isThere
        // Another program may have made the library and stored something just now.
        guard !isUsed || places.folder.hasDatabase else { throw VaultError.databaseMissing }
    }

    /// An interrupted rotation may have left the database with an older key.
    private static func database(_ keys: VaultKeys, in folder: LibraryFolder) throws -> LibraryDatabase {
        for key in keys.databaseKeys.dropLast() {
            do {
                return try LibraryDatabase(in: folder, key: key)
            } catch VaultError.wrongKey {
                continue
            }
        }
        return try LibraryDatabase(in: folder, key: keys.databaseKeys[keys.databaseKeys.count - 1])
    }
}

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

    /// The cause that prevents writing to the library, as far as is known without trying.
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
