import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak --save, stopped", .endsInTime)
struct NarrationJobTests {
    private static let voices = ["en-us", Fixtures.voice]
    /// Several times as long as what is received before the program is stopped.
    private static let text = Fixtures.text(words: 700)

    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program(arguments, in: folder).run()
    }

    /// Speaks into the library, and stops the program by `signal` once part of the speech was received.
    private func speak(stoppedBy signal: Int32, voice: String) async throws -> Program.Outcome {
        try folder.write(Self.text, to: "text.txt")
        let program = Program(
            speak: "-f",
            "text.txt",
            "--save",
            "--name",
            "Book",
            "-o",
            "-",
            "--voice",
            voice,
            in: folder
        )
        return try await program.run { running in
            _ = await running.output.first(3_000_000)  // More than a minute, so that segments were stored.
            running.signal(signal)
        }
    }

    @Test(
        "is resumed without a gap after kill -9 and after Ctrl-C",
        arguments: [SIGKILL, SIGINT],
        voices
    )
    func continues(_ signal: Int32, _ voice: String) async throws {
        let stopped = try await speak(stoppedBy: signal, voice: voice)
        #expect(stopped.status == (signal == SIGINT ? 130 : 128 + signal))
        #expect(try await run("library", "list", "--json").text.contains("\"total\" : 0"))

        let continued = try await run("library", "continue")
        #expect(continued.status == 0, "\(continued.errors)")
        let left = try JSONSerialization.jsonObject(with: try await run("library", "jobs", "--json").output)
        #expect((left as? [String: [Any]])?.mapValues(\.count) == ["jobs": 0, "batch": 0])
        let whole = try await run("speak", "-f", "text.txt", "--save", "--name", "Whole", "--voice", voice)
        #expect(whole.status == 0, "\(whole.errors)")
        for name in ["Book", "Whole"] {
            let exported = try await run(
                "library",
                "export",
                name,
                "-o",
                "\(name).wav",
                "--captions",
                "json",
                "--title",
                "Same"
            )
            #expect(exported.status == 0, "\(exported.errors)")
        }
        // espeak-ng keeps state between calls: the same sentence lasts some samples more or less after another one.
        guard voice == Fixtures.voice else { return }
        // Compared outside of the expectation, which would list every byte that differs.
        for file in ["wav", "json"] {
            let isSame =
                try Data(contentsOf: URL(filePath: folder("Book.\(file)")))
                == Data(contentsOf: URL(filePath: folder("Whole.\(file)")))
            #expect(isSame, "\(file)")
        }
    }

    @Test("is a recording of its part when that is wanted")
    func keepsPart() async throws {
        _ = try await speak(stoppedBy: SIGINT, voice: "en-us")
        let jobs = try await run("library", "jobs", "--json")
        let left = try JSONSerialization.jsonObject(with: jobs.output) as? [String: [[String: Any]]]
        #expect(left?["jobs"]?.map { $0["reason"] as? String } == ["stopped"], "\(jobs.text)")
        #expect(try await run("library", "keep").status == 0)
        let list = try await run("library", "list", "--json")
        #expect(list.text.contains("\"total\" : 1"))
        let text = try await run("library", "text", "Book")
        #expect(Self.text.hasPrefix(text.text.dropLast()), "the text is what was spoken")
    }

    @Test("is forgotten when that is wanted")
    func discards() async throws {
        _ = try await speak(stoppedBy: SIGTERM, voice: "en-us")
        #expect(try await run("library", "discard").status == 1, "nobody was there to be asked")
        let discarded = try await run("library", "discard", "--yes")
        #expect(discarded.status == 0 && discarded.errors.contains(" is discarded"), "\(discarded.errors)")
        #expect(try await run("library", "continue").status == 66)
        #expect(try await run("library", "list", "--json").text.contains("\"total\" : 0"))
    }
}
