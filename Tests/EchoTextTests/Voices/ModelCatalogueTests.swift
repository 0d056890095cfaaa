import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Catalogue of voices")
struct ModelCatalogueTests {
    private let bundled = ModelCatalogue.bundled

    @Test("comes with the program")
    func isBundled() throws {
        #expect(bundled.voices.count == 174)
        #expect(Set(bundled.voices.map { LanguageTag.language(of: $0.language) }).count >= 40)
        #expect(Set(bundled.voices.map(\.language)).count == 47)
        #expect(bundled.voices.allSatisfy { ($0.speakers ?? 0) > 0 && ($0.sampleRate ?? 0) >= 16_000 })
        let layouts = Set(
            bundled.entries.compactMap { entry in
                if case .recognizer(let layout) = entry.kind { layout } else { nil }
            }
        )
        #expect(layouts == Set(CatalogueEntry.RecognizerLayout.allCases))
        #expect(bundled.entries.allSatisfy { $0.sha256 == nil || ($0.sha256?.count == 64 && $0.archiveBytes != nil) })
        #expect(Set(bundled.entries.compactMap(\.voice)).count == bundled.voices.count)
    }

    struct Name: Sendable, CustomTestStringConvertible {
        let archive: String
        let language: String
        let name: String
        let quality: String
        var variant: CatalogueEntry.Variant?
        let voice: String
        var testDescription: String { archive }
    }

    @Test(
        "reads what the name of an archive says",
        arguments: [
            Name(
                archive: "vits-piper-en_US-lessac-medium.tar.bz2",
                language: "en-US",
                name: "lessac",
                quality: "medium",
                voice: "piper/en_US-lessac-medium"
            ),
            Name(
                archive: "vits-piper-de_DE-thorsten_emotional-medium-int8.tar.bz2",
                language: "de-DE",
                name: "thorsten_emotional",
                quality: "medium",
                variant: .int8,
                voice: "piper/de_DE-thorsten_emotional-medium-int8"
            ),
            Name(
                archive: "vits-piper-ca_ES-upc_ona-x_low-fp16.tar.bz2",
                language: "ca-ES",
                name: "upc_ona",
                quality: "x_low",
                variant: .fp16,
                voice: "piper/ca_ES-upc_ona-x_low-fp16"
            ),
            Name(
                archive: "vits-piper-es_419-of-two-names-high.tar.bz2",
                language: "es-419",
                name: "of-two-names",
                quality: "high",
                voice: "piper/es_419-of-two-names-high"
            ),
        ]
    )
    func names(_ name: Name) throws {
        let entry = try #require(CatalogueEntry(archive: name.archive))
        #expect(entry.kind == .piperVoice && entry.release == .voices && entry.archive == name.archive)
        #expect(entry.language == name.language && entry.name == name.name && entry.variant == name.variant)
        #expect(entry.quality?.rawValue == name.quality && entry.voice?.rawValue == name.voice)
    }

    @Test(
        "knows recognisers by their names",
        arguments: [
            ("sherpa-onnx-whisper-tiny.en.tar.bz2", CatalogueEntry.RecognizerLayout.whisper, "en"),
            ("sherpa-onnx-whisper-large-v3.tar.bz2", .whisper, "mul"),
            ("sherpa-onnx-whisper-distil-large-v3.tar.bz2", .whisper, "en"),
            ("sherpa-onnx-moonshine-base-en-int8.tar.bz2", .moonshine, "en"),
            ("sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20.tar.bz2", .zipformer, "mul"),
            ("sherpa-onnx-zipformer-ru-2024-09-18.tar.bz2", .zipformer, "ru"),
            ("sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8.tar.bz2", .parakeet, "en"),
            ("sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8.tar.bz2", .parakeet, "mul"),
        ]
    )
    func recognizers(archive: String, layout: CatalogueEntry.RecognizerLayout, language: String) throws {
        let entry = try #require(CatalogueEntry(archive: archive))
        #expect(entry.kind == .recognizer(layout) && entry.language == language && entry.voice == nil)
        #expect(entry.release == .recognizers)
    }

