package import EchoText
import Foundation

/// The report of a check of the whole library.
package struct VaultReport: Sendable, Hashable, Codable {
    package struct Damage: Sendable, Hashable, Codable {
        /// The recording whose sound it is; `nil` for anything else.
        package var item: AudioItem.ID?
        /// The recording's, or the document's that it belongs to; `nil` for a part of an unfinished narration.
        package var name: String?
        /// Whether it is of the cache of speech: nothing is lost then, and repairing takes it out.
        package var isCache: Bool
        /// The error's code: `vault.content-missing` or `vault.content-damaged`.
        package var code: String
    }

    package var items = 0
    package var contents = 0
    /// The faults of the database, in words.
    package var database: [String] = []
    package var damaged: [Damage] = []
    /// Files that nothing pointed at, or of the cache and damaged, that were removed.
    package var removed = 0
    package var isRepaired = false

    package var isSound: Bool { database.isEmpty && damaged.isEmpty }
}

extension LibraryVault {
    /// Looks the library over.
    ///
    /// - Parameters:
    ///   - readsData: Whether every byte of every sealed file is read too.
    ///   - repairs: Whether what can be mended is: the index that searches use, files that nothing points at, and damaged
    ///     ones of the cache of speech.
    ///   - progress: Called with the number of contents done and their total.
    /// - Returns: What was found.
    /// - Throws: ``VaultError`` when it cannot be looked at; `CancellationError`.
    package func check(
        readsData: Bool,
        repairs: Bool,
        reporting progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> VaultReport {
        try await useOpen { open in
            var report = VaultReport()
            let problems = try await open.database.check()
            report.database = problems.map(\.words)
            let owners = try await open.database.contentOwners()
            report.items = owners.filter { $0.item != nil }.count
            report.contents = owners.count
            var cached: [ContentReference] = []
            for (index, owner) in owners.enumerated() {
                progress(index, owners.count)
                do {
                    try await open.contents.verify(owner.reference, readData: readsData)
                } catch let error as VaultError {
                    guard error == .contentMissing || error == .contentDamaged else { throw error }
                    report.damaged.append(
                        .init(item: owner.item, name: owner.name, isCache: owner.isCache, code: error.code)
                    )
                    if owner.isCache { cached.append(owner.reference) }
                }
            }
            if repairs { try await repair(open, &report, problems, cached) }
            return report
        }
    }

    private func repair(
        _ open: OpenVault,
        _ report: inout VaultReport,
        _ problems: [LibraryDatabase.Problem],
        _ cached: [ContentReference]
    ) async throws {
        if problems.contains(.damagedSearch) {
            try await open.database.rebuildSearch()
            try await open.database.rebuildDocumentSearch(reading: open.contents)
            report.database.removeAll { $0 == LibraryDatabase.Problem.damagedSearch.words }
        }
        for reference in cached { try await open.database.dropSpeech(in: reference) }
        try await open.contents.delete(cached)
        report.damaged.removeAll(where: \.isCache)
        let kept = Set(try await open.database.referencedContents().map(\.id))
        // Nothing that another process writes just now is as old as that.
        let hourAgo = Date(timeIntervalSinceNow: -3_600)
        report.removed =
            try await open.contents.sweep(keeping: kept, parts: [], olderThan: hourAgo).removed + cached.count
        report.isRepaired = report.isSound
    }

    /// Copies the library, still sealed, to a folder that is not there yet; never this machine's secret.
    ///
    /// - Throws: ``VaultError/inUse`` while another process has the library open; ``VaultError``.
    package func backup(to folder: String) async throws {
        try await useOpen { open in
            let copy = try LibraryCopy(to: folder)
            try await open.database.backup(to: copy.database)
            let references = try await open.database.referencedContents()
            try copy.take(references.map(\.id), from: places.contents)
            try copy.take(["slots.json", "keyring.bin"], ofLibrary: places.library)
            try copy.finish()
        }
    }

    /// The identities that the `age` program opens the sealed files with, newest first.
    ///
    /// - Parameter passcode: Asked for again where there is one.
    /// - Returns: Each as `AGE-SECRET-KEY-1…`.
    /// - Throws: ``VaultError/locked`` when it is missing, and what a wrong one throws.
    package func exportIdentities(passcode: Passcode?) async throws -> [String] {
        try await reauthenticate(passcode)
        let (keys, lease) = try await keysInReach()
        defer {
            keys.wipe()
            lease?.close()
        }
        return try keys.ageIdentities.map { try AgeIdentity(scalar: $0).exported() }
    }

    /// Gives the library new keys: the database is encrypted anew, and every sealed file is sealed for a new identity.
    ///
    /// A run that is ended in the middle leaves a library that opens; the next run continues.
    ///
    /// - Parameters:
    ///   - passcode: Asked for again where there is one.
    ///   - progress: Called with the number of contents done and their total.
    /// - Throws: ``VaultError/inUse`` while another process has the library open; ``VaultError``.
    package func rekey(
        passcode: Passcode?,
        reporting progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws {
        try await reauthenticate(passcode)
        let (old, lease) = try await keysInReach()
        defer {
            old.wipe()
            lease?.close()
        }
        let new = try await chest.rotate(old)
        defer { new.wipe() }
        try await rekeyDatabase(new)
        let open = try await OpenVault(new, in: places)
        do {
            let references = try await open.database.referencedContents()
            for (index, reference) in references.enumerated() {
                try Task.checkCancellation()
                progress(index, references.count)
                let renewed = try await open.contents.rewrap(reference)
                try await open.database.replace(reference, by: renewed)
                try await open.contents.delete(reference)
            }
        } catch {
            try await Task { try await open.close() }.value
            throw error
        }
        try await open.close()
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

    /// Whether the library is destroyed only for who knows its passcode: not where none opens it on this machine.
    ///
    /// - Throws: ``VaultError``.
    package func asksBeforeErasing() async throws -> Bool {
        do {
            switch try await chest.state() {
            case .uninitialised, .recoveryNeeded: return false
            default: return try await chest.unlockMethods().passcode != nil
            }
        } catch VaultError.slotsMissing, VaultError.slotsDamaged {
            return false
        }
    }

    /// Destroys the library: the keys first, so that what cannot be overwritten remains noise.
    ///
    /// The remains of an earlier run, and a library whose keys are gone or damaged, are removed too.
    ///
    /// - Parameter passcode: Asked for where ``asksBeforeErasing()`` says so.
    /// - Throws: ``VaultError``; ``VaultError/locked`` when the passcode is missing, and what a wrong one throws.
    package func erase(passcode: Passcode?) async throws {
        if try await asksBeforeErasing() { try await reauthenticate(passcode) }
        do {
            if try await chest.state() != .uninitialised {
                _ = try await AgentClient(at: try places.agentAddress()).lock()
                try await chest.erase()
            }
        } catch VaultError.slotsMissing, VaultError.slotsDamaged {}
        for entry in [
            "library.db", "library.db-wal", "library.db-shm", "slots.json", "keyring.bin", "attempts.bin", "blobs",
            "locks",
        ] {
            let path = "\(places.library)/\(entry)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw VaultError(opening: errno)
            }
        }
    }
}

extension LibraryDatabase.Problem {
    var words: String {
        switch self {
        case .damagedPages(let count): "\(count) damaged \(count == 1 ? "place" : "places")"
        case .danglingReferences(let count): "\(count) broken \(count == 1 ? "link" : "links") between rows"
        case .damagedSearch: "a damaged search index"
        }
    }
}
