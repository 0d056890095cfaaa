import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, interrupted", .endsInTime)
struct TerminationTests {
    private static let voices = ["en-us", Fixtures.voice]
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private let folder = TemporaryFolder()

    @Test("stops at once and leaves nothing", arguments: signals, voices)
    func stops(_ signal: Int32, _ voice: String) async throws {
        try folder.write(Fixtures.text(words: 200_000), to: "text.txt")
        let program = Program(
            speak: "-f",
            "text.txt",
            "-o",
            "-",
            "--timings",
            "out.srt",
            "--voice",
            voice,
            in: folder
        )
        var descendants: [pid_t] = []
        let outcome = try await program.run { running in
            _ = await running.output.first(400_000)
            descendants = running.descendants
            #expect(folder.names.count == 2, "the timings are being written beside their place")
            running.signal(signal)
        }
        #expect(outcome.status == 130)
        #expect(outcome.errors.isEmpty)
        #expect(folder.names == ["text.txt"])
        #expect(!descendants.isEmpty, "every engine has a process of its own")
        #expect(!descendants.contains(where: isAlive))
    }

    @Test("leaves what was there before", arguments: voices)
    func keepsOld(_ voice: String) async throws {
        try folder.write("old", to: "out.wav")
        try FileManager.default.createSymbolicLink(atPath: folder("out.srt"), withDestinationPath: "/dev/stdout")
        try folder.write(Fixtures.text(words: 200_000), to: "text.txt")
        let program = Program(
            speak: "-f",
            "text.txt",
            "-o",
            "out.wav",
            "--timings",
            "out.srt",
            "--voice",
            voice,
            in: folder
        )
        let before = folder.names
        let outcome = try await program.run { running in
            _ = await running.output.until("-->")
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
        #expect(folder.names == before)
        #expect(try folder.text(of: "out.wav") == "old")
    }

    @Test("keeps what was asked to be kept, playable and with timings that fit", arguments: voices)
    func keepsPartial(_ voice: String) async throws {
        // The first sentence is one passage, so a complete one exists as soon as the file has any data.
        try folder.write("It begins with some words. \(Fixtures.text(words: 200_000))", to: "text.txt")
        var program = Program(
            speak: "-f",
            "text.txt",
            "-o",
            "out.flac",
            "--timings",
            "out.json",
            "--voice",
            voice,
            "--keep-partial",
            in: folder
        )
        program.redirection = "2>\"$TERMINAL\""
        let terminal = try Terminal()
        program.terminal = terminal
        let outcome = try await program.run { running in
            _ = await terminal.screen.until("0:0")  // it says so once the first passages are in the file
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
        #expect(folder.names == ["out.flac", "out.json", "text.txt"])
        let clip = try await SoundFileReader().read(folder("out.flac"), limit: 100_000_000)
        #expect(clip.seconds > 1)
        let table = try JSONSerialization.jsonObject(with: folder.data(of: "out.json")) as? [String: Any]
        let duration = try #require(table?["duration"] as? Double)
        #expect(duration > 0 && duration <= clip.seconds + 0.001)
        #expect(clip.seconds - duration < 20, "at most a passage of sound has no timings")
        let last = try #require((table?["sentences"] as? [[String: Any]])?.last)
        #expect(try #require(last["end"] as? Double) <= duration + 0.001)
    }

    @Test("keeps what was made before there was no room for more, where that was asked for")
    func keepsWritten() async throws {
        try folder.write(Fixtures.text(words: 2_000), to: "text.txt")
        let options = ["speak", "-f", "text.txt", "-o", "out.wav", "--timings", "out.srt"]
        for isKept in [false, true] {
            var program = Program(options + (isKept ? ["--keep-partial"] : []), in: folder)
            program.tracer = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]
            let outcome = try await program.run()
            #expect(outcome.status == 74 && outcome.errors.contains("is kept") == isKept, "\(outcome.errors)")
            #expect(folder.names == (isKept ? ["out.srt", "out.wav", "text.txt"] : ["text.txt"]))
        }
        let clip = try await SoundFileReader().read(folder("out.wav"), limit: 100_000_000)
        #expect((3...12).contains(clip.seconds), "of half a million bytes")
        #expect(try folder.text(of: "out.srt").contains("-->"))
    }

    @Test("has a caption for a sentence that was written before there was no room for the silence behind it")
    func keepsCaption() async throws {
        let text = "Good morning. Good evening."
        let options = ["speak", text, "-o", "out.wav", "--timings", "out.srt", "--keep-partial"]
        var program = Program(options + ["--sentence-pause", "60"], in: folder)
        program.tracer = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]
        let outcome = try await program.run()
        #expect(outcome.status == 74 && outcome.errors.contains("what was made so far is kept\n"), "\(outcome.errors)")
        let captions = try folder.text(of: "out.srt")
        #expect(captions.contains("Good morning.") && !captions.contains("Good evening."), "\(captions)")
    }

