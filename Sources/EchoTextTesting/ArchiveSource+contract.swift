package import EchoText
import Foundation
import Synchronization
import Testing

/// Checks every promise ``ArchiveSource`` makes.
///
/// - Parameters:
///   - source: The source to check, which has fetched nothing yet.
///   - entry: An archive that it has, with the right size and checksum, large enough for several reports.
///   - absent: An archive that it does not have.
/// - Throws: Unexpected errors of the source.
package func verifyContract(
    of source: some ArchiveSource,
    entry: CatalogueEntry,
    absent: CatalogueEntry
) async throws {
    #expect(await source.begun().isEmpty)
    #expect(await source.begun(entry.id) == nil)

    let stopped = Task {
        try await source.fetch(entry) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
        } lending: { _ in
        }
    }
    await #expect(throws: CancellationError.self) { try await stopped.value }

    let reports = Mutex<[TransferProgress]>([])
    // An archive whose use failed is kept.
    await #expect(throws: ModelInstallError.cannotWrite) {
        try await source.fetch(entry) { progress in
            reports.withLock { $0.append(progress) }
        } lending: { _ in
            throw ModelInstallError.cannotWrite
        }
    }
    #expect(await source.begun() == [entry.id])
    let archive = try await source.fetch(entry) { _ in
    } lending: { archive in
        let facts = try FileManager.default.attributesOfItem(atPath: archive.path)
        #expect((facts[.size] as? NSNumber)?.int64Value == archive.bytes)
        #expect(await source.begun(entry.id)?.bytes == archive.bytes)
        await #expect(throws: ModelDownloadError.busy(entry.id)) { try await source.discard(entry.id) }
        await source.sweep()
        #expect(FileManager.default.fileExists(atPath: archive.path), "it is lent")
        return archive
    }
    #expect(await source.begun().isEmpty && !FileManager.default.fileExists(atPath: archive.path), "it was used")
    let seen = reports.withLock(\.self)
    #expect(seen.last?.bytes == archive.bytes, "the last report says that all is there")
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
    #expect(seen.allSatisfy { $0.total == nil || $0.total == archive.bytes })
    #expect(archive.bytes == entry.archiveBytes && archive.sha256 == entry.sha256)

    var other = entry
    other.sha256 = String(repeating: "0", count: 64)
    await #expect(throws: ModelDownloadError.wrongChecksum(entry.id)) { try await source.fetch(other) }
    #expect(await source.begun(entry.id) == nil, "what is not what it should be is not kept")
    var shorter = entry
    shorter.archiveBytes = archive.bytes - 1
    await #expect(throws: ModelDownloadError.wrongSize(entry.id, bytes: archive.bytes, expected: archive.bytes - 1)) {
        try await source.fetch(shorter)
    }

    await #expect(throws: ModelDownloadError.self) { try await source.fetch(absent) }
    let escaping = CatalogueEntry(id: .init(rawValue: "../escape"), kind: .piperVoice, language: "en", name: "escape")
    await #expect(throws: ModelDownloadError.unknownEntry("../escape", similar: [])) {
        try await source.fetch(escaping)
    }

    await #expect(throws: ModelInstallError.cannotWrite) {
        try await source.fetch(entry) { _ in
        } lending: { _ in
            throw ModelInstallError.cannotWrite
        }
    }
    try await source.discard(entry.id)
    try await source.discard(entry.id)
    try await source.discard(absent.id)
    #expect(await source.begun().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: archive.path))
}

extension ArchiveSource {
    /// Fetches an archive without using it.
    ///
    /// - Returns: The fetched archive.
    @discardableResult
    package func fetch(_ entry: CatalogueEntry) async throws -> FetchedArchive {
        try await fetch(entry) { _ in
        } lending: {
            $0
        }
    }
}

/// Checks every promise ``CatalogueSource`` makes.
///
/// - Parameters:
///   - source: The source to check; it has at least one archive of `release`, and archives that EchoText cannot use.
///   - release: The release to list.
///   - change: Adds another archive.
/// - Throws: Unexpected errors of the source.
package func verifyContract(
    of source: some CatalogueSource,
    release: CatalogueRelease,
    change: () async throws -> Void
) async throws {
    guard case .entries(let entries, let version) = try await source.entries(of: release, since: nil) else {
        Issue.record("the first request gets all entries")
        return
    }
    #expect(!entries.isEmpty)
    #expect(Set(entries.map(\.id)).count == entries.count, "an entry is listed once")
    #expect(entries.allSatisfy { $0.release == release })
    #expect(entries.allSatisfy { CatalogueEntry(archive: $0.archive)?.id == $0.id }, "ids are plain file names")
    if let version {
        #expect(try await source.entries(of: release, since: version) == .unchanged)
    }
    let foreign = CatalogueVersion(tag: "https://elsewhere.example/list \"1\"")
    guard case .entries(entries, version) = try await source.entries(of: release, since: foreign) else {
        Issue.record("another's version means nothing")
        return
    }
    try await change()
    guard case .entries(let more, let next) = try await source.entries(of: release, since: version) else {
        Issue.record("new entries are listed")
        return
    }
    #expect(more.count == entries.count + 1)
    #expect(next == nil || next != version)
}

/// Checks every promise ``CatalogueMemory`` makes.
///
/// - Parameters:
///   - memory: The memory to check, initially empty.
///   - reopened: The same memory in the next run of the program.
/// - Throws: Unexpected errors of the memory.
package func verifyContract(of memory: some CatalogueMemory, reopened: some CatalogueMemory) async throws {
    #expect(await memory.remembered(.voices) == nil)
    let entries = Array(ModelCatalogue.bundled.voices.prefix(3))
    let first = RememberedCatalogue(entries: entries, version: CatalogueVersion(tag: "1"), refreshedAt: 1_790_000_000)
    try await memory.remember(first, of: .voices)
    #expect(await memory.remembered(.voices) == first)
    #expect(await reopened.remembered(.voices) == first)
    #expect(await reopened.remembered(.recognizers) == nil, "releases are apart")
    let second = RememberedCatalogue(entries: [], version: nil, refreshedAt: 1_790_000_001)
    try await reopened.remember(second, of: .voices)
    #expect(await memory.remembered(.voices) == second)
}
