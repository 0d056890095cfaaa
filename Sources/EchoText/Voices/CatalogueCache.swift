import Foundation

/// Caches the catalogue of voices: the list that comes with the program, merged with newer entries of the sources.
actor CatalogueCache {
    private let source: any CatalogueSource
    private let memory: any CatalogueMemory
    private let events: StudioEvents
    private let now: @Sendable () -> Date
    private let questions = SingleFlight<CatalogueRelease, Bool>()
    private var known: ModelCatalogue?

    /// - Parameters:
    ///   - source: Provides new entries.
    ///   - memory: Stores the entries of sources.
    ///   - events: Receives an event when the catalogue has changed.
    ///   - now: Returns the time of day.
    init(
        _ source: any CatalogueSource,
        memory: any CatalogueMemory,
        events: StudioEvents,
        now: @escaping @Sendable () -> Date
    ) {
        self.source = source
        self.memory = memory
        self.events = events
        self.now = now
    }

    /// The catalogue as it is known, without connecting anywhere.
    func catalogue() async -> ModelCatalogue {
        if let known { return known }
        var catalogue = ModelCatalogue.bundled
        for release in CatalogueRelease.allCases {
            guard let remembered = await memory.remembered(release) else { continue }
            catalogue = catalogue.merged(with: remembered.entries)
        }
        // Another call may have filled the cache meanwhile, and a refresh changed it.
        known = known ?? catalogue
        return known ?? catalogue
    }

    /// When a list was last refreshed; `nil` when it never was.
    func refreshedAt(_ release: CatalogueRelease) async -> Date? {
        await memory.remembered(release).map { Date(timeIntervalSince1970: min(max(0, $0.refreshedAt), 1e10)) }
    }

    /// Refreshes a list; concurrent callers share one request.
    ///
    /// - Returns: Whether the list has changed.
    /// - Throws: ``ModelDownloadError``, or `CancellationError`.
    func refresh(_ release: CatalogueRelease) async throws -> Bool {
        try await questions.join(release) { try await self.ask(for: release) }
    }

    /// Cancels all refreshes.
    func close() async { await questions.stopAll() }

    private func ask(for release: CatalogueRelease) async throws -> Bool {
        let old = await memory.remembered(release)
        let catalogue = await catalogue()
        let answer = try await source.entries(of: release, since: old?.version)
        let time = now().timeIntervalSince1970
        guard case .entries(let entries, let version) = answer else {
            if var old {
                old.refreshedAt = time
                try await memory.remember(old, of: release)
            }
            return false
        }
        let all = ModelCatalogue(old?.entries ?? []).merged(with: entries).entries
        let news = RememberedCatalogue(entries: all, version: version, refreshedAt: time)
        try await memory.remember(news, of: release)
        let merged = (known ?? catalogue).merged(with: entries)
        guard merged != known else { return false }
        known = merged
        await events.post(.voices)
        return true
    }
}

/// The stored entries of a release, as its source sent them last.
package struct RememberedCatalogue: Sendable, Hashable, Codable {
    package let entries: [CatalogueEntry]
    package let version: CatalogueVersion?
    /// The time of the last request to the source, in seconds since 1970, even if it had nothing new.
    package var refreshedAt: Double

    package init(entries: [CatalogueEntry], version: CatalogueVersion?, refreshedAt: Double) {
        self.entries = entries
        self.version = version
        self.refreshedAt = refreshedAt
    }
}

/// Stores the entries of releases persistently.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that stored entries are found again, and that damaged ones count
/// as absent.
package protocol CatalogueMemory: Sendable {
    func remembered(_ release: CatalogueRelease) async -> RememberedCatalogue?

    /// - Throws: ``ModelDownloadError/cannotWrite``.
    func remember(_ catalogue: RememberedCatalogue, of release: CatalogueRelease) async throws
}

/// Identifies a version of a source's list: an opaque tag of its server.
package struct CatalogueVersion: Sendable, Hashable, Codable {
    package let tag: String

    package init(tag: String) {
        self.tag = tag
    }
}

package enum CatalogueAnswer: Sendable, Hashable {
    /// Nothing has changed since the given version.
    case unchanged
    /// All that the release has now; `version` is `nil` when the source cannot distinguish versions.
    case entries([CatalogueEntry], version: CatalogueVersion?)
}

/// Lists the archives that can be downloaded: the port to a release's list, on a server or in a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - it lists each entry once, and only entries of the requested release;
/// - it returns ``CatalogueAnswer/unchanged`` for the version of its last answer as long as nothing has changed.
package protocol CatalogueSource: Sendable {
    /// - Parameters:
    ///   - release: The release to list.
    ///   - version: The version of the last answer; `nil` for the first request.
    /// - Returns: The whole list, or that it is unchanged.
    /// - Throws: ``ModelDownloadError``, or `CancellationError`.
    func entries(of release: CatalogueRelease, since version: CatalogueVersion?) async throws -> CatalogueAnswer
}
