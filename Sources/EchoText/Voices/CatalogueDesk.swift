import Foundation

/// Knows what there is to download: what comes with the program, and what sources have told since.
actor CatalogueDesk {
    private let source: any CatalogueSource
    private let memory: any CatalogueMemory
    private let events: StudioEvents
    private let now: @Sendable () -> Date
    private let questions = SharedWork<CatalogueRelease, Bool>()
    private var known: VoiceCatalogue?

    /// - Parameters:
    ///   - source: Asked for what is new.
    ///   - memory: Keeps what was told.
    ///   - events: Told when more is known.
    ///   - now: Tells the time of day.
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

    /// All that is known, without asking anybody.
    func catalogue() async -> VoiceCatalogue {
        if let known { return known }
        var catalogue = VoiceCatalogue.bundled
        for release in CatalogueRelease.allCases {
            guard let remembered = await memory.remembered(release) else { continue }
            catalogue = catalogue.merged(with: remembered.entries)
        }
        // Another call may have been here meanwhile, and a refresh after it.
        known = known ?? catalogue
        return known ?? catalogue
    }

    /// When a list was last asked for; `nil` when it never was.
    func refreshedAt(_ release: CatalogueRelease) async -> Date? {
        await memory.remembered(release).map { Date(timeIntervalSince1970: $0.refreshedAt) }
    }

    /// Asks for what is new; those who ask at the same time get one answer.
    ///
    /// - Returns: Whether anything is.
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func refresh(_ release: CatalogueRelease) async throws -> Bool {
        try await questions.join(release) { try await self.ask(for: release) }
    }

    /// Stops all questions.
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
        let all = VoiceCatalogue(old?.entries ?? []).merged(with: entries).entries
        let news = RememberedCatalogue(entries: all, version: version, refreshedAt: time)
        try await memory.remember(news, of: release)
        let merged = (known ?? catalogue).merged(with: entries)
        guard merged != known else { return false }
        known = merged
        await events.post(.voices)
        return true
    }
}
