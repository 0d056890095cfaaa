import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The list of voices")
struct VoiceListingTests {
    private static let builtIn = Voice(
        id: .init(rawValue: "espeak/et"),
        name: "Estonian",
        language: "et",
        engine: .espeakNG,
        sampleRate: 22_050
    )

    private static let failure = VoiceFolderError.missingFile("a.onnx")

    private func installed(_ id: String, name: String = "en_US-lessac-medium", speakers: Int = 3) -> InstalledVoice {
        let id = Voice.ID(rawValue: "piper/\(id)")
        return InstalledVoice(
            voice: Voice(id: id, name: name, language: "en-US", engine: .piper, speakers: speakers, sampleRate: 16_000),
            folder: "vits-piper-\(id.rawValue.dropFirst("piper/".count))",
            quality: .medium,
            bytes: 120,
            licence: VoiceLicence(name: "CC0 1.0", isCommercial: true),
            receipt: ModelReceipt(files: ["a.onnx": 120])
        )
    }

    private func fault(_ id: String, name: String) -> VoiceFault {
        VoiceFault(in: VoiceFolder(path: "/nowhere/vits-piper-\(id)", name: name), error: Self.failure)
    }

    private func catalogue(_ ids: String...) -> ModelCatalogue {
        ModelCatalogue(ids.compactMap { CatalogueEntry(archive: "vits-piper-\($0).tar.bz2") })
    }

