import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext practice", .endsInTime)
struct PracticeTests {
    private static let text = "The keeper sleeps. Waves come in. It is night."

    private struct Track: Decodable {
        struct Segment: Decodable {
            let segment: Int
            let repetition: Int
            let rate: Double
            let start: Double
            let duration: Double
            let pause: Double
            let text: String
        }

        let voice: String
        let seconds: Double
        let segments: [Segment]
    }

    private struct Session: Decodable {
        struct Summary: Decodable {
            let segments: Int
            let takes: Int
        }

        struct Settings: Decodable {
            let records: Bool
        }

        let id: String
        let title: String
        let settings: Settings
        let phase: String
        let isFinished: Bool
        let summary: Summary?
    }

    private struct Take: Decodable {
        let id: String
        let segment: Int
        let repetition: Int
        let rate: Double
        let text: String
        let hasSound: Bool
    }

    private func decoded<Value: Decodable>(_ outcome: Program.Outcome) throws -> Value {
        #expect(outcome.status == 0, "\(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Value.self, from: outcome.output)
    }

    @Test("plans a text with how long its segments are, and pauses as long")
    func plan() async throws {
        try await LibraryHome.with { home in
            let track: Track = try decoded(
                try await home.run(
                    "practice",
                    Self.text,
                    "--plan",
                    "--json",
                    "--factor",
                    "1.5",
                    "--voice",
                    "espeak/en-US"
                )
            )
            #expect(track.voice == "espeak/en-US")
            #expect(track.segments.map(\.text) == ["The keeper sleeps.", "Waves come in.", "It is night."])
            for segment in track.segments {
                #expect(segment.duration > 0.3 && abs(segment.pause - 1.5 * segment.duration) < 0.001)
            }
            let slow: Track = try decoded(
                try await home.run(
                    "practice",
                    Self.text,
                    "--plan",
                    "--json",
                    "--rate",
                    "0.1",
                    "--granularity",
                    "paragraph"
                )
            )
            #expect(slow.segments.count == 1 && slow.segments[0].rate == 0.1)
            #expect(slow.segments[0].duration > track.segments.reduce(0) { $0 + $1.duration })
        }
    }

    @Test("writes a track with the pauses in it", arguments: ["wav", "mp3"])
    func track(_ format: String) async throws {
        try await LibraryHome.with { home in
            let track: Track = try decoded(
                try await home.run(
                    "practice",
                    Self.text,
                    "--render",
                    "track.\(format)",
                    "--repeats",
                    "2",
                    "--loop",
                    "1-2",
                    "--json"
                )
            )
            #expect(track.segments.map(\.segment) == [1, 1, 2, 2])
            #expect(abs(track.seconds - track.segments.reduce(0) { $0 + $1.duration + $1.pause }) < 0.01)
            let size = try home.folder.data(of: "track.\(format)").count
            if format == "wav" { #expect(abs(Double(size) / 2 / 22_050 - track.seconds) < 0.05) }
            let refused = try await home.run("practice", Self.text, "--render", "track.doc")
            #expect(refused.status != 0 && refused.errors.contains("“doc”"))
            #expect(refused.errors.contains("wav, flac, mp3, opus, ogg, m4a, m4b."))
        }
    }

    @Test(
        "SP3: writes a track whose pauses last as long as each of 100 segments, to 20 ms",
        arguments: [("sentence", 1.0), ("paragraph", 1.5)]
    )
    func trackPauses(_ granularity: String, _ factor: Double) async throws {
        try await LibraryHome.with { home in
            let separator = granularity == "paragraph" ? "\n\n" : " "
            let text = (1...100).map { "Wave number \($0) came in." }.joined(separator: separator)
            let options = ["--granularity", granularity, "--factor", "\(factor)", "--voice", "espeak/en-US"]
            try home.folder.write(text, to: "waves.txt")
            let outcome = try await home.program(
                ["practice", "-f", "waves.txt", "--render", "waves.wav", "--rate", "1", "--repeats", "2", "--json"]
                    + options
            ).run()
            let track: Track = try decoded(outcome)
            let samples = try Self.samples(of: try home.folder.data(of: "waves.wav"))
            try #require(track.segments.count == 200)
            for first in stride(from: 0, to: 200, by: 2) {
                let segment = track.segments[first]
                let (start, next) = (Self.place(segment.start), Self.place(track.segments[first + 1].start))
                let length = Self.place(segment.duration)
                // The same sound starts again after an interval of silence.
                #expect(samples[start..<start + length] == samples[next..<next + length], "segment \(segment.segment)")
                #expect(samples[start..<start + length].contains { $0 != 0 })
                let pause = samples[start + length..<next]
                #expect(
                    pause.allSatisfy { $0 == 0 } && abs(Double(pause.count) - factor * Double(length)) / 22_050 < 0.02
                )
            }
        }
    }

