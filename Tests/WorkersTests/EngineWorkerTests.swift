import EchoText
import EchoTextTesting
import Logging
import Testing

@testable import Workers

@Suite("Engine workers", .endsInTime)
struct EngineWorkerTests {
    @Test("keep the contract, as the model does in process", arguments: WorkerIsolation.available)
    func contract(isolation: WorkerIsolation) async throws {
        let voice = try TemporaryVoice()
        let pool = EngineWorkerPool(.fixture, isolation: isolation, logger: .quiet)
        try await verifyContract(of: pool, opening: voice.folder, saying: Array("həlˈəʊ wˈɜːld".unicodeScalars))
        await pool.endAll()
    }

    @Test("the model keeps the contract in process")
    func modelKeepsContract() async throws {
        try await verifyContract(
            of: ScriptedAcousticModelLoader(),
            opening: VoiceFolder(path: "/nowhere", name: "voice"),
            saying: Array("həlˈəʊ wˈɜːld".unicodeScalars)
        )
    }
}
