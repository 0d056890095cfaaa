import EchoTextTesting
import Testing

@Suite("Memory sink")
struct AudioSinkTests {
    @Test("keeps every promise of a sink")
    func contract() async throws {
        try await verifyContract(ofSinksFor: 16_000) { MemorySink(sampleRate: 16_000) }
    }
}