    private static func place(_ seconds: Double) -> Int { Int((seconds * 22_050).rounded()) }

    /// The samples of a WAV file with 16 bits in one channel.
    private static func samples(of file: Data) throws -> [Int16] {
        let head = try #require(file.range(of: Data("data".utf8)))
        return [UInt8](file[(head.upperBound + 4)...]).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    @Test(
        "writes an audiobook with a chapter for each segment",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe"), "FFmpeg is not installed")
    )
    func audiobook() async throws {
        try await LibraryHome.with { home in
            let track: Track = try decoded(
                try await home.run("practice", Self.text, "--render", "track.m4b", "--repeats", "2", "--json")
            )
            let probe = Process()
            let output = Pipe()
            probe.executableURL = URL(filePath: "/usr/bin/ffprobe")
            probe.arguments = [
                "-v", "error", "-of", "csv=p=0", "-show_entries", "chapter=start_time:chapter_tags=title",
                home.folder("track.m4b"),
            ]
            probe.standardOutput = output
            try probe.run()
            let shown = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            probe.waitUntilExit()
            let chapters = shown.split(separator: "\n").map { $0.split(separator: ",", maxSplits: 1).map(String.init) }
            let firsts = track.segments.filter { $0.repetition == 1 }
            #expect(chapters.map(\.last) == firsts.map(\.text))
            for (chapter, segment) in zip(chapters, firsts) {
                #expect(abs((Double(chapter[0]) ?? -1) - segment.start) < 0.01)
            }
        }
    }

    @Test(
        "refuses what cannot be",
        arguments: [
            ["A.", "--plan", "--render", "a.wav"], ["A.", "--speech", "B"], ["A.", "--from", "0"],
            ["A.", "--loop", "5-2"],
            ["A.", "--plan", "--record"], ["A.", "--order", "backwards"], ["A.", "--continue", "1234"],
            ["A.", "--discard"],
            ["A.", "--pages", "3"],
        ]
    )
    func refuses(_ arguments: [String]) async throws {
        let home = try LibraryHome()
        #expect(try await home.program(["practice"] + arguments).run().status == 64)
    }

    @Test("SP2: refuses rates out of range, texts without words, unknown speakers, and languages that no voice speaks")
    func invalid() async throws {
        try await LibraryHome.with { home in
            for (arguments, words) in [
                (["A.", "--rate", "1.1"], "0.1 to 1"), (["A.", "--factor", "4"], "0.5 to 3"), (["* * *"], "nothing"),
                (["A.", "--language", "vot", "--plan"], "vot"), (["--hard"], "due"),
                (["A.", "--voice", "espeak/en-US", "--speaker", "Anna", "--plan"], "no speaker called “Anna”"),
            ] {
                let outcome = try await home.program(["practice"] + arguments).run()
                #expect(outcome.status != 0 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            }
        }
    }

    @Test(
        "SP3: plays a text in one stream, as its track has it, and keeps the session",
        .enabled(if: SoundCard.isThere, "needs the package libasound2")
    )
    func session() async throws {
        try await LibraryHome.with { home in
            let arguments = ["practice", Self.text, "--factor", "0.5", "--rate", "1", "--json"]
            var program = home.program(arguments)
            program.environment["ALSA_CONFIG_PATH"] = try SoundCard.configuration(in: home.folder)
            let outcome = try await program.run()
            let session: Session = try decoded(outcome)
            #expect(session.isFinished && session.summary?.segments == 3)
            #expect(outcome.errors.contains("2  Waves come in."))
            // The card forgets what it was sent when it is opened again.
            let played = [UInt8](try home.folder.data(of: "heard"))
            #expect(played.count > 10_000)
            // Samples of espeak-ng depend on what it has spoken before, which is the same in both.
            let written: Track = try decoded(try await home.program(arguments + ["--render", "track.wav"]).run())
            #expect(written.segments.count == 3)
            let track = try Self.samples(of: try home.folder.data(of: "track.wav"))
            let isAsOnTrack = played.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } == track
            #expect(isAsOnTrack, "\(played.count / 2) samples of \(track.count)")
            let history: [Session] = try decoded(try await home.run("practice", "history", "--json"))
            #expect(history.allSatisfy { $0.isFinished == ($0.phase == "finished") }, "\(history)")
            #expect(history.map(\.id) == [session.id])
            #expect(try await home.run("practice", "delete", session.id, "--yes").status == 0)
            let rest: [Session] = try decoded(try await home.run("practice", "history", "--json"))
            #expect(rest.isEmpty)
        }
    }

    @Test("records and scores a turn", .enabled(if: SoundCard.isThere, "needs the package libasound2"))
    func take() async throws {
        try await LibraryHome.with { home in
            let tone = (0..<320_000).map { Int16(8_000 * sin(Double($0) / 20)) }
            try home.folder.write(tone.withUnsafeBytes { Data($0) }, to: "microphone")
            var program = home.program(["practice", "The keeper sleeps.", "--record", "--factor", "0.5", "--json"])
            program.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: "microphone")
            let outcome = try await program.run()
            let session: Session = try decoded(outcome)
            #expect(session.isFinished && session.summary?.takes == 1)
            #expect(outcome.errors.contains("1: "), "\(outcome.errors)")
            // There is no terminal on which a mark could stand.
            let mark = "1  The keeper sleeps.\nechotext: ● recording\nechotext: the recording has ended\n"
            #expect(outcome.errors.contains(mark), "\(outcome.errors)")
            program.arguments.removeLast()
            let shown = try await program.run()
            #expect(shown.status == 0 && shown.text.contains("Takes     1"), "\(shown.text) \(shown.errors)")
        }
    }

