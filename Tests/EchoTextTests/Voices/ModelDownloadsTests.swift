import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Voice downloads", .endsInTime)
struct ModelDownloadsTests {
    private let events = StudioEvents()
    private let catalogue = ScriptedCatalogue(["vits-piper-et_EE-new-medium.tar.bz2", "kokoro.tar.bz2"])
    private let installer = MemoryInstaller()
    private let memory = MemoryCatalogue()

    private static let lessac = CatalogueEntry.ID(rawValue: "vits-piper-en_US-lessac-medium")
    private static let ryan = CatalogueEntry.ID(rawValue: "vits-piper-en_US-ryan-medium")
    private static let amy = CatalogueEntry.ID(rawValue: "vits-piper-en_US-amy-medium")
    private static let voice = Voice.ID(rawValue: "piper/en_US-lessac-medium")

    private func downloads(
        _ archives: ScriptedArchives = ScriptedArchives(),
        _ installer: MemoryInstaller? = nil,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in }
    ) -> ModelDownloads {
        ModelDownloads(
            .init(catalogue: catalogue, archives: archives, installer: installer ?? self.installer, memory: memory),
            events: events,
            hasChanged: hasChanged,
            now: { Date(timeIntervalSince1970: 1_790_000_000) }
        )
    }

    private func listing(
        of id: CatalogueEntry.ID,
        _ downloads: ModelDownloads,
        selected: Voice.ID? = nil
    ) async throws -> VoiceListing {
        let listings = await downloads.listings(of: try await downloads.installedVoices(), selected: selected)
        return try #require(listings.first { $0.entry?.id == id })
    }

    private func state(of id: CatalogueEntry.ID, _ downloads: ModelDownloads) async throws -> ModelDownload.State {
        try await listing(of: id, downloads).download
    }

    /// A script that reports half, and then waits until its task is cancelled.
    private static func endless(_ begun: AsyncStream<CatalogueEntry.ID>.Continuation) -> ScriptedArchives {
        ScriptedArchives { entry, report in
            await report(TransferProgress(bytes: 50, total: 100))
            begun.yield(entry.id)
            try await untilCancelled()
        }
    }

    @Test("downloads, installs, reports, and removes")
    func wholeLife() async throws {
        let changes = Mutex<[String]>([])
        let seen = await events.subscribe()
        let downloads = downloads(
            ScriptedArchives { _, report in await report(TransferProgress(bytes: 50, total: 100)) }
        ) {
            change in
            switch change {
            case .came(let voice): changes.withLock { $0.append("+\(voice.voice.id)") }
            case .went(let id): changes.withLock { $0.append("-\(id)") }
            }
        }
        #expect(try await state(of: Self.lessac, downloads) == .none)
        let installed = try await downloads.download(Self.lessac)
        #expect(installed.voice.id == Self.voice && installed.receipt?.entry == Self.lessac)
        #expect(changes.withLock(\.self) == ["+\(Self.voice)"])
        let listing = try await listing(of: Self.lessac, downloads, selected: Self.voice)
        #expect(listing.download == .none && listing.availability == .ready && listing.isSelected)
        #expect(await downloads.statuses().isEmpty, "it has ended in a voice")
        #expect(try await downloads.installedVoices().voices.count == 1)
        await events.close()
        var reported: [String] = []
        for await entry in seen.entries {
            switch entry.event {
            case .voice(let status): reported.append(status.state.name)
            case .voices: reported.append("voices")
            default: Issue.record("\(entry.event)")
            }
        }
        #expect(reported == ["waiting", "downloading", "extracting", "validating", "none", "voices"])

        try await downloads.remove(Self.voice)
        #expect(changes.withLock(\.self) == ["+\(Self.voice)", "-\(Self.voice)"])
        #expect(try await self.listing(of: Self.lessac, downloads).availability == .absent)
        await #expect(throws: ModelInstallError.notInstalled(Self.voice)) { try await downloads.remove(Self.voice) }
    }

    @Test("fetches once however many ask")
    func joins() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let (open, opening) = AsyncStream.makeStream(of: Void.self)
        let archives = ScriptedArchives { _, _ in
            arrival.yield()
            for await _ in open { break }
        }
        let downloads = downloads(archives)
        let askers = (0..<10).map { _ in Task { try await downloads.download(Self.lessac) } }
        for await _ in arrived { break }
        try await downloads.start(Self.lessac)
        opening.finish()
        for asker in askers { #expect(try await asker.value.voice.id == Self.voice) }
        // A late caller may have come after the installation, and have started another download.
        #expect(archives.maximumConcurrent == 1)
    }

    @Test("fetches only a few at once")
    func bounded() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let archives = Self.endless(begin)
        let downloads = downloads(archives)
        for id in [Self.lessac, Self.ryan, Self.amy] { try await downloads.start(id) }
        var running: [CatalogueEntry.ID] = []
        for await id in begun {
            running.append(id)
            if running.count == ModelDownloads.parallelDownloads { break }
        }
        let waiting = try #require(Set([Self.lessac, Self.ryan, Self.amy]).subtracting(running).first)
        #expect(try await state(of: waiting, downloads) == .waiting)
        await downloads.cancel(running[0])
        for await id in begun {
            #expect(id == waiting)
            break
        }
        #expect(archives.maximumConcurrent == ModelDownloads.parallelDownloads)
        await downloads.close()
        #expect(await downloads.statuses().allSatisfy { $0.state == .paused(TransferProgress(bytes: 50, total: 100)) })
    }

    @Test("keeps the downloaded part when it is cancelled, and can discard it")
    func cancels() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let downloads = downloads(Self.endless(begin))
        let asker = Task { try await downloads.download(Self.lessac) }
        for await _ in begun { break }
        await downloads.cancel(Self.lessac)
        await #expect(throws: CancellationError.self) { try await asker.value }
        #expect(try await state(of: Self.lessac, downloads) == .paused(TransferProgress(bytes: 50, total: 100)))
        try await downloads.discard(Self.lessac)
        #expect(try await state(of: Self.lessac, downloads) == .none)
        await downloads.cancel(Self.lessac)
    }

    @Test("stops when the last who waits has left, unless it was begun for good")
    func leaving() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let downloads = downloads(Self.endless(begin))
        let first = Task { try await downloads.download(Self.lessac) }
        for await _ in begun { break }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await state(of: Self.lessac, downloads) == .paused(TransferProgress(bytes: 50, total: 100)))

        try await downloads.start(Self.ryan)
        for await _ in begun { break }
        let second = Task { try await downloads.download(Self.ryan) }
        second.cancel()
        #expect(try await state(of: Self.ryan, downloads) == .downloading(TransferProgress(bytes: 50, total: 100)))
        await downloads.close()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test("says why one failed, and another try may do better")
    func fails() async throws {
        let isBroken = Mutex(true)
        let downloads = downloads(
            ScriptedArchives { _, _ in
                if isBroken.withLock(\.self) { throw ModelDownloadError.unreachable(host: "example.org") }
            }
        )
        await #expect(throws: ModelDownloadError.unreachable(host: "example.org")) {
            try await downloads.download(Self.lessac)
        }
        let failure = Failure(ModelDownloadError.unreachable(host: "example.org"))
        #expect(try await state(of: Self.lessac, downloads) == .failed(failure))
        isBroken.withLock { $0 = false }
        #expect(await downloads.statuses() == [VoiceStatus(entry: Self.lessac, state: .failed(failure))])
        _ = try await downloads.download(Self.lessac)
        #expect(try await listing(of: Self.lessac, downloads).availability == .ready)
    }

    @Test("says why an archive was refused")
    func refused() async throws {
        let refusal = ModelInstallError.forbidden(.symbolicLink, name: "x")
        let downloads = downloads(ScriptedArchives(), MemoryInstaller(refusing: refusal))
        await #expect(throws: refusal) { try await downloads.download(Self.lessac) }
        guard case .failed(let failure) = try await state(of: Self.lessac, downloads) else {
            Issue.record("it failed")
            return
        }
        #expect(failure.code == refusal.code)
        #expect(try await downloads.installedVoices().voices.isEmpty)
    }

    @Test("knows only voices of the catalogue")
    func unknown() async throws {
        let downloads = downloads()
        for name in ["vits-piper-en_US-nobody-low", "../escape", "sherpa-onnx-whisper-tiny.en"] {
            await #expect(throws: ModelDownloadError.unknownEntry(name, similar: [])) {
                try await downloads.download(.init(rawValue: name))
            }
        }
    }

    @Test("asks for what is new once, and remembers it")
    func refreshes() async throws {
        let first = downloads()
        let seen = await events.subscribe()
        #expect(await first.refreshedAt() == nil)
        #expect(try await first.refresh())
        #expect(await first.refreshedAt() == Date(timeIntervalSince1970: 1_790_000_000))
        let new = CatalogueEntry.ID(rawValue: "vits-piper-et_EE-new-medium")
        #expect(await first.catalogue()[new] != nil)
        #expect(try await !first.refresh(), "nothing is new")
        let second = downloads()
        #expect(await second.catalogue()[new] != nil, "another run of the program knows it too")
        #expect(catalogue.questions == 2)
        catalogue.fail(.offline)
        await #expect(throws: ModelDownloadError.offline) { try await second.refresh() }
        #expect(await second.catalogue()[new] != nil)
        await events.close()
        #expect(await seen.entries.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test("keeps a checksum that is known when another source has none for the same archive")
    func checksums() throws {
        let name = "vits-piper-et_EE-known-medium"
        var known = try #require(CatalogueEntry(archive: name + ".tar.bz2"))
        (known.archiveBytes, known.sha256) = (1_000, String(repeating: "a", count: 64))
        let catalogue = ModelCatalogue([known])
        var reported = try #require(CatalogueEntry(archive: name + ".tar.bz2"))
        #expect(catalogue.merged(with: [reported])[known.id]?.sha256 == known.sha256)
        reported.archiveBytes = 1_000
        #expect(catalogue.merged(with: [reported])[known.id]?.sha256 == known.sha256)
        reported.archiveBytes = 2_000
        #expect(catalogue.merged(with: [reported])[known.id]?.sha256 == nil, "it is another archive")
    }

    @Test("lists what the person has added beside the catalogue")
    func adds() async throws {
        let downloads = downloads()
        let added = try await TemporaryInbox().hold(named: "my-own-voice.tar.bz2") { take in
            try await take(Array("BZh".utf8))
        } _: { path in
            try await downloads.add(path)
        }
        let listings = await downloads.listings(of: try await downloads.installedVoices(), selected: added.voice.id)
        let own = try #require(listings.first { $0.id == added.voice.id })
        #expect(own.entry == nil && own.availability == .ready && own.isSelected && own.files?.bytes == added.bytes)
        #expect(listings.count == ModelCatalogue.bundled.voices.count + 1)
    }

    @Test("leaves nothing of an archive whose voice is installed")
    func used() async throws {
        let archives = ScriptedArchives()
        _ = try await downloads(archives).download(Self.lessac)
        #expect(await archives.begun().isEmpty)
    }
}
