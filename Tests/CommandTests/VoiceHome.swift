import EchoTextTesting
import Foundation
import Testing

/// A library of one test with its own voices folder.
struct VoiceHome: Sendable {
    let home: LibraryHome

    /// Passes a home to `body`, and leaves no process behind.
    static func with(_ body: (VoiceHome) async throws -> Void) async throws {
        try await LibraryHome.with { try await body(VoiceHome(home: $0)) }
    }

    var folder: String { home.folder("voices") }

    func program(_ arguments: [String]) -> Program {
        var program = home.program(arguments)
        program.environment["ECHOTEXT_VOICES"] = folder
        return program
    }

    func run(_ arguments: String...) async throws -> Program.Outcome { try await program(arguments).run() }

    @discardableResult
    func succeed(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await program(arguments).succeed(sourceLocation: sourceLocation)
    }

    /// The output of a command with `--json`, as an object.
    func object(_ arguments: String...) async throws -> [String: Any] {
        let outcome = try await program(arguments + ["--json"]).run()
        return try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    }

    /// The voices that were installed, as the list shows them.
    func installed() async throws -> [[String: Any]] {
        let text = try await succeed("voices", "list", "--installed", "--json")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    /// Everything in the folder of voices, hidden too.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

    static let archive = "\(Fixtures.folder)/archives/good/vits-piper-en_US-fixture-low.tar.bz2"
    static let folderName = "vits-piper-en_US-fixture-low"
    static let id = "piper/en_US-fixture-low"
}