    @Test("stores a recognizer, and the record of its download, by the names that stored files have")
    func storedNames() throws {
        let kind = Data(#"{"recogniser":{"_0":"whisper"}}"#.utf8)
        #expect(try JSONDecoder().decode(CatalogueEntry.Kind.self, from: kind) == .recognizer(.whisper))
        #expect(try JSONEncoder().encode(CatalogueEntry.Kind.recognizer(.whisper)) == kind)
        #expect(OutboundRecord.Purpose.recognizer.rawValue == "recogniser")
    }

    @Test(
        "knows the models that tell speakers apart by their names",
        arguments: [
            ("sherpa-onnx-pyannote-segmentation-3-0.tar.bz2", SpeakerModel.Kind.segmentation),
            ("sherpa-onnx-reverb-diarization-v1.tar.bz2", .segmentation),
            ("nemo_en_titanet_small.onnx", .embedding),
            ("3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx", .embedding),
        ]
    )
    func speakers(archive: String, kind: SpeakerModel.Kind) throws {
        let entry = try #require(CatalogueEntry(archive: archive))
        #expect(entry.kind == .speakers(kind) && entry.archive == archive && entry.voice == nil)
        #expect(entry.release == (kind == .segmentation ? .speakerSegmentation : .speakerEmbedding))
        #expect(entry.isPacked == (kind == .segmentation) && entry.expectedBytes > 1_000_000)
    }

    @Test("has the recommended model of each kind", arguments: SpeakerModel.Kind.allCases)
    func recommended(kind: SpeakerModel.Kind) { #expect(bundled[kind.recommended]?.kind == .speakers(kind)) }

    @Test(
        "has no use for other names, and trusts none",
        arguments: [
            "", ".tar.bz2", "vits-piper-.tar.bz2", "vits-piper-en_US-lessac.tar.bz2", "vits-piper-en_US--low.tar.bz2",
            "vits-piper-en_US-lessac-medium.zip", "vits-piper-EN-x-low.tar.bz2", "vits-piper-e_US-x-low.tar.bz2",
            "vits-piper-en_-x-low.tar.bz2", "../vits-piper-en_US-x-low.tar.bz2", "vits-piper-en_US-../x-low.tar.bz2",
            "vits-piper-en_US-..-low.tar.bz2", "vits-piper-en_US-x/y-low.tar.bz2",
            "vits-piper-en_US-x\u{0}-low.tar.bz2",
            "vits-piper-en_US-ö-low.tar.bz2", "vits-piper-en_US-x y-low.tar.bz2", "vits-coqui-en-ljspeech.tar.bz2",
            "nemo_.onnx", "nemo_a/b.onnx", "nemo_...onnx", "en_US-lessac-medium.onnx", "nemo_en_titanet_small.tar.bz2",
            "sherpa-onnx-pyannote-segmentation-.tar.bz2", "sherpa-onnx-pyannote-segmentation-3-0.onnx",
            "kokoro-en-v0_19.tar.bz2", "sherpa-onnx-whisper-.tar.bz2", "sherpa-onnx-paraformer-zh.tar.bz2",
            "vits-piper-en_US-\(String(repeating: "x", count: 120))-low.tar.bz2",
        ]
    )
    func strangers(archive: String) { #expect(CatalogueEntry(archive: archive) == nil) }

    @Test("finds the voice a person means")
    func finds() throws {
        for name in [
            "vits-piper-en_US-lessac-medium", "vits-piper-en_US-lessac-medium.tar.bz2", "piper/en_US-lessac-medium",
            "en_US-lessac-medium", "EN-us-LESSAC-medium",
        ] {
            #expect(try bundled.entry(called: name).voice?.rawValue == "piper/en_US-lessac-medium", "\(name)")
        }
        do {
            _ = try bundled.entry(called: "en_US-lessac-middle")
            Issue.record("there is no such voice")
        } catch ModelDownloadError.unknownEntry(let name, let similar) {
            #expect(name == "en_US-lessac-middle" && similar.contains { $0.rawValue.contains("lessac") })
        }
    }

    @Test("is searched by words, languages and their names")
    func searches() {
        let names = ["et": "Estonian", "de": "saksa", "en-GB": "Briti inglise"]
        #expect(bundled.matching("lessac").voices.allSatisfy { $0.name == "lessac" })
        #expect(bundled.matching("  LESSAC   low ").voices.map(\.id.rawValue) == ["vits-piper-en_US-lessac-low"])
        #expect(bundled.matching("saksa thorsten", languages: names).voices.allSatisfy { $0.language == "de-DE" })
        #expect(!bundled.matching("saksa thorsten", languages: names).voices.isEmpty)
        #expect(bundled.matching("briti", languages: names).voices.allSatisfy { $0.language == "en-GB" })
        #expect(bundled.matching("nobody").entries.isEmpty)
        #expect(bundled.matching(" ") == bundled)
        #expect(Set(bundled.speaking("pt").voices.map(\.language)) == ["pt-BR", "pt-PT"])
        #expect(bundled.speaking("pt-BR").voices.allSatisfy { $0.language == "pt-BR" })
    }

    @Test("is grouped by language and sorted")
    func groups() {
        let groups = bundled.groups()
        #expect(groups.map(\.language) == groups.map(\.language).sorted())
        #expect(groups.reduce(0) { $0 + $1.entries.count } == bundled.voices.count)
        for order in ModelCatalogue.SortOrder.allCases {
            let english = bundled.groups(by: order).first { $0.language == "en" }?.entries ?? []
            let steps = zip(english, english.dropFirst())
            switch order {
            case .name: #expect(steps.allSatisfy { $0.name.lowercased() <= $1.name.lowercased() })
            case .size: #expect(steps.allSatisfy { $0.expectedBytes <= $1.expectedBytes })
            case .quality: #expect(steps.allSatisfy { ($0.quality ?? .medium) <= ($1.quality ?? .medium) })
            }
        }
        #expect([.high, .low, .medium, .extraLow].sorted() == [VoiceQuality.extraLow, .low, .medium, .high])
    }

    @Test("learns from a refresh and forgets nothing")
    func merges() throws {
        var known = try #require(CatalogueEntry(archive: "vits-piper-en_US-lessac-medium.tar.bz2"))
        known.archiveBytes = 64_000_000
        known.sha256 = String(repeating: "a", count: 64)
        let new = try #require(CatalogueEntry(archive: "vits-piper-et_EE-new-medium.tar.bz2"))
        let merged = bundled.merged(with: [known, new])
        #expect(merged.voices.count == 175)
        let entry = try #require(merged[known.id])
        #expect(entry.archiveBytes == 64_000_000 && entry.sha256 == known.sha256)
        #expect(entry.speakers == 1 && entry.sampleRate == 22_050, "what a refresh does not say stays known")
        #expect(merged.merged(with: []) == merged)
    }

    @Test("is kept as JSON without loss")
    func codes() throws {
        let entries = bundled.merged(with: []).entries
        let decoded = try JSONDecoder().decode([CatalogueEntry].self, from: try JSONEncoder().encode(entries))
        #expect(decoded == entries)
    }
}

@Suite("Rules for connecting")
struct OutboundRulesTests {
    @Test(
        "take an address that is safe",
        arguments: [
            ("", CatalogueAddress.sherpaOnnx), ("  ", .sherpaOnnx), ("/media/stick", .folder("/media/stick")),
            ("file:///media/my%20stick", .folder("/media/my stick")), ("file://localhost/x", .folder("/x")),
        ]
    )
    func addresses(text: String, address: CatalogueAddress) throws { #expect(try CatalogueAddress(text) == address) }

    @Test(
        "take a mirror, encrypted unless it is on this machine",
        arguments: [
            ("https://mirror.example/a/", "https://mirror.example/a"),
            ("http://127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("http://localhost:8080//", "http://localhost:8080"), ("http://x.localhost", "http://x.localhost"),
            ("https://10.0.0.5/voices", "https://10.0.0.5/voices"),
        ]
    )
    func mirrors(text: String, address: String) throws {
        guard case .mirror(let url) = try CatalogueAddress(text) else {
            Issue.record("\(text) is a mirror")
            return
        }
        #expect(url.absoluteString == address)
    }

    @Test(
        "refuse an address that is not",
        arguments: [
            "http://mirror.example/", "ftp://mirror.example", "relative/path", "https://",
            "https://user:pw@mirror.example",
            "https://mirror.example/?q", "https://mirror.example/#f", "file://server/share", "javascript:1",
            "http://127.0.0.1.example.org/", "http://localhost.example.org", "http://127.0.0.1:65536",
            "https://mirror.example:0/",
        ]
    )
    func bad(text: String) {
        #expect(throws: ModelDownloadError.badAddress) { try CatalogueAddress(text) }
        #expect(throws: LibraryError.self) { try SettingsCatalogue.catalogue.value(of: text) }
    }

    @Test("come from the settings")
    func settings() async throws {
        let store = MemoryVault().library.settings
        #expect(try await store.outboundRules() == OutboundRules(isOffline: false, catalogue: .sherpaOnnx))
        try await store.set("outbound.offline", to: "on")
        try await store.set("voices.catalogue", to: "/media/stick")
        #expect(try await store.outboundRules() == OutboundRules(isOffline: true, catalogue: .folder("/media/stick")))
    }
}
