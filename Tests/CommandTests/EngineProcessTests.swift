import EchoTextTesting
import Foundation
import Testing

@Suite("The process that has a person's library", .endsInTime)
struct EngineProcessTests {
    private let folder = TemporaryFolder()

    /// The dynamic loader records what it opens in `program` and in processes that inherit its environment, which
    /// workers do not.
    private func objects(openedBy program: Program) async throws -> (opened: String, outcome: Program.Outcome) {
        var program = program
        program.environment["LD_DEBUG"] = "files"
        program.environment["LD_DEBUG_OUTPUT"] = "\(folder.path)/opened"
        let outcome = try await program.run()
        let logs = folder.names.filter { $0.hasPrefix("opened.") }
        return (try logs.map { try folder.text(of: $0) }.joined(), outcome)
    }

    @Test(
        "never has espeak-ng in its memory, whoever speaks",
        arguments: ["espeak/en-US", Fixtures.voice]
    )
    func espeak(voice: String) async throws {
        let speaking = Program(speak: "Hello, world.", "-o", "out.wav", "--voice", voice, in: folder)
        let (opened, outcome) = try await objects(openedBy: speaking)
        #expect(outcome.status == 0 && folder.names.contains("out.wav"), "\(outcome.errors)")
        #expect(opened.contains("libsndfile"), "what it opens is written down")
        #expect(!opened.contains("espeak"))
    }

    @Test("does not have it when it only lists its voices")
    func doesNotHave() async throws {
        let (opened, outcome) = try await objects(openedBy: Program(["voices", "list"], in: folder))
        #expect(outcome.status == 0 && outcome.text.contains("espeak/et"), "\(outcome.errors)")
        #expect(opened.contains("libsndfile") && !opened.contains("espeak"))
    }

    /// The peak memory of the program or one of its processes, in KiB.
    private func peak(_ program: Program) async throws -> Int {
        var program = program
        program.tracer = [
            "/usr/bin/python3", "-c",
            """
            import resource, subprocess, sys
            status = subprocess.run(sys.argv[1:]).returncode
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open("peak", "w"))
            sys.exit(status)
            """,
        ]
        let outcome = try await program.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(Int(try folder.text(of: "peak").dropLast()))
    }

    /// A tag is a minute, or 5 MB of samples; 80 of them in one paragraph are 420 MB.
    @Test("does not grow with the pauses that a text asks for")
    func doesNotGrow() async throws {
        func speaking(_ text: String) -> Program {
            var program = Program(speak: "-o", "-", "--voice", "espeak/en-US", in: folder)
            program.input = Data(text.utf8)
            program.redirection = ">/dev/null"
            return program
        }
        let little = try await peak(speaking("One. [pause:1s] Two."))
        let much = try await peak(speaking("One. " + String(repeating: "[pause:60s] ", count: 80) + "Two."))
        #expect(much < little + 64 << 10, "\(much) KiB, \(little) KiB with one short pause")
    }

    @Test(
        "does not grow with a word that has no end",
        arguments: [String(repeating: "क्", count: 8_000), "a" + String(repeating: "\u{301}", count: 16_000)]
    )
    func words(_ word: String) async throws {
        func speaking(_ text: String) -> Program {
            var program = Program(speak: "-o", "out.wav", "--voice", Fixtures.voice, in: folder)
            program.input = Data(text.utf8)
            program.limit = .seconds(300)
            return program
        }
        let little = try await peak(speaking("One. Two."))
        let much = try await peak(speaking("One. \(word) two."))
        #expect(much < little + 64 << 10, "\(much) KiB, \(little) KiB with two short words")
    }

    @Test("refuses more than a day of pauses with words, and leaves nothing behind")
    func refusesMoreThan() async throws {
        let text = "One. " + String(repeating: "[pause:60s]", count: 1_441)
        let outcome = try await Program(speak: text, "-o", "out.wav", "--voice", "espeak/en-US", in: folder).run()
        #expect(outcome.status == 65 && outcome.errors.contains("24 hours"), "\(outcome.errors)")
        #expect(folder.names.isEmpty)
    }
}
