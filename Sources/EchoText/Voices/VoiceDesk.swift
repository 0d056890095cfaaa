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

    /// How many archives are fetched at once.
    package static let places = 2

    private let tools: Tools
    private let events: StudioEvents
    private let hasChanged: @Sendable (VoiceChange) async -> Void
    private let entries: CatalogueDesk
    private let work = SharedWork<CatalogueEntry.ID, InstalledVoice>()
    private let fetching = Turnstile(places: VoiceDesk.places)
    /// Unpacking and trying a voice takes all cores.
    private let installing = Turnstile(places: 1)
    private var downloads: [CatalogueEntry.ID: VoiceDownload] = [:]

    /// - Parameters:
    ///   - tools: Where voices come from and go to.
    ///   - events: Told of everything.
    ///   - hasChanged: Told when a voice has come or gone, before anyone else is.
    ///   - now: Tells the time of day.
    package init(
        _ tools: Tools,
        events: StudioEvents,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.tools = tools
        self.events = events
        self.hasChanged = hasChanged
        entries = CatalogueDesk(tools.catalogue, memory: tools.memory, events: events, now: now)
    }

    // MARK: - What there is

    /// All that is known of what can be had, without asking anybody.
    package func catalogue() async -> VoiceCatalogue { await entries.catalogue() }

    /// When the list of voices was last asked for; `nil` when it never was.
    package func refreshedAt() async -> Date? { await entries.refreshedAt(.voices) }

    /// Asks for what is new; those who ask at the same time get one answer.
    ///
    /// - Returns: Whether anything is.
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    @discardableResult
    package func refresh(_ release: CatalogueRelease = .voices) async throws -> Bool {
        try await entries.refresh(release)
    }

    /// What lies in the folder of the voices.
    ///
    /// - Throws: As the installer does.
    package func stock() async throws -> VoiceStock { try await tools.installer.stock() }

    /// Every voice of the catalogue and every one that is here.
    ///
    /// - Parameters:
    ///   - stock: What is here.
    ///   - active: The voice that speaks when none is named.
    /// - Returns: Those of the catalogue by id, then those the person has added.
    package func offers(of stock: VoiceStock, active: Voice.ID? = nil) async -> [VoiceOffer] {
        let entries = await catalogue().voices
        let begun = Set(await tools.archives.begun())
        let voices = Dictionary(stock.voices.map { ($0.voice.id, $0) }) { first, _ in first }
        let faults = Dictionary(stock.faults.map { ($0.id, $0) }) { first, _ in first }
        var offers: [VoiceOffer] = []
        for entry in entries {
            let voice = entry.voice.flatMap { voices[$0] }
            let left = begun.contains(entry.id) ? await tools.archives.begun(entry.id) : nil
            offers.append(
                VoiceOffer(
                    entry: entry,
                    installed: voice,
                    fault: entry.voice.flatMap { faults[$0] },
                    state: state(of: entry.id, voice, left, active)
                )
            )
        }
        let offered = Set(entries.compactMap(\.voice))
        let added = Set(voices.keys).union(faults.keys).subtracting(offered).sorted { $0.rawValue < $1.rawValue }
        return offers
            + added.map { id in
                let state: VoiceDownload.State =
                    voices[id] == nil ? .notDownloaded : id == active ? .active : .downloaded
                return VoiceOffer(entry: nil, installed: voices[id], fault: faults[id], state: state)
            }
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
        let entry = try await entry(id)
        return try await work.join(id) { try await self.bring(entry) }
    }

    /// Begins to download a voice, or joins a download that is going on, which then goes on whoever waits.
    ///
    /// - Throws: ``VoiceDownloadError/unknownEntry(_:similar:)``.
    package func start(_ id: CatalogueEntry.ID) async throws {
        let entry = try await entry(id)
        // Whoever asks from now on hears that it was begun.
        await change(id) { $0.begin() }
        await work.keep(id) { try await self.bring(entry) }
    }

    /// Stops a download for all who wait; what has come is kept to be gone on with.
    package func cancel(_ id: CatalogueEntry.ID) async { await work.stop(id) }

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
        await entries.close()
        await work.stopAll()
    }

    private func entry(_ id: CatalogueEntry.ID) async throws -> CatalogueEntry {
        guard let entry = await catalogue()[id], entry.kind == .piperVoice else {
            throw VoiceDownloadError.unknownEntry(String(id.rawValue.prefix(100)), similar: [])
        }
        return entry
    }

    private func bring(_ entry: CatalogueEntry) async throws -> InstalledVoice {
        await change(entry.id) { $0.begin() }
        do {
            let voice = try await fetching.pass { _ in
                try await tools.archives.fetch(entry) { progress in
                    await self.change(entry.id) { $0.received(progress) }
                } lending: { archive in
                    try await self.install(archive, of: entry)
                }
            }
            await hasChanged(.came(voice))
            await change(entry.id) { $0.installed() }
            await events.post(.voices)
            return voice
        } catch is CancellationError {
            let left = await tools.archives.begun(entry.id)
            await change(entry.id) { $0.stopped(keeping: left) }
            throw CancellationError()
        } catch {
            await change(entry.id) { $0.failed(error) }
            throw error
        }
    }

    private func install(_ archive: FetchedArchive, of entry: CatalogueEntry) async throws -> InstalledVoice {
        try await installing.pass { _ in
            try await tools.installer.install(archive, of: entry) { phase in
                await self.change(entry.id) { $0.entered(phase) }
            }
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
        await hasChanged(.came(voice))
        await events.post(.voices)
        return voice
    }

    /// Takes an installed voice away, or what is left of one.
    ///
    /// - Throws: ``VoiceInstallError``.
    package func remove(_ id: Voice.ID) async throws {
        try await tools.installer.remove(id)
        for entry in await catalogue().voices where entry.voice == id { downloads[entry.id]?.removed() }
        await hasChanged(.went(id))
        await events.post(.voices)
    }

    /// Takes away what installations and downloads that did not end have left, and archives of voices that are there, once at the
    /// start of the program.
    ///
    /// - Throws: As the installer does.
    package func sweep() async throws {
        _ = try await tools.installer.sweep()
        await tools.archives.sweep()
        let begun = await tools.archives.begun()
        guard !begun.isEmpty else { return }
        let installed = Set(try await stock().voices.compactMap(\.receipt?.entry))
        for id in begun where installed.contains(id) {
            guard await !work.isGoingOn(id) else { continue }
            try? await tools.archives.discard(id)  // one that another program works on stays
        }
    }
}
