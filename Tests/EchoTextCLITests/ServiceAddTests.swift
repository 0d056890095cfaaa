import ArgumentParser
import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("echotext recognizers service add", .endsInTime)
struct ServiceAddTests {
    @Test("keeps the language and the prompt of a service that is changed, unless others are given")
    func changes() async throws {
        let library = MemoryVault().library
        func add(_ more: String...) async throws -> TranscriptionService {
            let arguments = ["office", "--address", "https://speech.example.org", "--no-key"] + more
            try await ServiceAdd.parse(arguments).run(in: library)
            return try await library.services.service(ServiceName("office"))
        }
        let first = try await add("--model", "small", "--language", "et", "--prompt", "Tartu, Tallinn.")
        #expect(first.language == "et" && first.prompt == "Tartu, Tallinn.")
        let second = try await add("--model", "large")
        #expect(second.model == "large" && second.language == "et" && second.prompt == "Tartu, Tallinn.")
        let third = try await add("--model", "large", "--language", "fi", "--prompt", "")
        #expect(third.language == "fi" && third.prompt == nil)
    }
}
