import EchoTextTesting
import Foundation
import Testing

@Suite("echotext play", .endsInTime, .enabled(if: SoundCard.isThere, "needs the package libasound2"))
struct PlayTests {
    /// A library of recordings with one sentence each.
    private func home(_ names: String...) async throws -> LibraryHome {
        let home = try LibraryHome()
        for name in names {
            try await home.succeed("speak", "This is \(name), which lasts a while.", "--save", "--name", name)
        }
        return home
    }

    private func play(_ arguments: String..., in home: LibraryHome) throws -> Program {
        var program = home.program(["play"] + arguments)
        program.environment["ALSA_CONFIG_PATH"] = try SoundCard.configuration(in: home.folder)
        return program
    }

    /// The sound of a recording, without the file's header.
    private func sound(of name: String, in home: LibraryHome) async throws -> Data {
        try await home.succeed("library", "export", name, "-o", "\(name).wav")
        let wav = try home.folder.data(of: "\(name).wav")
        let chunk = try #require(wav.range(of: Data("data".utf8)))
        return wav[(chunk.upperBound + 4)...]
    }

    @Test("plays recordings one after another, sample by sample")
    func recordings() async throws {
        let home = try await home("First", "Second")
        let outcome = try await play("Second", "First", in: home).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let played = try home.folder.data(of: "heard")
        let (first, second) = (try await sound(of: "First", in: home), try await sound(of: "Second", in: home))
        let (place, other) = (played.range(of: second)?.lowerBound, played.range(of: first)?.lowerBound)
        #expect(try #require(place) < (try #require(other)))
    }

    private struct Summary: Decodable {
        struct Played: Decodable {
            let name: String
            let from: Double
            let to: Double
        }

        struct PassedOver: Decodable {
            let code: String
        }

        let played: [Played]
        let passedOver: [PassedOver]
    }

