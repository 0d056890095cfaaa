import Crypto
package import EchoText
import FileSystem
import Foundation
import Synchronization

extension LibraryVault {
    /// Checks the library.
    ///
    /// - Parameters:
    ///   - readsData: Whether every byte of every sealed file is read too.
    ///   - repairs: Whether to repair the search index, to remove rows without a reference, the files of what was deleted,
    ///     damaged files of the speech cache, and the remains of unfinished recordings whose sound is missing, and to set
    ///     other files without a reference aside.
    ///   - progress: Called with the number of contents done and their total.
    /// - Returns: The result of the check.
    /// - Throws: ``VaultError`` when it cannot be checked; `CancellationError`.
    package func check(
        readsData: Bool,
        repairs: Bool,
        reporting progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> VaultReport {
        try await useOpen { open in
            var report = VaultReport()
            let problems = try await open.database.check()
            report.problems = problems
            let owners = try await open.database.contentOwners()
            report.items = owners.filter { $0.item != nil }.count
            report.contents = owners.count
            var broken: [LibraryDatabase.ContentOwner] = []
            for (index, owner) in owners.enumerated() {
                try Task.checkCancellation()
                progress(index, owners.count)
                if repairs {
                    if try await open.contents.putBack(owner.reference.id) { report.note(.filesPutBack, 1) }
                } else if try await open.contents.isAside(owner.reference.id) {
                    report.aside += 1
                }
                do {
                    try await open.contents.verify(owner.reference, readData: readsData)
                } catch let error as VaultError where error.isOfOnePart {
                    // It may have been deleted since the list was made, as what belongs to a finished job is.
                    guard try await open.database.has(owner.reference) else { continue }
                    report.damaged.append(VaultReport.Damage(owner, error.code))
                    broken.append(owner)
                }
            }
            if repairs { try await repair(open, &report, problems, broken) }
            let unfinished = try await open.database.gaps()
            (report.sessions, report.gaps) = (unfinished.sessions, unfinished.gaps)
            let code = VaultError.contentDamaged.code
            report.damaged += unfinished.unreadable.map {
                VaultReport.Damage(session: $0.id, name: $0.order.name.text, code: code)
            }
            let files = try await unusedFiles(of: open, removes: false)
            (report.unused, report.unassigned) = (files.removed, files.unassigned)
            report.unassigned += try await open.database.unusedContents().count
            report.isAsideUsable = await open.contents.isAsideUsable
            if report.isAsideUsable {
                let unknown = try await Self.unknownAside(in: open, removes: false)
                (report.unknownAside, report.unknownAsideBytes) = (unknown.files, unknown.bytes)
            }
            if repairs { report.isRepaired = report.isSound }
            return report
        }
    }

    /// Deletes the files in the folder `blobs/aside` that the library knows nothing about; a newer one may need them.
    ///
    /// - Returns: How many there were, and their size in bytes.
    /// - Throws: ``VaultError``; files deleted by then stay deleted.
    package func deleteUnknownAside() async throws -> (files: Int, bytes: Int) {
        try await useOpen { open in try await Self.unknownAside(in: open, removes: true) }
    }

    private static func unknownAside(in open: OpenVault, removes: Bool) async throws -> (files: Int, bytes: Int) {
        let kept = Set(try await open.database.referencedContents().map(\.id))
        return try await open.contents.unknownAside(keeping: kept, removes: removes)
    }

    private func repair(
        _ open: OpenVault,
        _ report: inout VaultReport,
        _ problems: [VaultReport.Problem],
        _ broken: [LibraryDatabase.ContentOwner]
    ) async throws {
        let database = open.database
        report.note(.rowsRemoved, try await database.removeDanglingRows())
        let setsAside = await open.contents.isAsideUsable
        if setsAside {
            let unused = try await database.removeUnusedContents()
            report.note(.rowsRemoved, unused.count)
            for reference in unused where try await open.contents.setAside(reference.id) {
                report.note(.filesSetAside, 1)
            }
        }
        for owner in broken where owner.isCache { try await database.dropSpeech(in: owner.reference) }
        let cached = broken.filter(\.isCache).map(\.reference)
        // No row names it any more, whatever is in its place.
        for reference in cached { try? await open.contents.delete(reference) }
        report.note(.cacheRemoved, cached.count)
        report.damaged.removeAll(where: \.isCache)
        // Else what is missing may be in that subfolder.
        if setsAside { try await repairSessions(open, &report, broken) }
        report.note(.transcriptsChosen, try await database.chooseTranscripts())
        if problems.contains(.damagedSearch) {
            try await database.rebuildSearch()
            try await database.rebuildDocumentSearch(reading: open.contents)
            report.note(.searchRebuilt, 1)
        }
        report.problems = try await database.check()
        let files = try await unusedFiles(of: open, removes: true, setsAside: setsAside)
        report.note(.filesRemoved, files.removed)
        if setsAside { report.note(.filesSetAside, files.unassigned) }
        report.removed = files.removed + cached.count
    }

    /// Removes references to missing files from unfinished recordings, and recordings of which nothing is left.
    private func repairSessions(
        _ open: OpenVault,
        _ report: inout VaultReport,
        _ broken: [LibraryDatabase.ContentOwner]
    ) async throws {
        let missing = Set(report.damaged.filter { $0.code == VaultError.contentMissing.code }.compactMap(\.session))
        for owner in broken where owner.session.map(missing.contains) ?? false {
            do {
                try await open.contents.verify(owner.reference, readData: false)
            } catch VaultError.contentMissing {
                guard try await open.database.has(owner.reference) else { continue }
                try await open.database.dropSegment(in: owner.reference)
                report.note(.partsRemoved, 1)
            } catch let error as VaultError where error.isOfOnePart {
                // The rest of it becomes part of the recording.
            }
        }
        report.damaged.removeAll { $0.session != nil && $0.code == VaultError.contentMissing.code }
        let recordings = StoredRecordings(database: open.database, contents: open.contents)
        for gap in try await open.database.gaps().gaps where gap.seconds == gap.duration {
            // Sound whose place in the recording is damaged is not lost.
            guard try await !open.database.hasSound(of: gap.session) else { continue }
            do {
                try await recordings.discard(gap.session, isWanted: true)
                report.note(.sessionsRemoved, 1)
            } catch RecordingError.sessionBusy {
                // Somebody records it just now, so there will be something.
            } catch let error as RecordingError where error.isOfAbsence {
                // Somebody has discarded it just now.
            }
        }
    }

    /// The encrypted files without a reference; with `removes`, those of what was deleted are removed, and with `setsAside`
    /// the others are moved to the subfolder `aside`.
    private func unusedFiles(of open: OpenVault, removes: Bool, setsAside: Bool = false) async throws -> SweepReport {
        // In this order, what another process deletes meanwhile is among the first, and is left to it.
        let kept = Set(try await open.database.referencedContents().map(\.id))
        let deleted = try await open.database.removedContents()
        // Files that another process is writing now are newer than that.
        let hourAgo = Date(timeIntervalSinceNow: -3_600)
        return try await open.contents.sweep(
            keeping: kept,
            parts: [],
            deleted: deleted,
            unassigned: setsAside ? .setAside : .left,
            olderThan: hourAgo,
            removes: removes
        )
    }

    /// Copies the library, still encrypted, to a new folder, without this machine's secret.
    ///
    /// - Returns: How many of its files are missing in the library, and so in the copy.
    /// - Throws: ``ExportError/folderNotUsable`` where the folder cannot be made; ``VaultError/backupDiskFull``; ``VaultError``.
    @discardableResult
    package func backup(to folder: String) async throws -> Int {
        try await useOpen { open in
            // The words of what is thrown instead are about the library's own folder and disk.
            let copy: LibraryCopy
            do {
                copy = try LibraryCopy(to: folder)
            } catch {
                switch error as? VaultError {
                case .readOnly(.noPermission), .unsafeFolder, .system(errno: ENOENT): throw ExportError.folderNotUsable
                case .readOnly(.diskFull): throw VaultError.backupDiskFull
                default: throw error
                }
            }
            do {
                try await fill(copy, from: open)
                try copy.finish()
            } catch VaultError.readOnly(.diskFull) {
                throw VaultError.backupDiskFull
            }
            return copy.missing
        }
    }

    /// The path of a copy as long as it is being made.
    package static func backupDraft(of folder: String) -> String { LibraryCopy.paths(of: folder).draft }

    private func fill(_ copy: LibraryCopy, from open: OpenVault) async throws {
        var named: [ContentReference] = []
        repeat {
            try Task.checkCancellation()
            try copy.removeDatabase()
            // Before the database, so that what is replaced or deleted meanwhile is there as the copied one names it.
            try copy.take(try await open.database.referencedContents().map(\.id), from: places.contents)
            named = try await open.database.backup(to: copy.database)
            try copy.take(named.map(\.id), from: places.contents)
        } while try await isOutdated(copy, naming: named, in: open)
        try copy.keep(only: Set(named.map(\.id)))
        try copy.take(["slots.json", "keyring.bin"], ofLibrary: places.library)
        try copy.addEmptyLog()
    }

    /// Whether the copied database names a file that came and went while it was copied, instead of one that is lost.
    private func isOutdated(
        _ copy: LibraryCopy,
        naming named: [ContentReference],
        in open: OpenVault
    ) async throws -> Bool {
        for reference in named where !copy.has(reference.id) {
            if try await !open.database.has(reference) { return true }
        }
        return false
    }

    /// Writes a copy of the library, still encrypted, as a tar archive of its folder, without this machine's secret.
    ///
    /// The library may be used meanwhile: the archive has its state at the beginning.
    ///
    /// - Returns: As ``backup(to:)``.
    /// - Throws: ``VaultError``, and what `file` throws; it is not finished.
    @discardableResult
    package func backUp(to file: any ByteSink) async throws -> Int {
        try await useOpen { open in
            guard mkdir(places.copies, 0o700) == 0 || errno == EEXIST else { throw VaultError(opening: errno) }
            // It is never finished, so it is removed with its last reference.
            let copy = try LibraryCopy(to: "\(places.copies)/\(UUID().uuidString)")
            defer { withExtendedLifetime(copy) {} }
            try await fill(copy, from: open)
            let archive = TarArchive(to: file)
            try await archive.add(contentsOf: copy.folder, as: (places.library as NSString).lastPathComponent)
            try await archive.end()
            return copy.missing
        }
    }

    /// Returns the identities with which the `age` program decrypts the files, newest first.
    ///
    /// - Parameter passcode: The passcode, required if there is one.
    /// - Returns: Each as `AGE-SECRET-KEY-1…`.
    /// - Throws: ``VaultError/locked`` when the passcode is missing, and what a wrong one throws.
    package func exportIdentities(passcode: Passcode?) async throws -> [String] {
        try await reauthenticate(passcode)
        let (keys, lease) = try await availableKeys()
        defer {
            keys.wipe()
            lease?.close()
        }
        return try keys.ageIdentities.map { try AgeIdentity(scalar: $0).exported() }
    }

    /// Gives the library new keys: the database is encrypted again, and the key of every file is encrypted for a new
    /// identity.
    ///
    /// An interrupted run leaves a library that opens; the next run continues. Files that are damaged or missing keep the
    /// old key.
    ///
    /// - Parameters:
    ///   - passcode: The passcode, required if there is one.
    ///   - progress: Called with the number of contents done and their total.
    /// - Returns: The files that could not be given the new key.
    /// - Throws: ``VaultError/inUse`` while another process has the library open; ``VaultError``.
    package func rekey(
        passcode: Passcode?,
        reporting progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> [VaultReport.Damage] {
        try await reauthenticate(passcode)
        let (old, lease) = try await availableKeys()
        defer {
            old.wipe()
            lease?.close()
        }
        try OpenVault.requireDatabase(old, in: places)
        let new = try await keyStore.rotate(old)
        defer { new.wipe() }
        try await rekeyDatabase(new)
        let open = try await OpenVault(new, in: places)
        let left: [VaultReport.Damage]
        do {
            left = try await Self.rewrapContents(of: open, reporting: progress)
        } catch {
            // The first failure is the one to report.
            _ = await Task { try await open.close() }.result
            throw error
        }
        try await open.close()
        return left
    }

    private static func rewrapContents(
        of open: OpenVault,
        reporting progress: @Sendable (Int, Int) -> Void
    ) async throws -> [VaultReport.Damage] {
        let references = try await open.database.referencedContents()
        let ids = references.map { _ in ContentID() }
        // Where this ends between a file and its row, the file is removed when the library is opened again.
        try await open.database.expectContents(ids)
        var left: [ContentID: String] = [:]
        for (index, reference) in references.enumerated() {
            try Task.checkCancellation()
            progress(index, references.count)
            let renewed: ContentReference
            do {
                renewed = try await open.contents.rewrap(reference, as: ids[index])
            } catch let error as VaultError where error.isOfOnePart {
                left[reference.id] = error.code
                continue
            }
            try await open.database.replace(reference, by: renewed)
            do {
                try await open.contents.delete(reference)
            } catch let error as VaultError where error.isOfOnePart {
                left[renewed.id] = error.code
            }
        }
        guard !left.isEmpty else { return [] }
        return try await open.database.contentOwners().compactMap { owner in
            left[owner.reference.id].map { VaultReport.Damage(owner, $0) }
        }
    }

    /// An earlier run may have been ended before the database had the key that was the newest then.
    private func rekeyDatabase(_ keys: VaultKeys) async throws {
        for old in keys.databaseKeys.dropFirst() {
            do {
                return try await LibraryDatabase.rekey(in: places.folder, from: old, to: keys.databaseKey)
            } catch VaultError.wrongKey {
                continue
            }
        }
        throw VaultError.wrongKey
    }

    /// Whether erasing requires the passcode; it does not if no passcode opens the library on this machine.
    ///
    /// - Throws: ``VaultError``.
    package func asksBeforeErasing() async throws -> Bool {
        do {
            switch try await keyStore.state() {
            case .uninitialised, .recoveryNeeded: return false
            default: return try await keyStore.unlockMethods().passcode != nil
            }
        } catch VaultError.slotsMissing, VaultError.slotsDamaged, VaultError.erasedFilesStay {
            return false
        }
    }

    /// Destroys the library: the keys first, so that data which cannot be overwritten becomes unreadable.
    ///
    /// The remains of an earlier run, and a library whose keys are missing or damaged, are removed too.
    ///
    /// - Parameter passcode: The passcode, required if ``asksBeforeErasing()`` is true.
    /// - Throws: ``VaultError``; ``VaultError/locked`` when the passcode is missing, and what a wrong one throws.
    package func erase(passcode: Passcode?) async throws { try await erase(passcode: passcode, Self.remove) }

    /// Does as ``erase(passcode:)`` by `remove`, which deletes a file or folder.
    func erase(passcode: Passcode?, _ remove: (_ path: String) throws -> Void) async throws {
        if try await asksBeforeErasing() { try await reauthenticate(passcode) }
        do {
            if try await keyStore.state() != .uninitialised {
                _ = try await AgentClient(at: try places.agentAddress()).lock()
                try await keyStore.erase()
            }
        } catch VaultError.slotsMissing, VaultError.slotsDamaged, VaultError.erasedFilesStay {}
        // It stands there as long as other files do, also after the process was killed: they look like those of a
        // library that has lost its keys.
        let note = "\(places.library)/\(KeySlotFiles.erasedNote)"
        func writeNote() {
            _ = FileManager.default.createFile(atPath: note, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        writeNote()
        var problem: (any Error)?
        for entry in [
            "library.db", "library.db-wal", "library.db-shm", "slots.json", "keyring.bin", "attempts.bin", "blobs",
            "copies", "locks",
        ] {
            let path = "\(places.library)/\(entry)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            do {
                try remove(path)
            } catch {
                problem = problem ?? error
                // All else in it goes, files before their folders.
                for name in Self.names(in: path).reversed() { Glibc.remove("\(path)/\(name)") }
            }
        }
        // As long as a file with keys is there, of a copy too, nobody may rely on it that the library cannot be read.
        let hasKeys = Self.names(in: places.library).contains { name in
            ["slots.json", "keyring.bin"].contains((name as NSString).lastPathComponent)
        }
        if problem == nil || hasKeys { Glibc.remove(note) }
        guard let problem else { return }
        // A program that looked while damaged slots were still there has removed it.
        if !hasKeys { writeNote() }
        throw hasKeys ? problem : VaultError.erasedFilesStay
    }

    /// The paths of all that is in a folder, each folder before what is in it.
    private static func names(in folder: String) -> [String] {
        FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    }

    /// Removes a file or folder, also one to which a program that is about to leave the library still adds files.
    ///
    /// - Throws: ``VaultError``, for a folder that files still come to after many tries, too.
    private static func remove(_ path: String) throws {
        for triesLeft in (0..<1_000).reversed() {
            do {
                return try FileManager.default.removeItem(atPath: path)
            } catch {
                let code = errno
                if code == ENOENT { return }
                guard code == ENOTEMPTY, triesLeft > 0 else { throw VaultError(opening: code) }
            }
        }
    }
}

extension VaultReport.Damage {
    fileprivate init(_ owner: LibraryDatabase.ContentOwner, _ code: String) {
        self.init(
            item: owner.item,
            session: owner.session,
            name: owner.name,
            isCache: owner.isCache,
            isImported: owner.isImported,
            code: code
        )
    }
}

/// Declares to other processes that the encrypted files are in use, and detects whether their last user crashed.
///
/// The file `locks/open` exists while anyone has the library open; a process that finds it without another user comes
/// after a crash.
final class ContentPresence: Sendable {
    private let path: String
    private let mark: String
    private let held: Mutex<FileLock?>
    /// Whether nothing can be recorded or cleaned up.
    private let isReadOnly: Bool
    /// Whether no other process had it open when this one came.
    let isAlone: Bool
    /// Whether, besides, the last one did not close it.
    let isAfterCrash: Bool

    /// - Throws: ``VaultError``.
    init(in folder: LibraryFolder) throws {
        path = "\(folder.locks)/contents"
        mark = "\(folder.locks)/open"
        isReadOnly = folder.isReadOnly
        guard !isReadOnly else {
            (isAlone, isAfterCrash) = (false, false)
            held = Mutex(nil)
            return
        }
        let alone = try FileLock(at: path, .exclusive)
        isAlone = alone != nil
        isAfterCrash = isAlone && access(mark, F_OK) == 0
        let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw VaultError(opening: errno) }
        Glibc.close(descriptor)
        held = Mutex(alone)
    }

    /// Allows other processes to open the library.
    ///
    /// - Throws: ``VaultError``.
    func share() throws {
        held.withLock { $0 = nil }
        let shared = try FileLock(at: path, .shared, isMade: !isReadOnly, waits: true)
        held.withLock { $0 = shared }
    }

    /// Removes the marker if this is the last process.
    func leave() {
        held.withLock { $0 = nil }
        guard !isReadOnly else { return }
        // Without the lock, another process has it open, or the next one makes an unnecessary check.
        if let alone = try? FileLock(at: path, .exclusive) {
            withExtendedLifetime(alone) { _ = unlink(mark) }
        }
    }
}

/// This machine's record of a library's generation, which reveals a replacement by an older copy.
///
/// A file of the device's folder, `ID.generation`: 8 bytes, big-endian, and 32 bytes of HMAC-SHA256 over them and the
/// vault's id, with a key of the vault. It only causes a warning, so that a backup can be restored.
struct GenerationMark: Sendable {
    private let path: String
    private let vault: [UInt8]
    private let key: SecretBytes

    /// - Throws: ``VaultError/locked`` when the keys have been wiped.
    init(_ keys: VaultKeys, deviceFolder: String) throws {
        path = "\(deviceFolder)/\(Self.name(for: keys.vaultID))"
        vault = Array(keys.vaultID.bytes)
        key = try keys.purposeKey("generation")
    }

    /// The name of a vault's file in the device's folder.
    static func name(for vault: HexBytes) -> String { "\(vault.text).generation" }

    /// Whether this machine has used the library, and changed something in it.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Whether this machine has seen a newer library than one of `generation`; a mark that is not authentic is ignored.
    func isNewer(than generation: Int) throws -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 41)
        guard read(descriptor, &bytes, bytes.count) == 40 else { return false }
        let number = bytes[..<8].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[8..<40]) == (try code(of: Array(bytes[..<8]))) && number > generation
    }

    /// Remembers `generation`.
    ///
    /// - Throws: ``VaultError``.
    func store(_ generation: Int) throws {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: generation >> (8 * (7 - $0))) }
        let bytes = number + (try code(of: number))
        do {
            // If the mark is lost in a power cut, only the warning is lost.
            try AtomicFile.write(Data(bytes), to: path)
        } catch {
            throw Self.problem(error.errno)
        }
    }

    private static func problem(_ number: Int32) -> VaultError {
        let problem = VaultError(opening: number)
        return problem == .readOnly(.noPermission) ? .deviceFolderReadOnly : problem
    }

    private func code(of number: [UInt8]) throws -> [UInt8] {
        try key.withUnsafeBytes {
            Array(HMAC<SHA256>.authenticationCode(for: number + vault, using: SymmetricKey(data: $0)))
        }
    }
}
