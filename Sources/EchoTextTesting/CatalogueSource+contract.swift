package import EchoText
import Testing

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
    let entries = Array(VoiceCatalogue.bundled.voices.prefix(3))
    let first = RememberedCatalogue(entries: entries, version: CatalogueVersion(tag: "1"), refreshedAt: 1_790_000_000)
    try await memory.remember(first, of: .voices)
    #expect(await memory.remembered(.voices) == first)
    #expect(await reopened.remembered(.voices) == first)
    #expect(await reopened.remembered(.recognisers) == nil, "releases are apart")
    let second = RememberedCatalogue(entries: [], version: nil, refreshedAt: 1_790_000_001)
    try await reopened.remember(second, of: .voices)
    #expect(await memory.remembered(.voices) == second)
}
