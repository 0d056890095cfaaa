import API
import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("Files that a command takes in turn", .endsInTime)
struct FilesInTurnTests {
    @Test("are all in the answer, also where the library fails between them")
    func failingLibrary() async throws {
        let full = VaultError.readOnly(.diskFull)
        let files = FilesInTurn(paths: ["a.wav", "b.wav", "c.wav", "d.wav"], isAnswered: true)
        let taken = try await files.take { path, _ in
            if path == "b.wav" { throw DocumentError.empty }
            if path == "c.wav" { throw full }
            return path
        }
        #expect(taken.results == ["a.wav"])
        #expect(taken.failures.map(\.file) == ["b.wav", "c.wav", "d.wav"])
        #expect(taken.failures.map(\.code) == [DocumentError.empty.code, full.code, full.code])
        #expect(taken.status == ExitStatus(of: full.failure.kind))
    }

    @Test("end with the library's own failure where there is one file, or no answer", arguments: [1, 2])
    func thrown(count: Int) async throws {
        let paths = Array(["a.wav", "b.wav"].prefix(count))
        let files = FilesInTurn(paths: paths, isAnswered: count == 1)
        await #expect(throws: VaultError.locked) {
            _ = try await files.take { _, _ -> String in throw VaultError.locked }
        }
    }
}
