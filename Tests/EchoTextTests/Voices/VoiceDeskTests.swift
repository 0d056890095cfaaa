import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Voice desk")
struct VoiceDeskTests {
    private let events = StudioEvents()
    private let catalogue = ScriptedCatalogue(["vits-piper-et_EE-new-medium.tar.bz2", "kokoro.tar.bz2"])
    private let installer = MemoryInstaller()
    private let memory = MemoryCatalogue()

    private static let lessac = CatalogueEntry.ID(rawValue: "vits-piper-en_US-lessac-medium")
    private static let ryan = CatalogueEntry.ID(rawValue: "vits-piper-en_US-ryan-medium")
    private static let amy = CatalogueEntry.ID(rawValue: "vits-piper-en_US-amy-medium")
    private static let voice = Voice.ID(rawValue: "piper/en_US-lessac-medium")

    private func desk(
        _ archives: ScriptedArchives = ScriptedArchives(),
        _ installer: MemoryInstaller? = nil,
        hasChanged: @escaping @Sendable (VoiceChange) async -> Void = { _ in }
    ) -> VoiceDesk {
        VoiceDesk(
            .init(catalogue: catalogue, archives: archives, installer: installer ?? self.installer, memory: memory),
            events: events,
            hasChanged: hasChanged,
            now: { Date(timeIntervalSince1970: 1_790_000_000) }
        )
    }

    private func state(
        of id: CatalogueEntry.ID,
        _ desk: VoiceDesk,
        active: Voice.ID? = nil
    ) async throws -> VoiceDownload.State? {
        await desk.offers(of: try await desk.stock(), active: active).first { $0.entry?.id == id }?.state
    }

    /// A script that reports half, and then waits until its task is cancelled.
    private static func endless(_ begun: AsyncStream<CatalogueEntry.ID>.Continuation) -> ScriptedArchives {
        ScriptedArchives { entry, report in
            await report(TransferProgress(bytes: 50, total: 100))
            begun.yield(entry.id)
            try await untilCancelled()
        }
    }

    @Test("downloads, installs, tells, and removes")
    func wholeLife() async throws {
        let changes = Mutex<[String]>([])
        let seen = await events.subscribe()
        let desk = desk(ScriptedArchives { _, report in await report(TransferProgress(bytes: 50, total: 100)) }) {
            change in
            switch change {
            case .came(let voice): changes.withLock { $0.append("+\(voice.voice.id)") }
            case .went(let id): changes.withLock { $0.append("-\(id)") }
            }
        }
        #expect(try await state(of: Self.lessac, desk) == .notDownloaded)
        let installed = try await desk.download(Self.lessac)
        #expect(installed.voice.id == Self.voice && installed.receipt?.entry == Self.lessac)
        #expect(changes.withLock(\.self) == ["+\(Self.voice)"])
        #expect(try await state(of: Self.lessac, desk) == .downloaded)
        #expect(try await state(of: Self.lessac, desk, active: Self.voice) == .active)
        #expect(try await desk.stock().voices.count == 1)
        await events.close()
        var told: [String] = []
        for await entry in seen.entries {
            switch entry.event {
            case .voice(let status): told.append(status.state.name)
            case .voices: told.append("voices")
            default: Issue.record("\(entry.event)")
            }
        }
        #expect(told == ["waiting", "downloading", "extracting", "validating", "downloaded", "voices"])

        try await desk.remove(Self.voice)
        #expect(changes.withLock(\.self) == ["+\(Self.voice)", "-\(Self.voice)"])
        #expect(try await state(of: Self.lessac, desk) == .notDownloaded)
        await #expect(throws: VoiceInstallError.notInstalled(Self.voice)) { try await desk.remove(Self.voice) }
    }

    @Test("fetches once however many ask")
    func joins() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let (open, opening) = AsyncStream.makeStream(of: Void.self)
        let archives = ScriptedArchives { _, _ in
            arrival.yield()
            for await _ in open { break }
        }
        let desk = desk(archives)
        let askers = (0..<10).map { _ in Task { try await desk.download(Self.lessac) } }
        for await _ in arrived { break }
        try await desk.start(Self.lessac)
        opening.finish()
        for asker in askers { #expect(try await asker.value.voice.id == Self.voice) }
        // One that asked late may have come when the voice was there already, and has had it brought again.
        #expect(archives.mostAtOnce == 1)
    }

