import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext recognizers", .endsInTime)
struct RecognizerTests {
    private static let archive = "\(Fixtures.folder)/recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"
    private static let id = "sherpa/nemo-ctc-fixture-en"

    private let folder = TemporaryFolder()

    private struct Row: Decodable {
        let id: String?
        let entry: String?
        let kind: String
        let languages: [String]
        let hears: [String]?
        let isInstalled: Bool
        let reason: String?
        let expectedBytes: Int64?
    }

    private func run(_ arguments: String...) async throws -> Program.Outcome {
        var program = Program(["recognizers"] + arguments, in: folder)
        program.environment = [
            "ECHOTEXT_RECOGNIZERS": folder("recognizers"), "ECHOTEXT_SHERPA_ONNX": Fixtures.library,
        ]
        return try await program.run()
    }

    private func rows(_ arguments: String...) async throws -> [Row] {
        var program = Program(["recognizers", "list", "--json"] + arguments, in: folder)
        program.environment = [
            "ECHOTEXT_RECOGNIZERS": folder("recognizers"), "ECHOTEXT_SHERPA_ONNX": Fixtures.library,
        ]
        let rows = try JSONDecoder().decode([Row].self, from: try await program.run().output)
        // The basic recognizer exists where Debian's package is installed.
        return rows.filter { $0.id?.hasPrefix("pocketsphinx/") != true }
    }

    @Test("adds one that opens and hears, lists it and deletes it")
    func adds() async throws {
        #expect(try await rows().isEmpty)
        let added = try await run("add", Self.archive)
        #expect(added.status == 0 && added.text == "\(Self.id)\n", "\(added.errors)")
        let listed = try await rows()
        #expect(listed.map(\.id) == [Self.id] && listed.allSatisfy { $0.kind == "recognizer" && $0.hears == ["en"] })
        #expect(try await rows("--language", "et").isEmpty)
        #expect(try await run("list").text.contains(Self.id))
        let removed = try await run("remove", "nemo-ctc-fixture-en", "--yes")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try await rows().isEmpty)
        #expect(try await run("remove", Self.id, "--yes").status == 66)
    }

    @Test("says of each that cannot be downloaded why, though an earlier one has failed")
    func failedDownloads() async throws {
        try FileManager.default.createDirectory(atPath: folder("empty"), withIntermediateDirectories: false)
        let names = ["sherpa-onnx-whisper-tiny", "sherpa-onnx-whisper-base"]
        let outcome = try await run("download", names[0], names[1], "--offline", "--from", folder("empty"))
        #expect(outcome.status != 0 && outcome.text.isEmpty)
        for name in names { #expect(outcome.errors.contains("error: \(name): "), "\(outcome.errors)") }
    }

    @Test("AT5: asks those first that a person has selected")
    func selected() async throws {
        struct Listed: Decodable {
            let id: String?
            let isDefault: Bool
        }
        try await TranscriptionHome.with { home in
            try await home.succeed("recognizers", "select", "nemo-ctc-fixture-en")
            let listed = try await home.json([Listed].self, "recognizers", "list")
            #expect(listed.first?.id == Self.id && listed.filter(\.isDefault).count == 1)
            #expect(try await home.succeed("settings", "get", "transcription.recognizers").contains(Self.id))
            let unknown = try await home.run("recognizers", "select", "nobody", "--json")
            #expect(unknown.status == 66 && unknown.code == "recognition.not-installed", "\(unknown.text)")
            #expect(
                try await home.run("recognizers", "remove", "nemo-ctc-fixture-en").status != 0,
                "nobody can be asked"
            )
            #expect(try await home.run("recognizers", "remove", "nobody", "--yes", "--json").status == 66)
            #expect(try await home.run("recognizers", "add", "nowhere.tar.bz2", "--json").status == 65)
        }
    }

    @Test("offers those of the catalogue, the recommended ones first")
    func offers() async throws {
        let rows = try await rows("--available", "--language", "et")
        #expect(rows.prefix(3).map(\.reason) == ["quick", "balanced", "best"])
        #expect(rows.allSatisfy { $0.kind == "recognizer" && $0.hears != nil && $0.expectedBytes != nil })
        #expect(rows.allSatisfy { !$0.isInstalled && ($0.languages == ["mul"] || $0.languages == ["et"]) })
    }

    @Test("refuses what is none, with words for it")
    func refuses() async throws {
        try folder.write("no archive", to: "text.tar.bz2")
        let refused = try await run("add", "text.tar.bz2")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("no recogniser"))
        let voice = try await run("add", Fixtures.voice)
        #expect(voice.status == 65 && voice.errors.contains("of a kind that EchoText cannot use"))
    }
}