    @Test("gives back what was recorded", .enabled(if: SoundCard.isThere, "needs the package libasound2"))
    func takes() async throws {
        try await LibraryHome.with { home in
            let tone = (0..<320_000).map { Int16(8_000 * sin(Double($0) / 20)) }
            try home.folder.write(tone.withUnsafeBytes { Data($0) }, to: "microphone")
            var program = home.program(
                [
                    "practice", "The keeper sleeps.", "--record", "--rate", "0.9", "--factor", "2", "--repeats", "2",
                    "--json",
                ]
            )
            program.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: "microphone")
            let session: Session = try decoded(try await program.run())
            let takes: [Take] = try decoded(try await home.run("practice", "takes", session.id, "--json"))
            #expect(Set(takes.map(\.repetition)) == [1, 2])
            #expect(takes.allSatisfy { $0.segment == 1 && $0.rate == 0.9 && $0.text == "The keeper sleeps." })
            let listed = try await home.succeed("practice", "takes", session.id)
            #expect(listed.contains("The keeper sleeps."), "\(listed)")

            let id = try #require(takes.first).id
            try await home.succeed("practice", "listen", String(id.prefix(8)), "-o", "mine.wav")
            let samples = try Self.samples(of: try home.folder.data(of: "mine.wav"))
            #expect(samples.count > 1_000 && samples.contains { $0 != 0 })
            var listen = home.program(["practice", "listen", id, "--model"])
            listen.environment["ALSA_CONFIG_PATH"] = try SoundCard.configuration(in: home.folder)
            let outcome = try await listen.run()
            #expect(outcome.status == 0 && outcome.text.hasPrefix("1  The keeper sleeps.\n"), "\(outcome.errors)")
            #expect(try home.folder.data(of: "heard").count > samples.count)
            #expect(try await home.run("practice", "listen", "none").status == 66)
            #expect(try await home.run("practice", "delete-take", id).status != 0, "nobody can be asked")
            try await home.succeed("practice", "delete-take", id, "--yes")
            let left: [Take] = try decoded(try await home.run("practice", "takes", session.id, "--json"))
            #expect(left.map(\.id) == takes.map(\.id).filter { $0 != id })
            let history: [Session] = try decoded(try await home.run("practice", "history", "--json"))
            #expect(history.first?.summary?.takes == takes.count - 1)
            #expect(try await home.run("practice", "listen", id, "--model", "-o", "both.wav").status == 64)
        }
    }

    @Test(
        "plays the voice and then the take at the keyboard, and both at once",
        .enabled(if: SoundCard.isThere, "needs the package libasound2")
    )
    func compared() async throws {
        try await LibraryHome.with { home in
            let tone = (0..<320_000).map { Int16(8_000 * sin(Double($0) / 20)) }
            try home.folder.write(tone.withUnsafeBytes { Data($0) }, to: "microphone")
            let terminal = try Terminal()
            var program = home.program(["practice", Fixtures.text(words: 900), "--record", "--factor", "0.5"])
            program.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: "microphone")
            program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
            program.terminal = terminal
            let outcome = try await program.run { _ in
                _ = await terminal.screen.until("2  ")
                await terminal.screen.write(Data("b".utf8))
                let screen = String(decoding: await terminal.screen.until(": you"), as: UTF8.self)
                #expect(screen.contains(": the voice") && screen.contains(": you"), "\(screen)")
                await terminal.screen.write(Data("a".utf8))
                let both = String(decoding: await terminal.screen.until("you at once"), as: UTF8.self)
                #expect(both.contains(": the voice and you at once"), "\(both)")
                await terminal.screen.write(Data("q".utf8))
            }
            #expect(outcome.status == 0)
        }
    }

    @Test(
        "leaves a session that rests, is not recorded unasked and can be continued, when it is killed while it records",
        .enabled(if: SoundCard.isThere, "needs the package libasound2")
    )
    func killed() async throws {
        try await LibraryHome.with { home in
            let tone = (0..<320_000).map { Int16(8_000 * sin(Double($0) / 20)) }
            try home.folder.write(tone.withUnsafeBytes { Data($0) }, to: "microphone")
            let terminal = try Terminal()
            var program = home.program(["practice", Self.text, "--record", "--rate", "0.1", "--factor", "3"])
            program.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: "microphone")
            program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
            program.terminal = terminal
            let outcome = try await program.run { running in
                _ = await terminal.screen.until("● recording")
                running.signal(SIGKILL)
            }
            #expect(outcome.status == 128 + SIGKILL)
            let history: [Session] = try decoded(try await home.run("practice", "history", "--json"))
            let left = try #require(history.first)
            #expect(history.count == 1 && left.phase == "idle" && !left.isFinished && !left.settings.records)
            let id = String(left.id.prefix(8))
            let rest = home.program(["practice", "--continue", id, "--rate", "1", "--echo", "off", "--json"])
            let session: Session = try decoded(try await rest.run())
            #expect(session.id == left.id && session.isFinished && session.summary?.segments == 3)
        }
    }

    @Test("marks a segment as hard and goes to a segment by its number, at the keyboard")
    func keys() async throws {
        try await LibraryHome.with { home in
            let terminal = try Terminal()
            var program = home.program(["practice", Self.text, "--rate", "0.1", "--factor", "3"])
            program.environment["PULSE_SERVER"] = "unix:/nowhere"
            program.environment["ALSA_CONFIG_PATH"] = "/dev/null"
            program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
            program.terminal = terminal
            let outcome = try await program.run { _ in
                _ = await terminal.screen.until("1  The keeper sleeps.")
                for (typed, shown) in [
                    (" ", "⏸"), ("h", "part 1 is marked as hard"), ("h", "part 1 is no longer marked as hard"),
                    ("h", "part 1 is marked as hard"), ("99\r", "there is no part 99"),
                    ("3\r", "3  It is night."),
                ] {
                    await terminal.screen.write(Data(typed.utf8))
                    _ = await terminal.screen.until(shown)
                }
                await terminal.screen.write(Data("q".utf8))
            }
            #expect(outcome.status == 0)
            let hard = try await home.succeed("practice", "hard")
            #expect(hard.contains("The keeper sleeps.") && !hard.contains("Waves come in."), "\(hard)")

            let history: [Session] = try decoded(try await home.run("practice", "history", "--json"))
            let session = try #require(history.first).id
            try await home.succeed("practice", "mark", session, "2")
            #expect(try await home.succeed("practice", "hard").contains("Waves come in."))
            try await home.succeed("practice", "mark", session, "1", "--remove")
            #expect(try await !home.succeed("practice", "hard").contains("The keeper sleeps."))
            #expect(try await home.run("practice", "mark", session, "99").status != 0)
            #expect(try await home.run("practice", "mark", "none", "1").status == 66)
        }
    }

    @Test("answers about marks, takes and deletions with JSON")
    func answers() async throws {
        struct Marked: Decodable {
            let session: String
            let segment: Int
            let isHard: Bool
        }
        struct Hard: Decodable {
            let text: String
            let isDue: Bool
        }
        struct Deleted: Decodable { let deleted: String }
        try await LibraryHome.with { home in
            var program = home.program(["practice", "Yes. No.", "--echo", "off", "--rate", "1", "--json"])
            program.environment["PULSE_SERVER"] = "unix:/nowhere"
            program.environment["ALSA_CONFIG_PATH"] = "/dev/null"
            let session: Session = try decoded(try await program.run())
            let marked: Marked = try decoded(try await home.run("practice", "mark", session.id, "2", "--json"))
            #expect(marked.session == session.id && marked.segment == 2 && marked.isHard)
            let hard: [Hard] = try decoded(try await home.run("practice", "hard", "--json"))
            #expect(hard.map(\.text) == ["No."] && hard.map(\.isDue) == [false])
            let takes: [Take] = try decoded(try await home.run("practice", "takes", session.id, "--json"))
            #expect(takes.isEmpty)
            let deleted: Deleted = try decoded(
                try await home.run("practice", "delete", session.id, "--yes", "--json")
            )
            #expect(deleted.deleted == session.id)
        }
    }

    @Test("moves, reads again and changes the rate at the keyboard, and is continued where it was left")
    func moves() async throws {
        try await LibraryHome.with { home in
            let terminal = try Terminal()
            var program = home.program(["practice", Self.text, "--rate", "0.1", "--factor", "3"])
            program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
            program.terminal = terminal
            let outcome = try await program.run { _ in
                _ = await terminal.screen.until("1  The keeper sleeps.")
                for (typed, shown) in [
                    (" ", "⏸"), ("n", "2  Waves come in."), ("\u{1B}[C", "3  It is night."),
                    ("\u{1B}[D", "2  Waves come in."), ("p", "1  The keeper sleeps."), ("r", "1  The keeper sleeps."),
                    ("+", "the rate is 0.15"),
                    ("-", "the rate is 0.10"), ("n", "2  Waves come in."),
                    ("q", "continue with “echotext practice --continue "),
                ] {
                    await terminal.screen.write(Data(typed.utf8))
                    _ = await terminal.screen.until(shown)
                }
            }
            #expect(outcome.status == 0)
            let history: [Session] = try decoded(try await home.run("practice", "history", "--json"))
            let left = try #require(history.first)
            #expect(history.count == 1 && !left.isFinished && left.phase == "paused")
            let continued = try await home.run(
                "practice",
                "--continue",
                String(left.id.prefix(8)),
                "--rate",
                "1",
                "--echo",
                "off",
                "--json"
            )
            let session: Session = try decoded(continued)
            #expect(session.id == left.id && session.isFinished)
            #expect(continued.errors.contains("2  Waves come in.") && continued.errors.contains("3  It is night."))
            #expect(!continued.errors.contains("1  The keeper sleeps."), "\(continued.errors)")
        }
    }

    @Test("plans recordings, texts of the history, and pages and chapters of documents")
    func sources() async throws {
        try await LibraryHome.with { home in
            try await home.succeed("speak", "The lamp turns. Dawn comes.", "--save", "--name", "Tale")
            try home.folder.write("# One\n\nFirst text.\n\n# Two\n\nSecond text.\n", to: "book.txt")
            let pages = ["The keeper sleeps.", "Waves come in."].map { [SamplePDF.Line(text: $0, x: 54, y: 700)] }
            try home.folder.write(SamplePDF(pages: pages).bytes, to: "paper.pdf")
            try await home.succeed("import", "book.txt", "paper.pdf")
            let history = try JSONSerialization.jsonObject(with: try await home.run("history", "list", "--json").output)
            let entries = try #require((history as? [String: Any])?["entries"] as? [[String: Any]])
            let entry = try #require(entries.first?["id"] as? Int)
            for (source, said, unsaid) in [
                (["--recording", "Tale"], "The lamp turns. Dawn comes.", "text"),
                (["--history", "\(entry)"], "The lamp turns. Dawn comes.", "text"),
                (["--document", "book", "--chapters", "2"], "Second text.", "First"),
                (["--document", "paper", "--pages", "2"], "Waves come in.", "keeper"),
            ] {
                let track: Track = try decoded(try await home.program(["practice", "--plan", "--json"] + source).run())
                let text = track.segments.map(\.text).joined(separator: " ")
                #expect(text.contains(said) && !text.contains(unsaid), "\(source): \(text)")
            }
            let noise = [Int16](repeating: 9, count: 16_000)
            try home.folder.write(WAVHeader.file(of: noise, sampleRate: 16_000), to: "a.wav")
            try await home.succeed("recordings", "import", "a.wav", "--name", "Talk")
            let unwritten = try await home.run("practice", "--recording", "Talk", "--plan")
            #expect(unwritten.status == 65 && unwritten.errors.contains("echotext transcribe"), "\(unwritten.errors)")
        }
    }

    @Test("begins where it is asked to, listens to everything first, leaves pauses out, and grows faster")
    func orders() async throws {
        try await LibraryHome.with { home in
            let options = ["--rate", "1", "--factor", "0.5"]
            let later = try await home.program(["practice", Self.text, "--from", "3", "--json"] + options).run()
            let session: Session = try decoded(later)
            #expect(session.isFinished && session.summary?.segments == 1)
            #expect(later.errors.contains("3  It is night.") && !later.errors.contains("2  Waves"), "\(later.errors)")

            let twice = try await home.program(["practice", "Yes. No.", "--order", "listen-first"] + options).run()
            #expect(twice.status == 0)
            let shown = twice.errors.split(separator: "\n").filter { $0.hasSuffix("Yes.") || $0.hasSuffix("No.") }
            #expect(shown == ["1  Yes.", "2  No.", "1  Yes.", "2  No."])

            func plan(_ options: String...) async throws -> Track {
                let arguments = ["practice", Self.text, "--plan", "--json", "--factor", "3", "--loop", "1"]
                return try decoded(try await home.program(arguments + options).run())
            }
            let alternating = try await plan("--order", "listen-and-repeat", "--rate", "0.5")
            let together = try await plan("--order", "together", "--rate", "0.5")
            #expect(together.segments.map(\.text) == alternating.segments.map(\.text))
            #expect(together.seconds < alternating.seconds)
            let faster = try await plan("--order", "together", "--rate", "0.5", "--repeats", "2", "--faster")
            #expect(faster.segments.map(\.rate) == [0.5, 0.55])
        }
    }

    @Test(
        "throws a take away once it is scored, if asked",
        .enabled(if: SoundCard.isThere, "needs the package libasound2")
    )
    func discarded() async throws {
        try await LibraryHome.with { home in
            let tone = (0..<320_000).map { Int16(8_000 * sin(Double($0) / 20)) }
            try home.folder.write(tone.withUnsafeBytes { Data($0) }, to: "microphone")
            var program = home.program(
                ["practice", "The keeper sleeps.", "--record", "--discard", "--rate", "0.9", "--factor", "2", "--json"]
            )
            program.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: "microphone")
            let session: Session = try decoded(try await program.run())
            let takes: [Take] = try decoded(try await home.run("practice", "takes", session.id, "--json"))
            #expect(takes.map(\.hasSound) == [false])
            let refused = try await home.program(["practice", "listen", try #require(takes.first).id]).run()
            #expect(refused.status == 66, "\(refused.errors)")
        }
    }

    @Test("continues without a loudspeaker, and says so")
    func silent() async throws {
        try await LibraryHome.with { home in
            var program = home.program(["practice", "Yes. No.", "--echo", "off", "--rate", "1"])
            program.environment["PULSE_SERVER"] = "unix:/nowhere"
            program.environment["ALSA_CONFIG_PATH"] = "/dev/null"
            let outcome = try await program.run()
            #expect(outcome.status == 0 && outcome.errors.contains("no loudspeaker"), "\(outcome.errors)")
            #expect(outcome.errors.contains("1  Yes.") && outcome.errors.contains("2  No."))
            // How long it took depends on the machine.
            let summary = #/Segments  2\nTakes     0\nTime      \d+:[0-5]\d\b/#
            #expect(outcome.text.prefixMatch(of: summary) != nil, "\(outcome.text)")
            program.arguments.append("--hide-text")
            let hidden = try await program.run()
            #expect(hidden.status == 0 && hidden.errors.contains("1  …") && !hidden.errors.contains("Yes."))
        }
    }
}
