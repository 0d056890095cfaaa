import EchoText
import EchoTextTesting
import Testing

@Suite("Inventory of voices")
struct VoiceInventoryTests {
    private static func voice(_ name: String, from entry: String? = nil) -> InstalledVoice {
        InstalledVoice(
            voice: Voice(
                id: .init(rawValue: "piper/\(name)"),
                name: name,
                language: "en-US",
                engine: .sherpaOnnx,
                sampleRate: 16_000
            ),
            folder: "vits-piper-\(name)",
            quality: .low,
            bytes: 5,
            licence: nil,
            receipt: entry.map {
                VoiceReceipt(
                    entry: .init(rawValue: $0),
                    url: nil,
                    archiveBytes: nil,
                    sha256: nil,
                    installedAt: 1,
                    files: [:]
                )
            }
        )
    }

    @Test func `takes down what is there, and tells once of what is gone`() async throws {
        let shelf = Shelf()
        let registry = MemoryVoices()
        let inventory = VoiceInventory(of: shelf, in: registry)
        #expect(try await inventory.take().isEmpty)
        let (one, other) = (Self.voice("one", from: "vits-piper-one"), Self.voice("other"))
        await shelf.put([one, other])
        #expect(try await inventory.take().isEmpty)
        #expect(await registry.records().values.map(\.installation).count == 2)
        _ = await registry.update(one.voice.id) { $0.isFavourite = true }

        await shelf.put([])
        let losses = try await inventory.take()
        #expect(losses.map(\.voice) == [one, other])
        #expect(losses.allSatisfy { $0.isGone && $0.failure.code == "voice.gone" })
        #expect(losses[0].failure.suggestion != losses[1].failure.suggestion, "one can be downloaded again")
        #expect(try await inventory.take().isEmpty, "it is cleared")
        #expect(await registry.records()[one.voice.id]?.isFavourite == true, "what the person liked stays liked")
    }

    @Test func `tells of what was changed as long as it lies there`() async throws {
        let shelf = Shelf()
        let inventory = VoiceInventory(of: shelf, in: MemoryVoices())
        let one = Self.voice("one")
        await shelf.put([one])
        await shelf.spoil(one.voice.id, .altered(one.voice.id, file: "tokens.txt"))
        for _ in 1...2 {
            let losses = try await inventory.take()
            #expect(losses.map(\.isGone) == [false] && losses.first?.failure.code == "voice.altered")
        }
    }
}

/// Voices that are said to be installed.
private actor Shelf: VoiceInstaller {
    private var voices: [InstalledVoice] = []
    private var spoilt: [Voice.ID: VoiceInstallError] = [:]

    func put(_ voices: [InstalledVoice]) { self.voices = voices }
    func spoil(_ id: Voice.ID, _ error: VoiceInstallError) { spoilt[id] = error }

    func installed() -> [InstalledVoice] { voices }

    func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) throws -> InstalledVoice { throw VoiceInstallError.cannotWrite }

    func add(
        _ path: String,
        named name: String?,
        report: @Sendable (InstallPhase) async -> Void
    ) throws -> InstalledVoice { throw VoiceInstallError.cannotWrite }

    func remove(_ id: Voice.ID) throws { throw VoiceInstallError.cannotWrite }

    func check(_ id: Voice.ID) throws {
        guard voices.contains(where: { $0.voice.id == id }) else { throw VoiceInstallError.notInstalled(id) }
        if let error = spoilt[id] { throw error }
    }

    func sweep() -> Int { 0 }
}
