import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext transcripts speakers", .endsInTime)
struct SpeakerTests {
    private static let recognizer = "\(Fixtures.folder)/recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"
    private static let segmentation =
        "\(Fixtures.folder)/models/speakers/sherpa-onnx-pyannote-segmentation-fixture.tar.bz2"
    private static let voices = "\(Fixtures.folder)/models/speakers/speakers-fixture.onnx"

    private struct Row: Decodable {
        let id: String?
        let kind: String
        let part: String?
    }

    private struct Version: Decodable {
        let id: String
        let number: Int
        let speakers: Int?
        let base: String?
        let isCurrent: Bool
        let words: Int
    }

    private struct Shown: Decodable {
        struct Segment: Decodable {
            let text: String
            let speaker: String?
        }

        let segments: [Segment]
    }

    private func run(_ home: LibraryHome, _ arguments: String...) async throws -> Program.Outcome {
        var program = home.program(arguments)
        program.environment["ECHOTEXT_RECOGNIZERS"] = home.folder("recognizers")
        program.environment["ECHOTEXT_SHERPA_ONNX"] = Fixtures.library
        return try await program.run()
    }

    /// “good morning” in low tones, and “little bird” in high ones, with these repetitions.
    private func talk(_ turns: [Int]) -> Data {
        let words = [[400.0, 700, 1_150], [1_850, 3_000, 4_800]]
        let samples = turns.flatMap { words[$0] }.flatMap { hertz -> [Int16] in
            let pause = [Int16](repeating: 0, count: 1_600)
            let tone = (0..<4_800).map { index -> Int16 in
                let edge = min(1, Double(min(index, 4_799 - index)) / 160)
                return Int16(9_000 * edge * sin(2 * .pi * hertz * Double(index) / 16_000))
            }
            return pause + tone + pause
        }
        return WAVHeader.file(of: samples, sampleRate: 16_000)
    }

    @Test("finds who speaks by models that were added, and names the speakers in a new version")
    func found() async throws {
        try await LibraryHome.with { home in
            try home.folder.write(talk([0, 1, 1, 0, 1, 0, 0, 1]), to: "talk.wav")
            #expect(try await run(home, "recognizers", "add", Self.recognizer).status == 0)
            let heard = try await run(
                home,
                "transcribe",
                "talk.wav",
                "--recognizer",
                "nemo-ctc-fixture-en",
                "--silence"
            )
            #expect(heard.status == 0, "\(heard.errors)")
            let early = try await run(home, "transcripts", "speakers", "talk")
            #expect(early.status != 0 && early.errors.contains("not installed"), "\(early.errors)")

            let first = try await run(home, "recognizers", "add", Self.segmentation)
            #expect(first.status == 0 && first.text == "speakers/sherpa-onnx-pyannote-segmentation-fixture\n")
            #expect(first.errors.contains("recongition"), "\(first.errors)")
            let half = try await run(home, "transcripts", "speakers", "talk")
            #expect(half.status != 0 && half.errors.contains("compares voices"), "\(half.errors)")
            let second = try await run(home, "recognizers", "add", Self.voices)
            #expect(second.status == 0 && second.text == "speakers/speakers-fixture\n", "\(second.errors)")

            let named = try await run(home, "transcripts", "speakers", "talk", "--json")
            #expect(named.status == 0, "\(named.errors)")
            let version = try JSONDecoder().decode(Version.self, from: named.output)
            #expect(version.number == 2 && version.speakers == 2 && version.isCurrent && version.base != nil)
            let shown = try await run(home, "transcripts", "show", "talk", "--json")
            let segments = try JSONDecoder().decode(Shown.self, from: shown.output).segments.filter { !$0.text.isEmpty }
            #expect(segments.allSatisfy { $0.speaker == ($0.text.contains("good") ? "Speaker 1" : "Speaker 2") })
            #expect(segments.allSatisfy { !($0.text.contains("good") && $0.text.contains("bird")) }, "\(segments)")
            #expect(try await run(home, "transcripts", "show", "talk").text.contains("Speaker 2"))

            let one = try await run(home, "transcripts", "speakers", "talk:1", "--speakers", "1", "--json")
            #expect(try JSONDecoder().decode(Version.self, from: one.output).speakers == 1)
            #expect(try await run(home, "transcripts", "speakers", "talk", "--speakers", "0").status == 64)
            #expect(try await run(home, "vault", "check").status == 0)
        }
    }

    @Test("the models are listed apart from recognizers, and removed")
    func listed() async throws {
        let home = try LibraryHome()
        for path in [Self.segmentation, Self.voices] {
            #expect(try await run(home, "recognizers", "add", path).status == 0)
        }
        let rows = try JSONDecoder().decode(
            [Row].self,
            from: try await run(home, "recognizers", "list", "--json").output
        )
        let models = rows.filter { $0.kind == "speakers" }
        #expect(models.compactMap(\.part) == ["embedding", "segmentation"])
        #expect(rows.filter { $0.kind == "recognizer" }.allSatisfy { $0.id?.hasPrefix("pocketsphinx/") == true })
        #expect(try await run(home, "recognizers", "list").text.contains("compares voices"))
        #expect(try await run(home, "recognizers", "remove", "speakers-fixture", "--yes").status == 0)
        #expect(try await run(home, "recognizers", "list").text.contains("compares voices") == false)
    }

    @Test("a model that cannot be used is refused, with words for it")
    func refused() async throws {
        let home = try LibraryHome()
        try home.folder.write("no model", to: "junk.onnx")
        let junk = try await run(home, "recognizers", "add", "junk.onnx")
        #expect(junk.status == 65 && junk.errors.contains("“junk” cannot be used to tell speakers apart"))
        let json = try await run(home, "recognizers", "add", "junk.onnx", "--json")
        #expect(json.text.contains("speakers.bad-model"))
    }
}
