package import Foundation

/// Brings voices onto this machine and takes them away: one download a voice however many ask, a few at once, and
/// everyone who looks on is told.
package actor VoiceDesk {
    /// Where voices come from and go to.
    package struct Tools: Sendable {
        package let catalogue: any CatalogueSource
        package let archives: any ArchiveSource
        package let installer: any VoiceInstaller
        package let memory: any CatalogueMemory

        package init(
            catalogue: any CatalogueSource,
            archives: any ArchiveSource,
            installer: any VoiceInstaller,
            memory: any CatalogueMemory
        ) {
            self.catalogue = catalogue
            self.archives = archives
            self.installer = installer
            self.memory = memory
        }
    }

    /// A download that is going on, and who waits for it.
    private struct Running {
        let work: Task<InstalledVoice, any Error>
        var waiting: Set<Int> = []
        /// Whether it goes on when nobody waits.
        var isKept = false
    }

    /// A question for what is new, and how many wait for its answer.
    private struct Refresh {
        let work: Task<Bool, any Error>
        var waiting = 0
    }

    /// How many archives are fetched at once.
    package static let places = 2

    private let tools: Tools
    private let events: StudioEvents
    private let hasChanged: @Sendable () async -> Void
    private let now: @Sendable () -> Date
    private let fetching = Turnstile(places: VoiceDesk.places)
    /// Unpacking and trying a voice takes all cores.
    private let installing = Turnstile(places: 1)
    private var known: VoiceCatalogue?
    private var refreshes: [CatalogueRelease: Refresh] = [:]
    private var downloads: [CatalogueEntry.ID: VoiceDownload] = [:]
    private var running: [CatalogueEntry.ID: Running] = [:]
    private var lastTicket = 0

    /// - Parameters:
    ///   - tools: Where voices come from and go to.
    ///   - events: Told of everything.
    ///   - hasChanged: Told when a voice has come or gone, before anyone else is.
    ///   - now: Tells the time of day.
    package init(
        _ tools: Tools,
        events: StudioEvents,
        hasChanged: @escaping @Sendable () async -> Void = {},
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.tools = tools
        self.events = events
        self.hasChanged = hasChanged
        self.now = now
    }

    // MARK: - What there is

    /// All that is known, without asking anybody.
    package func catalogue() async -> VoiceCatalogue {
        if let known { return known }
        var catalogue = VoiceCatalogue.bundled
        for release in CatalogueRelease.allCases {
            guard let remembered = await tools.memory.remembered(release) else { continue }
            catalogue = catalogue.merged(with: remembered.entries)
        }
        // Another call may have been here meanwhile, and a refresh after it.
        known = known ?? catalogue
        return known ?? catalogue
    }

    /// When the list of voices was last asked for; `nil` when it never was.
    package func refreshedAt() async -> Date? {
        await tools.memory.remembered(.voices).map { Date(timeIntervalSince1970: $0.refreshedAt) }
    }

    /// Asks for what is new; those who ask at the same time get one answer.
    ///
    /// - Returns: Whether anything is.
    /// - Throws: ``VoiceDownloadError``.
    @discardableResult
    package func refresh(_ release: CatalogueRelease = .voices) async throws -> Bool {
        let work: Task<Bool, any Error>
        if let refresh = refreshes[release] {
            work = refresh.work
        } else {
            work = Task {
                defer { refreshes[release] = nil }
                return try await ask(for: release)
            }
            refreshes[release] = Refresh(work: work)
        }
        refreshes[release]?.waiting += 1
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            Task { await self.leave(release) }
        }
    }

    private func leave(_ release: CatalogueRelease) {
        refreshes[release]?.waiting -= 1
        if let refresh = refreshes[release], refresh.waiting == 0 { refresh.work.cancel() }
    }

    private func ask(for release: CatalogueRelease) async throws -> Bool {
        let old = await tools.memory.remembered(release)
        let catalogue = await catalogue()
        let answer = try await tools.catalogue.entries(of: release, since: old?.version)
        let time = now().timeIntervalSince1970
        guard case .entries(let entries, let version) = answer else {
            if var old {
                old.refreshedAt = time
                try await tools.memory.remember(old, of: release)
            }
            return false
        }
        let all = VoiceCatalogue(old?.entries ?? []).merged(with: entries).entries
        let news = RememberedCatalogue(entries: all, version: version, refreshedAt: time)
        try await tools.memory.remember(news, of: release)
        let merged = (known ?? catalogue).merged(with: entries)
        guard merged != known else { return false }
        known = merged
        await events.post(.voices)
        return true
    }

    /// Every voice of the catalogue and every one that is installed.
    ///
    /// - Parameter active: The voice that speaks when none is named.
    /// - Returns: Those of the catalogue by id, then those the person has added.
    /// - Throws: What listing the installed ones throws.
    package func offers(active: Voice.ID? = nil) async throws -> [VoiceOffer] {
        let entries = await catalogue().voices
        let installed = try await tools.installer.installed()
        let begun = Set(await tools.archives.begun())
        let byID = Dictionary(installed.map { ($0.voice.id, $0) }) { first, _ in first }
        var offers: [VoiceOffer] = []
        for entry in entries {
            let voice = entry.voice.flatMap { byID[$0] }
            let left = begun.contains(entry.id) ? await tools.archives.begun(entry.id) : nil
            offers.append(.init(entry: entry, installed: voice, state: state(of: entry.id, voice, left, active)))
        }
        let offered = Set(entries.compactMap(\.voice))
        offers += installed.filter { !offered.contains($0.voice.id) }.map { voice in
            VoiceOffer(entry: nil, installed: voice, state: voice.voice.id == active ? .active : .downloaded)
        }
        return offers
    }

    private func state(
        of id: CatalogueEntry.ID,
        _ installed: InstalledVoice?,
        _ left: TransferProgress?,
        _ active: Voice.ID?
    ) -> VoiceDownload.State {
        if let download = downloads[id], download.isRunning { return download.state }
        if let installed { return installed.voice.id == active ? .active : .downloaded }
        if case .failed(let failure) = downloads[id]?.state { return .failed(failure) }
        return left.map { .paused(TransferProgress(bytes: $0.bytes, total: $0.total)) } ?? .notDownloaded
    }

    package func installed() async throws -> [InstalledVoice] { try await tools.installer.installed() }

    /// How it stands with every download of this run of the program.
    package func statuses() -> [VoiceStatus] {
        downloads.map { VoiceStatus(entry: $0, state: $1.state) }.sorted { $0.entry.rawValue < $1.entry.rawValue }
    }

    // MARK: - Downloading

    /// Downloads and installs a voice, and waits until it is there; joins a download that is going on.
    ///
    /// When all who wait have been cancelled, so is the download; what has come is kept.
    ///
    /// - Returns: The voice, installed.
    /// - Throws: ``VoiceDownloadError``, what ``VoiceInstaller`` throws, or `CancellationError`, also when ``cancel(_:)`` was called.
    @discardableResult
    package func download(_ id: CatalogueEntry.ID) async throws -> InstalledVoice {
        let work = try await begin(id)
        lastTicket += 1
        let ticket = lastTicket
        running[id]?.waiting.insert(ticket)
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            Task { await self.leave(id, ticket) }
        }
    }

    /// Begins to download a voice, or joins a download that is going on, which then goes on whoever waits.
    ///
    /// - Throws: ``VoiceDownloadError/unknownEntry(_:similar:)``.
    package func start(_ id: CatalogueEntry.ID) async throws {
        _ = try await begin(id)
        running[id]?.isKept = true
    }

    /// Stops a download for all who wait; what has come is kept to be gone on with.
    package func cancel(_ id: CatalogueEntry.ID) async {
        guard let work = running[id]?.work else { return }
        work.cancel()
        // How it ended is told to those who wait for it.
        _ = await work.result
    }

    /// Stops a download, and removes what has come.
    ///
    /// - Throws: ``VoiceDownloadError/cannotWrite``.
    package func discard(_ id: CatalogueEntry.ID) async throws {
        await cancel(id)
        try await tools.archives.discard(id)
        downloads[id] = nil
        await events.post(.voice(VoiceStatus(entry: id, state: .notDownloaded)))
    }

    /// Stops all downloads and questions.
    package func close() async {
        for refresh in refreshes.values { refresh.work.cancel() }
        let works = running.values.map(\.work)
        for work in works { work.cancel() }
        for work in works { _ = await work.result }
    }

    private func begin(_ id: CatalogueEntry.ID) async throws -> Task<InstalledVoice, any Error> {
        let catalogue = await catalogue()
        guard let entry = catalogue[id], entry.kind == .piperVoice else {
            throw VoiceDownloadError.unknownEntry(String(id.rawValue.prefix(100)), similar: [])
        }
        // Two must never share what has come of one archive.
        while let stopping = running[id]?.work, stopping.isCancelled { _ = await stopping.result }
        if let running = running[id] { return running.work }
        let work = Task { try await self.work(on: entry) }
        running[id] = Running(work: work)
        return work
    }

    private func leave(_ id: CatalogueEntry.ID, _ ticket: Int) {
        guard var one = running[id], one.waiting.remove(ticket) != nil else { return }
        running[id] = one
        if one.waiting.isEmpty, !one.isKept { one.work.cancel() }
    }

    private func work(on entry: CatalogueEntry) async throws -> InstalledVoice {
        defer { running[entry.id] = nil }
        await change(entry.id) { $0.begin() }
        do {
            let archive = try await fetching.pass { _ in
                try await tools.archives.fetch(entry) { progress in
                    await self.change(entry.id) { $0.received(progress) }
                }
            }
            let voice = try await installing.pass { _ in
                try await tools.installer.install(archive, of: entry) { phase in
                    await self.change(entry.id) { $0.entered(phase) }
                }
            }
            // The voice is there; what is left of its archive is taken away another time if not now.
            try? await tools.archives.discard(entry.id)
            await hasChanged()
            await change(entry.id) { $0.installed() }
            await events.post(.voices)
            return voice
        } catch is CancellationError {
            let left = await tools.archives.begun(entry.id)
            await change(entry.id) { $0.stopped(keeping: left) }
            throw CancellationError()
        } catch {
            // A refused archive is gone; what was noted of it goes too.
            if await tools.archives.begun(entry.id) == nil { try? await tools.archives.discard(entry.id) }
            await change(entry.id) { $0.failed(error) }
            throw error
        }
    }

    private func change(_ id: CatalogueEntry.ID, _ change: (inout VoiceDownload) -> Void) async {
        var download = downloads[id] ?? VoiceDownload()
        change(&download)
        guard download != downloads[id] else { return }
        downloads[id] = download
        await events.post(.voice(VoiceStatus(entry: id, state: download.state)))
    }

    // MARK: - What is here

    /// Adds a voice from the person's own folder, archive or model; see ``VoiceInstaller/add(_:named:report:)``.
    ///
    /// - Throws: As the installer does.
    package func add(
        _ path: String,
        named name: String? = nil,
        report: @Sendable (InstallPhase) async -> Void = { _ in }
    ) async throws -> InstalledVoice {
        let voice = try await installing.pass { _ in
            try await tools.installer.add(path, named: name, report: report)
        }
        await hasChanged()
        await events.post(.voices)
        return voice
    }

    /// Takes an installed voice away.
    ///
    /// - Throws: ``VoiceInstallError``.
    package func remove(_ id: Voice.ID) async throws {
        try await tools.installer.remove(id)
        for entry in await catalogue().voices where entry.voice == id { downloads[entry.id]?.removed() }
        await hasChanged()
        await events.post(.voices)
    }

    /// Looks whether an installed voice is whole.
    ///
    /// - Throws: As ``VoiceInstaller/check(_:)``.
    package func check(_ id: Voice.ID) async throws { try await tools.installer.check(id) }

    /// What has become of the voices that were installed when they were last looked at.
    ///
    /// - Parameter registry: Remembers them.
    /// - Returns: Those that are gone or were changed; one that is gone is told once.
    /// - Throws: ``VaultError``, and what the installer throws.
    package func losses(in registry: any VoiceRegistry) async throws -> [VoiceLoss] {
        try await VoiceInventory(of: tools.installer, in: registry).take()
    }

    /// Takes away what an installation that did not end has left, and archives of voices that are there, once at the start of
    /// the program.
    ///
    /// - Throws: As the installer does.
    package func sweep() async throws {
        _ = try await tools.installer.sweep()
        let begun = await tools.archives.begun()
        guard !begun.isEmpty else { return }
        let installed = Set(try await tools.installer.installed().compactMap(\.receipt?.entry))
        for id in begun where running[id] == nil && installed.contains(id) {
            try? await tools.archives.discard(id)  // one that another program works on stays
        }
    }
}
