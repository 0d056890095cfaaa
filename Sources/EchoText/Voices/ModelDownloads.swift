package import Foundation

/// Downloads, installs and removes voices.
///
/// Concurrent callers share a voice's download, a few downloads run at once, and every change is an event.
///
/// ```swift
/// let voice = try await downloads.download(entry.id)
/// ```
package actor ModelDownloads: Closeable {
    /// The ports to the catalogue, the archives and the folder of the voices.
    package struct Tools: Sendable {
        package let catalogue: any CatalogueSource
        package let archives: any ArchiveSource
        package let installer: any VoiceInstaller
        package let memory: any CatalogueMemory
        /// The folder of the recognizers; `nil` where only voices are downloaded.
        package let recognizers: (any RecognizerInstaller)?

        package init(
            catalogue: any CatalogueSource,
            archives: any ArchiveSource,
            installer: any VoiceInstaller,
            memory: any CatalogueMemory,
            recognizers: (any RecognizerInstaller)? = nil
        ) {
            self.catalogue = catalogue
            self.archives = archives
            self.installer = installer
            self.memory = memory
            self.recognizers = recognizers
        }
    }

    /// The result of downloading an archive.
    private enum Outcome: Sendable {
        case voice(InstalledVoice)
        case model(AddedModel)
    }

    /// The most archives that are fetched at once.
    package static let parallelDownloads = 2

    private let tools: Tools
    private let events: StudioEvents
    private let hasChanged: @Sendable (VoiceChange) async -> Void
    private let entries: CatalogueCache
    private let work = SingleFlight<CatalogueEntry.ID, Outcome>()
    private let fetching = PrioritySemaphore(permits: ModelDownloads.parallelDownloads)
    /// Unpacking and trying a voice takes all cores.
    private let installing = PrioritySemaphore(permits: 1)
    private var downloads: [CatalogueEntry.ID: ModelDownload] = [:]

    /// - Parameters:
    ///   - tools: The ports to the catalogue, the archives and the folder of the voices.
    ///   - events: Receives progress, and an event when a voice was installed or removed.
    ///   - hasChanged: Called when a voice was installed or removed, before the event is posted.
    ///   - now: Returns the time of day.
    package init(
        _ tools: Tools,
        events: StudioEvents,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.tools = tools
        self.events = events
        self.hasChanged = hasChanged
        entries = CatalogueCache(tools.catalogue, memory: tools.memory, events: events, now: now)
    }

    // MARK: - Catalogue and installed voices

    /// The catalogue as it is known, without connecting anywhere.
    package func catalogue() async -> ModelCatalogue { await entries.catalogue() }

    /// When the list of voices was last refreshed; `nil` when it never was.
    package func refreshedAt() async -> Date? { await entries.refreshedAt(.voices) }

    /// Refreshes the catalogue; concurrent callers share one request.
    ///
    /// - Returns: Whether the catalogue has changed.
    /// - Throws: ``ModelDownloadError``, or `CancellationError`.
    @discardableResult
    package func refresh(_ release: CatalogueRelease = .voices) async throws -> Bool {
        try await entries.refresh(release)
    }

    /// Returns the voices in the voices folder, and the faults of others.
    ///
    /// - Throws: As the installer does.
    package func installedVoices() async throws -> InstalledVoices { try await tools.installer.installedVoices() }

    /// Lists every voice with its state on this machine.
    ///
    /// - Parameters:
    ///   - installedVoices: What ``installedVoices()`` returned.
    ///   - voices: The voices that the engines can speak with.
    ///   - records: The library's records of voices.
    ///   - selected: The selected profile's voice.
    /// - Returns: The result of ``VoiceListing/all(speaking:installed:catalogue:downloads:records:selected:)`` for
    ///   these, the catalogue and the downloads.
    package func listings(
        of installedVoices: InstalledVoices,
        speaking voices: [Voice] = [],
        records: [Voice.ID: VoiceRecord] = [:],
        selected: Voice.ID? = nil
    ) async -> [VoiceListing] {
        let catalogue = await catalogue()
        var states: [CatalogueEntry.ID: ModelDownload.State] = [:]
        for id in await tools.archives.begun() {
            guard let kept = await tools.archives.begun(id) else { continue }
            states[id] = .paused(TransferProgress(bytes: kept.bytes, total: kept.total))
        }
        // Only the archive source knows whether bytes of a stopped download are still stored.
        for (id, download) in downloads where !download.isPaused { states[id] = download.state }
        return VoiceListing.all(
            speaking: voices,
            installed: installedVoices,
            catalogue: catalogue,
            downloads: states,
            records: records,
            selected: selected
        )
    }

    /// The state of every download of this run of the program that has not ended in a voice.
    package func statuses() -> [VoiceStatus] {
        downloads.map { VoiceStatus(entry: $0, state: $1.state) }.sorted { $0.entry.rawValue < $1.entry.rawValue }
    }

    // MARK: - Downloading

    /// Downloads and installs a voice, and waits until it is installed; joins a running download of the same voice.
    ///
    /// The download is cancelled when all waiting callers are; the received bytes are kept.
    ///
    /// - Returns: The installed voice.
    /// - Throws: ``ModelDownloadError``, what ``VoiceInstaller`` throws, or `CancellationError`, also when
    ///   ``cancel(_:)`` was called.
    @discardableResult
    package func download(_ id: CatalogueEntry.ID) async throws -> InstalledVoice {
        let entry = try await entry(id)
        guard entry.kind == .piperVoice, case .voice(let voice) = try await join(entry) else { throw Self.unknown(id) }
        return voice
    }

    /// Downloads and installs a recognizer or a diarization model, as ``download(_:)`` does a voice.
    ///
    /// - Returns: What was installed.
    /// - Throws: ``ModelDownloadError``, what ``RecognizerInstaller`` throws, or `CancellationError`.
    @discardableResult
    package func downloadModel(_ id: CatalogueEntry.ID) async throws -> AddedModel {
        let entry = try await entry(id)
        guard entry.kind != .piperVoice, case .model(let model) = try await join(entry) else {
            throw Self.unknown(id)
        }
        return model
    }

    private func join(_ entry: CatalogueEntry) async throws -> Outcome {
        try await work.join(entry.id) { try await self.bring(entry) }
    }

    /// Starts to download any entry, and returns at once; the download runs until it ends or ``cancel(_:)`` is called.
    ///
    /// - Throws: ``ModelDownloadError/unknownEntry(_:similar:)``.
    package func start(_ id: CatalogueEntry.ID) async throws {
        let entry = try await entry(id)
        // Before this returns, ``statuses()`` has to list the download.
        await change(id) { $0.begin() }
        await work.keep(id) { try await self.bring(entry) }
    }

    /// Cancels a download for all callers; the received bytes are kept, and the next download resumes there.
    package func cancel(_ id: CatalogueEntry.ID) async { await work.stop(id) }

    /// The bytes that have arrived of a download that is not complete.
    package func arrivedBytes(of id: CatalogueEntry.ID) async -> Int64 { await tools.archives.begun(id)?.bytes ?? 0 }

    /// Cancels a download, and removes the bytes that have arrived.
    ///
    /// - Throws: ``ModelDownloadError/cannotWrite``.
    package func discard(_ id: CatalogueEntry.ID) async throws {
        await cancel(id)
        try await tools.archives.discard(id)
        downloads[id] = nil
        await events.post(.voice(VoiceStatus(entry: id, state: .none)))
    }

    /// Cancels all downloads and refreshes.
    package func close() async {
        await entries.close()
        await work.stopAll()
    }

    private func entry(_ id: CatalogueEntry.ID) async throws -> CatalogueEntry {
        guard let entry = await catalogue()[id], entry.kind == .piperVoice || tools.recognizers != nil else {
            throw Self.unknown(id)
        }
        return entry
    }

    private static func unknown(_ id: CatalogueEntry.ID) -> ModelDownloadError {
        .unknownEntry(String(id.rawValue.prefix(100)), similar: [])
    }

    private func bring(_ entry: CatalogueEntry) async throws -> Outcome {
        await change(entry.id) { $0.begin() }
        do {
            let arrival = try await fetching.pass { _ in
                try await tools.archives.fetch(entry) { progress in
                    await self.change(entry.id) { $0.received(progress) }
                } lending: { archive in
                    try await self.install(archive, of: entry)
                }
            }
            if case .voice(let voice) = arrival { await hasChanged(.came(voice)) }
            await change(entry.id) { $0.installed() }
            await events.post(.voices)
            return arrival
        } catch is CancellationError {
            let left = await tools.archives.begun(entry.id)
            await change(entry.id) { $0.stopped(keeping: left) }
            throw CancellationError()
        } catch {
            await change(entry.id) { $0.failed(error) }
            throw error
        }
    }

    private func install(_ archive: FetchedArchive, of entry: CatalogueEntry) async throws -> Outcome {
        try await installing.pass { _ in
            let report: @Sendable (InstallPhase) async -> Void = { phase in
                await self.change(entry.id) { $0.entered(phase) }
            }
            guard entry.kind != .piperVoice else {
                return .voice(try await tools.installer.install(archive, of: entry, report: report))
            }
            guard let recognizers = tools.recognizers else { throw Self.unknown(entry.id) }
            return .model(try await recognizers.install(archive, of: entry, report: report))
        }
    }

    private func change(_ id: CatalogueEntry.ID, _ change: (inout ModelDownload) -> Void) async {
        let before = downloads[id] ?? ModelDownload()
        var download = before
        change(&download)
        guard download != before else { return }
        downloads[id] = download.state == .none ? nil : download
        await events.post(.voice(VoiceStatus(entry: id, state: download.state)))
    }

    // MARK: - Adding and removing

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

    /// Removes an installed voice, or the remaining files of one.
    ///
    /// - Throws: ``ModelInstallError``.
    package func remove(_ id: Voice.ID) async throws {
        try await tools.installer.remove(id)
        for entry in await catalogue().voices where entry.voice == id && downloads[entry.id]?.isRunning != true {
            downloads[entry.id] = nil
        }
        await hasChanged(.went(id))
        await events.post(.voices)
    }

    /// The recognizers in their folder; none where only voices are downloaded.
    package func installedRecognizers() async throws -> [InstalledRecognizer] {
        try await tools.recognizers?.installed() ?? []
    }

    /// Removes an installed recognizer.
    ///
    /// - Throws: ``RecognitionError/noSuchRecognizer(_:)``, ``ModelInstallError/cannotWrite``.
    package func removeRecognizer(_ id: Recognizer.ID) async throws {
        guard let recognizers = tools.recognizers else { throw RecognitionError.noSuchRecognizer(id) }
        try await recognizers.remove(id)
        await events.post(.voices)
    }

    /// Lists the recognizers that can be downloaded, the recommended ones for a language first, with their downloads.
    ///
    /// - Parameter language: BCP 47; `nil` or `und` when it is not known.
    /// - Returns: All recognizers, including installed ones.
    /// - Throws: As the installer does.
    package func recognizerOffers(for language: String? = nil) async throws -> [RecognizerOffer] {
        guard tools.recognizers != nil else { return [] }
        let installed = try await installedRecognizers()
        var offers: [RecognizerOffer] = []
        for (entry, reason) in await catalogue().recognizers(for: language) {
            offers.append(
                RecognizerOffer(
                    entry: entry,
                    reason: reason,
                    download: await state(of: entry.id),
                    isInstalled: entry.isInstalled(among: installed)
                )
            )
        }
        return offers
    }

    /// The diarization models that are missing here, one of each kind, with their downloads.
    ///
    /// - Throws: As the installer does.
    package func speakerModelOffers() async throws -> [SpeakerModelOffer] {
        guard let recognizers = tools.recognizers else { return [] }
        let installed = Set(try await recognizers.speakerModels().map(\.kind))
        let catalogue = await catalogue()
        var offers: [SpeakerModelOffer] = []
        for kind in SpeakerModel.Kind.allCases where !installed.contains(kind) {
            guard let entry = catalogue[kind.recommended] else { continue }
            offers.append(SpeakerModelOffer(kind, entry: entry, download: await state(of: entry.id)))
        }
        return offers
    }

    /// How the download of an entry stands; one that an earlier run of the program began is paused.
    private func state(of id: CatalogueEntry.ID) async -> ModelDownload.State {
        if let download = downloads[id], !download.isPaused { return download.state }
        guard let kept = await tools.archives.begun(id) else { return ModelDownload.State.none }
        return .paused(kept)
    }

    /// Removes the remains of interrupted installations and downloads, and archives of voices that are installed; called once when
    /// the program starts.
    ///
    /// - Throws: As the installer does.
    package func sweep() async throws {
        _ = try await tools.installer.sweep()
        _ = try await tools.recognizers?.sweep()
        await tools.archives.sweep()
        let begun = await tools.archives.begun()
        guard !begun.isEmpty else { return }
        let recognizers = try await tools.recognizers?.installed() ?? []
        let models = try await tools.recognizers?.speakerModels() ?? []
        let installed = Set(
            try await installedVoices().voices.compactMap(\.receipt?.entry) + recognizers.compactMap(\.receipt?.entry)
                + models.compactMap { ModelReceipt(at: $0.path)?.entry }
        )
        for id in begun where installed.contains(id) {
            guard await !work.isRunning(id) else { continue }
            try? await tools.archives.discard(id)  // An archive that another process is using stays.
        }
    }
}