    @Test("has each voice once, the built-in ones first and the others by id")
    func order() {
        let lessac = installed("en_US-lessac-medium")
        let own = installed("mine", name: "mine")
        let listings = VoiceListing.all(
            speaking: [Self.builtIn, own.voice, lessac.voice],
            installed: InstalledVoices(voices: [own, lessac]),
            catalogue: catalogue("et_EE-new-medium", "en_US-lessac-medium", "de_DE-eva-low")
        )
        #expect(
            listings.map(\.id.rawValue) == [
                "espeak/et", "piper/de_DE-eva-low", "piper/en_US-lessac-medium", "piper/et_EE-new-medium", "piper/mine",
            ]
        )
        #expect(listings.map(\.isBuiltIn) == [true, false, false, false, false])
        #expect(listings.map(\.availability) == [.ready, .absent, .ready, .absent, .ready])
        #expect(listings.compactMap(\.voice).count == 3)
    }

    @Test("joins what the catalogue, the files and the library know of a voice")
    func join() throws {
        let lessac = installed("en_US-lessac-medium")
        let id = lessac.voice.id
        let record = VoiceRecord(id: id, isFavorite: true, lastUsed: 60, speed: 7.5)
        let listing = try #require(
            VoiceListing.all(
                installed: InstalledVoices(voices: [lessac]),
                catalogue: catalogue("en_US-lessac-medium"),
                records: [id: record],
                selected: id
            ).first
        )
        #expect((listing.name, listing.language, listing.quality) == ("Lessac", "en-US", .medium))
        #expect((listing.speakers, listing.sampleRate, listing.engine) == (3, 16_000, .piper))
        #expect(listing.entry?.id.rawValue == "vits-piper-en_US-lessac-medium")
        #expect(listing.files?.folder == lessac.folder && listing.files?.licence?.name == "CC0 1.0")
        #expect(listing.isFavorite && listing.isSelected && listing.speed == 7.5)
        #expect(listing.lastUsed == Date(timeIntervalSince1970: 60))
    }

    @Test("begins with favorites and what was installed for who chooses a voice")
    func ranked() {
        let (own, lessac) = (installed("mine", name: "mine"), installed("en_US-lessac-medium"))
        let german = Voice(
            id: .init(rawValue: "espeak/de"),
            name: "German",
            language: "de",
            engine: .espeakNG,
            sampleRate: 22_050
        )
        let listings = VoiceListing.all(
            speaking: [german, Self.builtIn, own.voice, lessac.voice],
            installed: InstalledVoices(voices: [own, lessac]),
            records: [Self.builtIn.id: VoiceRecord(id: Self.builtIn.id, isFavorite: true)]
        )
        #expect(
            VoiceListing.ranked(listings).map(\.id.rawValue) == [
                "espeak/et", "piper/en_US-lessac-medium", "piper/mine", "espeak/de",
            ]
        )
    }

    @Test("shows of a voice that is not here what its name says")
    func absent() throws {
        let listing = try #require(VoiceListing.all(catalogue: catalogue("en_GB-alan-low-int8")).first)
        #expect((listing.name, listing.language, listing.variant) == ("Alan", "en-GB", .int8))
        #expect(listing.speakers == nil && listing.sampleRate == nil && listing.files == nil && listing.voice == nil)
        #expect(listing.availability == .absent && listing.download == .none && !listing.isSelected)
    }

    @Test("tells availability apart from the state of a download")
    func downloads() throws {
        let entry = try #require(catalogue("en_US-lessac-medium").voices.first)
        let failed = ModelDownload.State.failed(Failure(ModelDownloadError.offline))
        for state in [.none, .waiting, .validating, failed] as [ModelDownload.State] {
            for voices in [[], [installed("en_US-lessac-medium")]] {
                let listing = try #require(
                    VoiceListing.all(
                        installed: InstalledVoices(voices: voices),
                        catalogue: ModelCatalogue([entry]),
                        downloads: [entry.id: state]
                    ).first
                )
                #expect(listing.download == state)
                #expect(listing.availability == (voices.isEmpty ? .absent : .ready))
            }
        }
    }

    @Test("has a voice that cannot be read as the library remembers it, else as its folder says")
    func faulty() throws {
        let lessac = installed("en_US-lessac-medium")
        let faults = InstalledVoices(
            faults: [fault("en_US-lessac-medium", name: "en_US-lessac-medium"), fault("mine", name: "mine")]
        )
        let records = [lessac.voice.id: VoiceRecord(id: lessac.voice.id, installation: lessac)]
        let known = VoiceListing.all(installed: faults, records: records)
        #expect(known.map(\.availability) == [.faulty(Self.failure.failure), .faulty(Self.failure.failure)])
        #expect(known.map(\.language) == ["en-US", "und"], "“mine” is no language")
        #expect(known.first?.files?.bytes == 120 && known.first?.speakers == 3)
        let unknown = try #require(VoiceListing.all(installed: faults).first)
        #expect((unknown.name, unknown.language) == ("Lessac", "en-US"))
        #expect(unknown.files?.folder == lessac.folder && unknown.files?.licence == nil && unknown.speakers == nil)
    }

    @Test("says why a voice was disabled, as long as it is here, but first what is wrong with its files")
    func disabled() throws {
        let lessac = installed("en_US-lessac-medium")
        let id = lessac.voice.id
        let records = [id: VoiceRecord(id: id, disabledBy: "voice.set-aside")]
        let entries = catalogue("en_US-lessac-medium")
        let here = VoiceListing.all(installed: .init(voices: [lessac]), catalogue: entries, records: records)
        #expect(here.first?.availability.problem?.code == "voice.set-aside")
        let altered = InstalledVoices(voices: [lessac], faults: [fault("en_US-lessac-medium", name: "a")])
        let changed = VoiceListing.all(installed: altered, catalogue: entries, records: records)
        #expect(changed.first?.availability.problem?.code == "voice.missing-file")
        let gone = VoiceListing.all(catalogue: entries, records: records)
        #expect(gone.first?.availability == .absent)
    }

    @Test("has no voice that only the library remembers")
    func forgotten() {
        let id = Voice.ID(rawValue: "piper/gone")
        #expect(VoiceListing.all(records: [id: VoiceRecord(id: id, isFavorite: true)], selected: id).isEmpty)
    }
}