    @Test("has a caption for what is heard of a sentence in which there was no room for more")
    func keepsCaptionOfBeginning() async throws {
        // Half a million bytes end within one of these, each of which lasts for some ten seconds.
        let words = " roll onto the long grey sand below the old stone lighthouse"
        let sentence = "Waves" + String(repeating: words, count: 3)
        let text = String(repeating: "\(sentence). ", count: 4)
        let options = ["speak", text, "-o", "out.wav", "--timings", "out.json", "--keep-partial"]
        var program = Program(options, in: folder)
        program.tracer = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]
        let outcome = try await program.run()
        #expect(outcome.status == 74 && outcome.errors.contains("what was made so far is kept\n"), "\(outcome.errors)")
        let clip = try await SoundFileReader().read(folder("out.wav"), limit: 100_000_000)
        let table = try JSONSerialization.jsonObject(with: folder.data(of: "out.json")) as? [String: Any]
        let last = try #require((table?["sentences"] as? [[String: Any]])?.last)
        let end = try #require(last["end"] as? Double)
        #expect(end <= clip.seconds + 0.001 && end > clip.seconds - 1, "\(end) of \(clip.seconds)")
        #expect(try #require(last["text"] as? String).hasPrefix("Waves roll"), "\(last)")
    }

    @Test("says that the timings of a sound that is kept are lost, where there is no room for them")
    func losesTimings() async throws {
        try FileManager.default.createSymbolicLink(atPath: folder("out.srt"), withDestinationPath: "/dev/full")
        let options = ["speak", "Good morning.", "-o", "out.wav", "--timings", "out.srt", "--keep-partial"]
        let outcome = try await Program(options, in: folder).run()
        #expect(outcome.status == 74 && outcome.errors.contains("its timings are lost"), "\(outcome.errors)")
        #expect(try await SoundFileReader().read(folder("out.wav"), limit: 10_000_000).seconds > 0.3)
    }

    @Test("stops while it waits for standard input", arguments: [["-o", "out.wav"], ["-f", "-", "-o", "out.wav"]])
    func waitingForInput(_ arguments: [String]) async throws {
        var program = Program(["speak"] + arguments, in: folder)
        program.input = nil
        let outcome = try await program.run { running in
            await running.write(Data("Hello. ".utf8))
            try await running.untilAsleep()
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
        #expect(folder.names.isEmpty)
    }

    @Test(
        "stops while it waits for somebody at a FIFO",
        arguments: [["-f", "fifo", "-o", "out.wav"], ["Hi", "-o", "fifo", "--format", "raw"]]
            + [["Hi", "-o", "out.wav", "--timings", "fifo.srt"]]
    )
    func waitingForFIFO(_ arguments: [String]) async throws {
        for name in ["fifo", "fifo.srt"] { try makeFIFO(at: folder(name)) }
        let outcome = try await Program(["speak"] + arguments, in: folder).run { running in
            try await running.untilAsleep()
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
        #expect(folder.names == ["fifo", "fifo.srt"])
    }

    @Test("stops while nobody reads what it writes")
    func waitingForReader() async throws {
        try folder.write(Fixtures.text(words: 20_000), to: "text.txt")
        let outcome = try await Program(speak: "-f", "text.txt", "-o", "-", in: folder).run { running in
            _ = await running.output.first(1)
            try await running.untilAsleep()
            running.signal(SIGINT)
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
    }

    @Test("reports so to programs")
    func json() async throws {
        var program = Program(speak: "--json", "-o", "out.wav", in: folder)
        program.input = nil
        let outcome = try await program.run { running in
            try await running.untilAsleep()
            running.signal(SIGINT)
        }
        #expect(outcome.status == 130)
        #expect(outcome.text.contains("\"command.interrupted\""))
    }
}
