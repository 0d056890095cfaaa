import EchoTextTesting
import Foundation
import Testing

@Suite("echotext library check-speech and respeak", .endsInTime)
struct SpeechCheckTests {
    private static let testData = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_DATA"]
    private static let archive = "\(Fixtures.folder)/recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"

    private struct Report: Decodable {
        struct Finding: Decodable {
            let number: Int
            let start: Double
            let text: String
            let heard: String
        }

        let state: String
        let heard: Int
        let sentences: Int
        let found: Int
        let recognizer: String
        let findings: [Finding]
    }

    private struct Respoken: Decodable {
        struct Item: Decodable {
            let duration: Double
            let size: Int
        }

        let item: Item
        let number: Int
        let start: Double
        let end: Double
    }

    private func run(_ home: LibraryHome, _ arguments: String...) async throws -> Program.Outcome {
        var program = home.program(arguments)
        program.environment["ECHOTEXT_RECOGNIZERS"] = home.folder("recognizers")
        program.environment["ECHOTEXT_VOICES"] = home.folder("voices")
        program.environment["ECHOTEXT_SHERPA_ONNX"] = Fixtures.library
        return try await program.run()
    }

    @Test("hears a narration, and speaks a sentence of it again")
    func narration() async throws {
        try await LibraryHome.with { home in
            #expect(try await run(home, "recognizers", "add", Self.archive).status == 0)
            let text = "The keeper sleeps. Waves come in. It is night."
            #expect(try await run(home, "speak", text, "--save", "--name", "Night").status == 0)
            let checked = try await run(
                home,
                "library",
                "check-speech",
                "Night",
                "--recognizer",
                "nemo-ctc-fixture-en",
                "--json"
            )
            #expect(checked.status == 0, "\(checked.errors)")
            let report = try JSONDecoder().decode(Report.self, from: checked.output)
            #expect(report.sentences == 3 && report.recognizer == "sherpa/nemo-ctc-fixture-en")
            #expect(report.state == "done" && report.heard == 3 && report.found == report.findings.count)
            let service = try await run(home, "library", "check-speech", "Night", "--recognizer", "remote/office")
            #expect(service.status != 0 && service.errors.contains("nothing of it is sent"))

            let respoken = try await run(home, "library", "respeak", "Night", "--sentence", "2", "--json")
            #expect(respoken.status == 0, "\(respoken.errors)")
            let sentence = try JSONDecoder().decode(Respoken.self, from: respoken.output)
            #expect(sentence.number == 2 && sentence.start > 0 && sentence.end > sentence.start)
            #expect(try await run(home, "library", "respeak", "Night", "--sentence", "4").status != 0)
            #expect(try await run(home, "vault", "check").status == 0)
        }
    }

    @Test(
        "finds the sentence in which another word is spoken, and nothing once it is spoken again",
        .enabled(if: testData != nil, "ECHOTEXT_TEST_DATA names no folder")
    )
    func realVoice() async throws {
        let data = try #require(Self.testData)
        try await LibraryHome.with { home in
            let voice = try await run(home, "voices", "add", "\(data)/vits-piper-en_US-joe-medium.tar.bz2")
            #expect(voice.status == 0, "\(voice.errors)")
            let whisper = "\(data)/sherpa-onnx-whisper-tiny.en-attention.tar.bz2"
            #expect(try await run(home, "recognizers", "add", whisper).status == 0)
            try home.folder.write("notebook = elephant\n", to: "wrong.txt")
            let text = """
                The mill at the bend of the river stood still. A lamp stood on the long table, and beside it lay a notebook. \
                Nora had walked past it every morning of her life.
                """
            let spoken = try await run(
                home,
                "speak",
                text,
                "--save",
                "--name",
                "Mill",
                "--voice",
                "piper/en_US-joe-medium",
                "--dictionary",
                "wrong.txt"
            )
            #expect(spoken.status == 0, "\(spoken.errors)")
            #expect(try await report(home).findings.map(\.number) == [2])
            #expect(try await run(home, "library", "respeak", "Mill", "--sentence", "2").status == 0)
            #expect(try await report(home).findings.isEmpty)
        }
    }

    private func report(_ home: LibraryHome) async throws -> Report {
        let checked = try await run(
            home,
            "library",
            "check-speech",
            "Mill",
            "--recognizer",
            "whisper-tiny.en-attention",
            "--json"
        )
        #expect(checked.status == 0, "\(checked.errors)")
        return try JSONDecoder().decode(Report.self, from: checked.output)
    }
}
