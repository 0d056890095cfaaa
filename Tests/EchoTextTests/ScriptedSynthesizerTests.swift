import EchoTextTesting
import Testing

@Suite("Scripted synthesizer")
struct ScriptedSynthesizerTests {
    @Test("keeps the contract of an engine")
    func contract() async throws {
        try await verifyContract(of: ScriptedSynthesizer())
    }
}