/// The download of one voice of the catalogue: a state machine without a clock, files or a network.
///
///     none ─→ waiting ─→ downloading ─→ extracting ─→ validating ─→ none
///      ↑         └────────────┴──────────────┴──────────────┴─→ paused or failed ─→ waiting
///
/// ``VoiceListing/availability`` shows whether the voice is installed afterwards.
package struct ModelDownload: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// No download is running, waiting or partially stored.
        case none
        /// It waits for another download to end.
        case waiting
        case downloading(TransferProgress)
        case extracting
        case validating
        /// It was stopped, or the program ended; the received bytes are stored, and it can be resumed.
        case paused(TransferProgress)
        case failed(Failure)

        /// For programs; never translated.
        package var name: String {
            switch self {
            case .none: "none"
            case .waiting: "waiting"
            case .downloading: "downloading"
            case .extracting: "extracting"
            case .validating: "validating"
            case .paused: "paused"
            case .failed: "failed"
            }
        }
    }

    package private(set) var state: State

    package init(_ state: State = .none) {
        self.state = state
    }

    /// Whether it is waiting or running.
    package var isRunning: Bool {
        switch state {
        case .waiting, .downloading, .extracting, .validating: true
        case .none, .paused, .failed: false
        }
    }

    package var isPaused: Bool {
        if case .paused = state { true } else { false }
    }

    /// The download was requested; also for an installed voice, which it will replace.
    package mutating func begin() {
        if !isRunning { state = .waiting }
    }

    package mutating func received(_ progress: TransferProgress) {
        switch state {
        case .waiting, .downloading: state = .downloading(progress)
        default: break
        }
    }

    /// The archive is complete.
    package mutating func entered(_ phase: InstallPhase) {
        guard isRunning else { return }
        switch phase {
        case .extracting: state = .extracting
        case .validating: state = .validating
        }
    }

    package mutating func installed() {
        if isRunning { state = .none }
    }

    package mutating func failed(_ error: any Error) {
        if isRunning { state = .failed(Failure(error)) }
    }

    /// - Parameter progress: The stored part; `nil` for nothing.
    package mutating func stopped(keeping progress: TransferProgress?) {
        guard isRunning else { return }
        state = progress.map { .paused(TransferProgress(bytes: $0.bytes, total: $0.total)) } ?? .none
    }
}

/// The state of a download, as events report it.
package struct VoiceStatus: Sendable, Hashable {
    package let entry: CatalogueEntry.ID
    package let state: ModelDownload.State

    package init(entry: CatalogueEntry.ID, state: ModelDownload.State) {
        self.entry = entry
        self.state = state
    }
}
