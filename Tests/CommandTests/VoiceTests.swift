import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext, voices", .endsInTime)
struct VoiceTests {
    private let folder = TemporaryFolder()

    private struct Listed: Decodable {
        let id: String
        let name: String
        let language: String
        let engine: String
        let speakers: Int
        let speakerNames: [String]?
    }

    private func voices(_ arguments: String..., library: String = Fixtures.library) async throws -> [Listed] {
        var program = Program(["voices", "--json"] + arguments, in: folder)
        program.environment = ["ECHOTEXT_VOICES": Fixtures.folder, "ECHOTEXT_SHERPA_ONNX": library]
        let outcome = try await program.run()
        #expect(outcome.status == 0)
        return try JSONDecoder().decode([Listed].self, from: outcome.output)
    }

    @Test("are listed from both engines")
    func list() async throws {
        let voices = try await voices()
        #expect(voices.count { $0.engine == "espeak-ng" } > 50)
        let fixture = try #require(voices.first { $0.id == "piper/en_US-fixture-low" })
        #expect(fixture.language == "en-US" && fixture.name == "Fixture")
        #expect(voices.first?.id == fixture.id, "what was installed stands first")
        #expect(fixture.speakers == 2 && fixture.speakerNames == ["low", "high"])
        #expect(Set(voices.map(\.id)).count == voices.count)
    }

    @Test("are listed by language", arguments: ["et", "en", "en-GB"])
    func language(_ tag: String) async throws {
        let voices = try await voices("--language", tag)
        #expect(!voices.isEmpty)
        #expect(voices.allSatisfy { $0.language == tag || $0.language.hasPrefix("\(tag)-") })
    }

    private struct Marked: Decodable {
        let id: String
        let isFavorite: Bool
    }

    @Test("are marked as favorites, those too that can only be downloaded")
    func favorites() async throws {
        try await VoiceHome.with { home in
            func favorites(_ command: String...) async throws -> Set<String> {
                let text = try await home.program(["voices"] + command + ["--json"]).succeed()
                let all = try JSONDecoder().decode([Marked].self, from: Data(text.utf8))
                return Set(all.filter(\.isFavorite).map(\.id))
            }
            try await home.succeed("voices", "favorite", "en-GB", "en_US-lessac-medium")
            #expect(try await favorites("list") == ["espeak/en-GB"])
            #expect(try await favorites("available", "lessac") == ["piper/en_US-lessac-medium"])
            try await home.succeed("voices", "favorite", "--remove", "en-GB")
            #expect(try await favorites("list").isEmpty)
            let unknown = try await home.run("voices", "favorite", "espeak/en-UZ")
            #expect(unknown.status == 69)
            #expect(unknown.errors.contains("espeak/en-US"))
        }
    }

    @Test("are listed as a table with a head")
    func table() async throws {
        let outcome = try await Program(["voices", "-l", "de"], in: folder).run()
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("ID") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("espeak/") })
    }

    @Test("that are unknown are answered with near ones")
    func unknown() async throws {
        let outcome = try await Program(speak: "Hi", "--voice", "espeak/en-UZ", "-o", "out.wav", in: folder).run()
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("espeak/en-US"))
        #expect(folder.names.isEmpty)
    }

    @Test("are taken from a folder, however its path is written")
    func paths() async throws {
        let odd = "dossier “æ ö ü” 声 #%"
        try FileManager.default.copyItem(atPath: Fixtures.voice, toPath: folder(odd))
        for path in [odd, "\(odd)/", "./\(odd)", "./\(odd)/../\(odd)//", folder(odd)] {
            let outcome = try await Program(speak: "Hello.", "--voice", path, "-o", "out.wav", in: folder).run()
            #expect(outcome.status == 0, "\(path): \(outcome.errors)")
            #expect(try await SoundFileReader().read(folder("out.wav"), limit: 480_000).sampleRate == 16_000)
        }
    }

    @Test("have as many speakers as they say")
    func speakers() async throws {
        var heard: [Data] = []
        for speaker in ["0", "1"] {
            let outcome = try await Program(
                speak: "Hello.",
                "--voice",
                Fixtures.voice,
                "--speaker",
                speaker,
                "-o",
                "-",
                in: folder
            ).run()
            #expect(outcome.status == 0)
            heard.append(outcome.output)
        }
        #expect(heard[0] != heard[1])
        for speaker in ["2", "-1"] {
            let outcome = try await Program(
                ["speak", "Hello.", "--voice", Fixtures.voice, "--speaker=\(speaker)", "-o", "out.wav"],
                in: folder
            ).run()
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("0") && outcome.errors.contains("1"))
        }
        #expect(folder.names.isEmpty)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let folder: String
        let file: String
        var testDescription: String { folder }
    }

    static let faults: [Fault] = [
        .init(folder: "no-model", file: "en_US-fixture-low.onnx"),
        .init(folder: "no-tokens", file: "tokens.txt"),
        .init(folder: "description-garbage", file: "en_US-fixture-low.onnx.json"),
        .init(folder: "model-garbage", file: "en_US-fixture-low.onnx"),
        .init(folder: "model-cut-short", file: "en_US-fixture-low.onnx"),
        .init(folder: "model-without-metadata", file: "en_US-fixture-low.onnx"),
        .init(folder: "tokens-garbage", file: "tokens.txt"),
    ]

    @Test("that are broken are refused by the name of the file", arguments: faults)
    func broken(_ fault: Fault) async throws {
        let outcome = try await Program(
            speak: "Hello there.",
            "--voice",
            "\(Fixtures.folder)/bad/\(fault.folder)",
            "-o",
            "out.wav",
            in: folder
        ).run()
        #expect([69, 75].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains("“\(fault.file)”"), "\(outcome.errors)")
        #expect(folder.names.isEmpty)
    }

    @Test("that never answer are given up")
    func silent() async throws {
        var program = Program(
            speak: "Hello there.",
            "--voice",
            "\(Fixtures.folder)/bad/never-returns",
            "-o",
            "out.wav",
            in: folder
        )
        program.arguments += ["--timeout", "2"]
        var descendants: [pid_t] = []
        let outcome = try await program.run { running in
            descendants = running.descendants
        }
        #expect(outcome.status == 75)
        #expect(!descendants.contains(where: isAlive))
        #expect(folder.names.isEmpty)
    }

    @Test("without sherpa-onnx say how to get it, and espeak-ng's speak on")
    func withoutLibrary() async throws {
        var program = Program(speak: "Hello there.", "--voice", Fixtures.voice, "-o", "out.wav", in: folder)
        program.environment["ECHOTEXT_SHERPA_ONNX"] = "/nowhere"
        let missing = try await program.run()
        #expect(missing.status == 69)
        #expect(missing.errors.contains("natural voices"))
        #expect(missing.errors.contains("make deps"))
        #expect(folder.names.isEmpty)

        program.arguments = ["speak", "Hello there.", "-o", "out.wav"]
        #expect(try await program.run().status == 0)
        #expect(folder.names == ["out.wav"])
        #expect(try await !voices(library: "/nowhere").isEmpty)
    }
}
