import Foundation
import Testing

@testable import EchoText

@Suite("A failure")
struct FailureTests {
    private struct Unknown: Error {}

    @Test("is kept as it is, but for the wait")
    func kept() throws {
        let failure = VaultError.lockedOut(wait: .seconds(30)).failure
        let read = try JSONDecoder().decode(Failure.self, from: try JSONEncoder().encode(failure))
        #expect(failure.retryAfter == .seconds(30))
        #expect(read == failure.retrying(after: nil))
    }

    @Test(
        "is read as an internal one where its kind is not known",
        arguments: [
            #"{"code":"vault.system","message":"The system refused: No."}"#,
            #"{"code":"vault.system","message":"The system refused: No.","suggestion":null,"kind":"of-tomorrow"}"#,
        ]
    )
    func withoutKind(_ text: String) throws {
        let failure = try JSONDecoder().decode(Failure.self, from: Data(text.utf8))
        #expect(failure == Failure(.internal, "vault.system", "The system refused: No."))
    }

    @Test("says nothing of an error without words")
    func unexpected() {
        let failure = Failure(Unknown())
        #expect((failure.kind, failure.code) == (.internal, "unexpected"))
        #expect(!failure.message.contains("Unknown") && failure.suggestion == nil)
    }

    @Test("suggests a command only in a terminal, also when it was kept")
    func inTerminal() throws {
        let failure = VaultError.passcodeExists.failure
        #expect(failure.suggestion == "Change it in the settings, under Security.")
        #expect(failure.inTerminal.suggestion == "Change it with “echotext vault passcode change”.")
        #expect(failure.inTerminal.inTerminal == failure.inTerminal)
        let read = try JSONDecoder().decode(Failure.self, from: try JSONEncoder().encode(failure))
        #expect(read == failure && read.inTerminal == failure.inTerminal)
        let shared = VaultError.inUse.failure
        #expect(shared.suggestion != nil && shared.inTerminal == shared)
    }

    @Test(
        "has commas in its large numbers",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-10_000, "-10,000"), (100_000, "100,000"),
            (1_234_567, "1,234,567"),
        ]
    )
    func numbers(_ number: Int, _ text: String) {
        #expect(number.grouped == text)
        #expect(Int64(number).grouped == text)
    }

    @Test("that is thrown on stays the same")
    func thrown() {
        let failure = LibraryError.tooManyJobs(limit: 3).failure
        #expect(Failure(failure) == failure)
        #expect(failure.message == "3 narrations are waiting already.")
        #expect(failure.suggestion == "Wait until one is done, or stop some.")
    }
}