    @Test("fetches only a few at once")
    func bounded() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let archives = Self.endless(begin)
        let desk = desk(archives)
        for id in [Self.lessac, Self.ryan, Self.amy] { try await desk.start(id) }
        var running: [CatalogueEntry.ID] = []
        for await id in begun {
            running.append(id)
            if running.count == VoiceDesk.places { break }
        }
        let waiting = try #require(Set([Self.lessac, Self.ryan, Self.amy]).subtracting(running).first)
        #expect(try await state(of: waiting, desk) == .waiting)
        await desk.cancel(running[0])
        for await id in begun {
            #expect(id == waiting)
            break
        }
        #expect(archives.mostAtOnce == VoiceDesk.places)
        await desk.close()
        #expect(await desk.statuses().allSatisfy { $0.state == .paused(TransferProgress(bytes: 50, total: 100)) })
    }

    @Test("keeps what has come when it is cancelled, and can throw it away")
    func cancels() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let desk = desk(Self.endless(begin))
        let asker = Task { try await desk.download(Self.lessac) }
        for await _ in begun { break }
        await desk.cancel(Self.lessac)
        await #expect(throws: CancellationError.self) { try await asker.value }
        #expect(try await state(of: Self.lessac, desk) == .paused(TransferProgress(bytes: 50, total: 100)))
        try await desk.discard(Self.lessac)
        #expect(try await state(of: Self.lessac, desk) == .notDownloaded)
        await desk.cancel(Self.lessac)
    }

    @Test("stops when the last who waits has left, unless it was begun for good")
    func leaving() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let desk = desk(Self.endless(begin))
        let first = Task { try await desk.download(Self.lessac) }
        for await _ in begun { break }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await state(of: Self.lessac, desk) == .paused(TransferProgress(bytes: 50, total: 100)))

        try await desk.start(Self.ryan)
        for await _ in begun { break }
        let second = Task { try await desk.download(Self.ryan) }
        second.cancel()
        #expect(try await state(of: Self.ryan, desk) == .downloading(TransferProgress(bytes: 50, total: 100)))
        await desk.close()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test("says why one failed, and another try may do better")
    func fails() async throws {
        let isBroken = Mutex(true)
        let desk = desk(
            ScriptedArchives { _, _ in
                if isBroken.withLock(\.self) { throw VoiceDownloadError.unreachable(host: "example.org") }
            }
        )
        await #expect(throws: VoiceDownloadError.unreachable(host: "example.org")) {
            try await desk.download(Self.lessac)
        }
        let failure = Failure(VoiceDownloadError.unreachable(host: "example.org"))
        #expect(try await state(of: Self.lessac, desk) == .failed(failure))
        isBroken.withLock { $0 = false }
        _ = try await desk.download(Self.lessac)
        #expect(try await state(of: Self.lessac, desk) == .downloaded)
    }

    @Test("says why an archive was refused")
    func refused() async throws {
        let refusal = VoiceInstallError.forbidden(.symbolicLink, name: "x")
        let desk = desk(ScriptedArchives(), MemoryInstaller(refusing: refusal))
        await #expect(throws: refusal) { try await desk.download(Self.lessac) }
        guard case .failed(let failure) = try await state(of: Self.lessac, desk) else {
            Issue.record("it failed")
            return
        }
        #expect(failure.code == refusal.code)
        #expect(try await desk.stock().voices.isEmpty)
    }

    @Test("knows only voices of the catalogue")
    func unknown() async throws {
        let desk = desk()
        for name in ["vits-piper-en_US-nobody-low", "../escape", "sherpa-onnx-whisper-tiny.en"] {
            await #expect(throws: VoiceDownloadError.unknownEntry(name, similar: [])) {
                try await desk.download(.init(rawValue: name))
            }
        }
    }

    @Test("asks for what is new once, and remembers it")
    func refreshes() async throws {
        let first = desk()
        let seen = await events.subscribe()
        #expect(await first.refreshedAt() == nil)
        #expect(try await first.refresh())
        #expect(await first.refreshedAt() == Date(timeIntervalSince1970: 1_790_000_000))
        let new = CatalogueEntry.ID(rawValue: "vits-piper-et_EE-new-medium")
        #expect(await first.catalogue()[new] != nil)
        #expect(try await !first.refresh(), "nothing is new")
        let second = desk()
        #expect(await second.catalogue()[new] != nil, "another run of the program knows it too")
        #expect(catalogue.questions == 2)
        catalogue.fail(.offline)
        await #expect(throws: VoiceDownloadError.offline) { try await second.refresh() }
        #expect(await second.catalogue()[new] != nil)
        await events.close()
        #expect(await seen.entries.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test("keeps a checksum that is known when another source tells none of the same archive")
    func checksums() throws {
        let name = "vits-piper-et_EE-known-medium"
        var known = try #require(CatalogueEntry(archive: name + ".tar.bz2"))
        (known.archiveBytes, known.sha256) = (1_000, String(repeating: "a", count: 64))
        let catalogue = VoiceCatalogue([known])
        var told = try #require(CatalogueEntry(archive: name + ".tar.bz2"))
        #expect(catalogue.merged(with: [told])[known.id]?.sha256 == known.sha256)
        told.archiveBytes = 1_000
        #expect(catalogue.merged(with: [told])[known.id]?.sha256 == known.sha256)
        told.archiveBytes = 2_000
        #expect(catalogue.merged(with: [told])[known.id]?.sha256 == nil, "it is another archive")
    }

    @Test("lists what the person has added beside the catalogue")
    func adds() async throws {
        let desk = desk()
        let added = try await TemporaryInbox().hold(named: "my-own-voice.tar.bz2") { take in
            try await take(Array("BZh".utf8))
        } _: { path in
            try await desk.add(path)
        }
        let offers = await desk.offers(of: try await desk.stock(), active: added.voice.id)
        #expect(offers.last?.installed == added && offers.last?.entry == nil && offers.last?.state == .active)
        #expect(offers.count == VoiceCatalogue.bundled.voices.count + 1)
        installer.spoil(added.voice.id, VoiceFolderError.missingFile("x.onnx"))
        let broken = await desk.offers(of: try await desk.stock(), active: added.voice.id).last
        #expect(broken?.id == added.voice.id && broken?.installed == nil)
        #expect(broken?.fault?.error.code == "voice.missing-file")
    }

    @Test("leaves nothing of an archive whose voice is installed")
    func used() async throws {
        let archives = ScriptedArchives()
        _ = try await desk(archives).download(Self.lessac)
        #expect(await archives.begun().isEmpty)
    }
}