    @Test("answers programs with what was heard and what was passed over")
    func summary() async throws {
        let home = try await home("First")
        let damaged = try #require(home.blobs.first)
        try await home.succeed("speak", "This is Second.", "--save", "--name", "Second")
        try FileManager.default.removeItem(atPath: damaged)
        let outcome = try await play("First", "Second", "--from", "0:00.5", "--json", in: home).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: outcome.output)
        #expect(summary.played.map(\.name) == ["Second"])
        let played = try #require(summary.played.first)
        #expect(played.to > played.from)
        #expect(summary.passedOver.map(\.code) == ["vault.content-missing"])
    }

    @Test("begins at the given place, and plays the queue")
    func queue() async throws {
        let home = try await home("First")
        #expect(try await play("--queue", in: home).run().status == 66, "there is none")
        #expect(try await play("--continue", in: home).run().status == 66)
        try await home.succeed("queue", "add", "First")
        let whole = try await play("--queue", in: home).run()
        #expect(whole.status == 0, "\(whole.errors)")
        let all = try home.folder.data(of: "heard").count
        #expect(try await play("First", "--from", "0:01", in: home).run().status == 0)
        let rest = try home.folder.data(of: "heard").count
        #expect(rest > 0)
        #expect(rest < all)
    }

    @Test(
        "FR20: begins with the recording that is listed first, or plays a sorted or filtered list, and leaves the queue"
    )
    func lists() async throws {
        let home = try await home("Bravo", "Alpha")
        #expect(try await heard("--json", in: home) == ["Alpha", "Bravo"], "newest first")
        try await home.succeed("library", "favorite", "Bravo")
        #expect(try await heard("--sort", "name", "--json", in: home) == ["Alpha", "Bravo"])
        #expect(try await heard("--sort", "name", "--reverse", "--json", in: home) == ["Bravo", "Alpha"])
        #expect(try await heard("--favorites", "--narrated-speed", "1", "--json", in: home) == ["Bravo"])
        #expect(try await play("--narrated-speed", "0.5", in: home).run().status == 66, "none is listed")
        #expect(try await home.succeed("queue", "list", "--json") == "[\n\n]\n")
    }

    private func heard(_ arguments: String..., in home: LibraryHome) async throws -> [String] {
        var program = home.program(["play"] + arguments)
        program.environment["ALSA_CONFIG_PATH"] = try SoundCard.configuration(in: home.folder)
        let outcome = try await program.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Summary.self, from: outcome.output).played.map(\.name)
    }

    @Test(
        "refuses what cannot be",
        arguments: [
            ["A", "--queue"], ["A", "--favorites"], ["--queue", "--sort", "name"], ["A", "--speed", "9"],
            ["A", "--from", "1:75"], ["--since", "2026-01-02", "--until", "2026-01-01"],
        ]
    )
    func refuses(_ arguments: [String]) async throws {
        let home = try LibraryHome()
        #expect(try await home.program(["play"] + arguments).run().status == 64)
    }

    @Test("passes over a damaged recording and plays the next")
    func damaged() async throws {
        let home = try await home("First")
        let damaged = try #require(home.blobs.first)
        try await home.succeed("speak", "This is Second.", "--save", "--name", "Second")
        try FileManager.default.removeItem(atPath: damaged)
        let outcome = try await play("First", "Second", in: home).run()
        #expect(outcome.errors.contains("is skipped: its sound is missing"), "\(outcome.errors)")
        let second = try await sound(of: "Second", in: home)
        #expect(try home.folder.data(of: "heard").range(of: second) != nil)
    }

    // MARK: At a terminal

    /// A library with a long recording; each test gets a copy.
    private static let long: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        try home.folder.write(Fixtures.text(words: 2_000), to: "text.txt")
        try await home.succeed("speak", "-f", "text.txt", "--save", "--name", "Long")
        return home
    }

    /// Plays something long at a terminal, pauses it, and does `body` then.
    ///
    /// - Returns: How it ended, and the terminal's modes before, in between and after.
    private func paused(
        _ body: @escaping (RunningProgram, Terminal) async throws -> Void
    ) async throws -> (status: Int32, modes: [tcflag_t]) {
        let home = try LibraryHome()
        try await home.copy(try await Self.long.value)
        let terminal = try Terminal()
        let line = try TerminalLine(terminal)
        var program = try play("Long", in: home)
        program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
        program.terminal = terminal
        var modes = [try line.modes]
        let outcome = try await program.run { running in
            _ = await terminal.screen.until("▶")
            await terminal.screen.write(Data(" ".utf8))
            _ = await terminal.screen.until("⏸")
            modes.append(try line.modes)
            try await body(running, terminal)
            _ = await running.ending.value
            modes.append(try line.modes)
        }
        return (outcome.status, modes)
    }

    @Test("obeys keys, shows none, and puts the terminal back at its end")
    func keys() async throws {
        let (status, modes) = try await paused { _, terminal in
            await terminal.screen.write(Data("+".utf8))
            _ = await terminal.screen.until("×1.10")
            await terminal.screen.write(Data("--".utf8))
            _ = await terminal.screen.until("×0.90")
            await terminal.screen.write(Data("q".utf8))
        }
        #expect(status == 0)
        #expect(modes == [modes[0], modes[0] & ~tcflag_t(ICANON | ECHO | ISIG), modes[0]])
    }

    @Test(
        "puts the terminal back when a signal ends it",
        arguments: [(SIGINT, 130), (SIGTERM, 130), (SIGHUP, 130), (SIGSEGV, 139), (SIGABRT, 134)] as [(Int32, Int32)]
    )
    func signals(_ signal: Int32, _ expected: Int32) async throws {
        let (status, modes) = try await paused { running, _ in running.signal(signal) }
        #expect(status == expected)
        #expect(modes == [modes[0], modes[0] & ~tcflag_t(ICANON | ECHO | ISIG), modes[0]])
    }
}
