import EchoText
import EchoTextTesting
import Testing

@Suite("Voice audit")
struct VoiceAuditTests {
    private static func voice(_ name: String, from entry: String? = nil) -> InstalledVoice {
        InstalledVoice(
            voice: Voice(
                id: .init(rawValue: "piper/\(name)"),
                name: name,
                language: "en-US",
                engine: .piper,
                sampleRate: 16_000
            ),
            folder: "vits-piper-\(name)",
            quality: .low,
            bytes: 5,
            licence: nil,
            receipt: entry.map {
                ModelReceipt(entry: .init(rawValue: $0), files: [:])
            }
        )
    }

    private let registry = MemoryVoices()
    private let one = voice("one", from: "vits-piper-one")
    private let other = voice("other")

    private func audit(_ voices: [InstalledVoice], _ faults: [VoiceFault] = []) async -> VoiceAudit {
        VoiceAudit(of: InstalledVoices(voices: voices, faults: faults), against: await registry.records())
    }

    private func fault(_ name: String, _ error: any UserFacingError) -> VoiceFault {
        VoiceFault(in: VoiceFolder(path: "/nowhere/vits-piper-\(name)", name: name), error: error)
    }

    @Test func `takes down what is there, and reports what is gone until it is settled`() async throws {
        #expect(await audit([]).losses.isEmpty)
        let first = await audit([one, other])
        #expect(first.losses.isEmpty)
        #expect(await registry.records().isEmpty, "a look writes nothing")
        try await first.record(in: registry)
        #expect(await registry.records().values.map(\.installation).count == 2)
        _ = await registry.update(one.voice.id) { $0.isFavorite = true }

        for _ in 1...2 {
            let second = await audit([])
            #expect(second.losses.map(\.id) == [one.voice.id, other.voice.id])
            #expect(second.losses.map(\.entry?.rawValue) == ["vits-piper-one", nil])
            #expect(second.losses.allSatisfy { $0.isGone && $0.isNews && $0.failure.code == "voice.gone" })
            let suggestions = second.losses.map(\.failure.suggestion)
            #expect(suggestions[0] != suggestions[1], "one can be downloaded again")
            try await second.record(in: registry)
        }
        try await registry.settle(audit([]).losses)
        #expect(await audit([]).losses.isEmpty, "it is cleared")
        #expect(await registry.records()[one.voice.id]?.isFavorite == true, "what the person liked stays liked")
    }

    @Test func `reports what cannot speak by its name as long as it is there`() async throws {
        try await audit([one]).record(in: registry)
        let altered = fault("one", ModelInstallError.altered(one.voice.id, file: "tokens.txt"))
        let missing = fault("strange", VoiceFolderError.missingFile("strange.onnx"))
        for round in 1...2 {
            let found = await audit([one], [altered, missing])
            #expect(found.losses.map(\.name) == ["One", "Strange"] && found.losses.allSatisfy { !$0.isGone })
            #expect(found.losses.map(\.failure.code) == ["voice.altered", "voice.missing-file"])
            #expect(found.losses.map(\.isNews) == [round == 1, false], "what was never whole is no news")
            try await found.record(in: registry)
            try await registry.settle(found.losses)
        }
        #expect(await registry.records()[one.voice.id]?.installation == nil, "what has changed is not taken for whole")
        try await audit([one]).record(in: registry)
        #expect(await audit([one], [altered]).losses.first?.isNews == true, "it was repaired in between")
    }
}
