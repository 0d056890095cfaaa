import EchoTextTesting
import Testing

@Suite("Memory sink")
struct AudioSinkTests {
    @Test("keeps every promise of a sink")
    func contract() async throws {
        try await verifyContract(ofLoudspeakersFor: 16_000) { MemorySink(sampleRate: 16_000) }
    }
}

@Suite("Memory loudspeaker")
struct MemoryLoudspeakerTests {
    @Test("keeps every promise of a sink in each of its streams")
    func contract() async throws {
        let loudspeaker = MemoryLoudspeaker()
        try await verifyContract(ofLoudspeakersFor: 16_000) { loudspeaker.sink(sampleRate: 16_000) }
    }
}
