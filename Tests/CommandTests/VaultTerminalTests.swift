import EchoTextTesting
import Foundation
import Testing

@Suite("echotext vault, at a terminal", .endsInTime)
struct VaultTerminalTests {
    /// Runs a command at a terminal.
    ///
    /// - Parameters:
    ///   - arguments: The command.
    ///   - home: Its library.
    ///   - answers: The answers to type after these words on the screen, in order; `nil` types the shown recovery code.
    /// - Returns: The outcome, and everything shown on the screen.
    /// - Throws: What ``Program/run(_:)`` throws.
    private func type(
        _ arguments: [String],
        in home: LibraryHome,
        _ answers: [(question: String, answer: String?)]
    ) async throws -> (status: Int32, screen: String) {
        let terminal = try Terminal()
        var program = home.program(arguments)
        program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
        program.terminal = terminal
        var screen = Data()
        let outcome = try await program.run { _ in
            for (question, answer) in answers {
                let shown = await terminal.screen.until(question)
                screen += shown
                let typed = answer ?? String(decoding: shown, as: UTF8.self).recoveryCode ?? "none was shown"
                await terminal.screen.write(Data("\(typed)\n".utf8))
            }
            screen += await terminal.screen.rest()
        }
        return (outcome.status, String(decoding: screen, as: UTF8.self))
    }

    @Test("asks for a passcode unseen and twice, shows the code once and has it typed back")
    func sets() async throws {
        try await LibraryHome.with { home in
            try await home.copyRecording()
            let differing = try await type(
                ["vault", "passcode", "set"],
                in: home,
                [("New passcode: ", "4071"), ("Repeat it: ", "4072")]
            )
            #expect(differing.status == 64)
            #expect(differing.screen.contains("not the same"))

            let unconfirmed = try await type(
                ["vault", "passcode", "set"],
                in: home,
                [("New passcode: ", "4071"), ("Repeat it: ", "4071"), ("Type it back: ", "nonsense")]
            )
            #expect(unconfirmed.status == 64)
            #expect(try await home.names() == ["A"], "nothing has changed")

            let set = try await type(
                ["vault", "passcode", "set"],
                in: home,
                [("New passcode: ", "4071"), ("Repeat it: ", "4071"), ("Type it back: ", nil)]
            )
            #expect(set.status == 0, "\(set.screen)")
            #expect(!set.screen.contains("4071"), "what is typed is not shown")
            #expect(set.screen.contains("4 to 6 digits"))
            let code = try #require(set.screen.recoveryCode)
            #expect(unconfirmed.screen.recoveryCode != code, "each time another one")

            let wrong = try await type(["vault", "unlock"], in: home, [("Passcode: ", "4072")])
            #expect(wrong.status == 77)
            #expect(wrong.screen.contains("3 more tries"))
            let right = try await type(["vault", "unlock"], in: home, [("Passcode: ", "4071")])
            #expect(right.status == 0)
            #expect(!(wrong.screen + right.screen).contains("407"))
            #expect(try await home.names() == ["A"])

            let recovered = try await type(
                ["vault", "recover"],
                in: home,
                [("Recovery code: ", code), ("nothing for none: ", "")]
            )
            #expect(recovered.status == 0, "\(recovered.screen)")
            #expect(!recovered.screen.contains(code))
            #expect(try await home.status()["protection"] as? String == "device")
            let sockets = try FileManager.default.contentsOfDirectory(atPath: home.folder("runtime/echotext"))
            #expect(!sockets.contains { $0.hasSuffix(".socket") }, "no process keeps what was unlocked before")
        }
    }

    @Test("shows again what is typed when a question is interrupted", arguments: [SIGINT, SIGTERM, SIGHUP], [1, 2])
    func interrupted(_ signal: Int32, _ times: Int) async throws {
        try await LibraryHome.with { home in
            try await home.succeed("settings", "set", "playback.step", "30")
            let terminal = try Terminal()
            let line = try TerminalLine(terminal)
            let before = try line.modes
            var program = home.program(["vault", "passcode", "set"])
            program.redirection = "<\"$TERMINAL\" 2>\"$TERMINAL\""
            program.terminal = terminal
            var asked: tcflag_t?
            var after: tcflag_t?
            let outcome = try await program.run { running in
                _ = await terminal.screen.until("New passcode: ")
                asked = try line.modes
                for _ in 0..<times { running.signal(signal) }
                _ = await running.ending.value
                after = try line.modes
            }
            #expect(outcome.status == 130)
            #expect(asked == before & ~tcflag_t(ECHO))
            #expect(after == before)
            #expect(try await home.status()["protection"] as? String == "device")
        }
    }

    @Test("erases everything only for the words typed whole")
    func erases() async throws {
        let home = try LibraryHome()
        try await home.copyRecording()
        try await home.succeed("speeches", "add", "Dear friends.", "--title", "Toast", "--language", "en-GB")
        let refused = try await type(["erase-all"], in: home, [("erase everything”: ", "yes")])
        #expect(refused.status == 1)
        #expect(refused.screen.contains("1 recording, 0 documents and 1 speech will be gone"), "\(refused.screen)")
        #expect(try await home.names() == ["A"])
        let done = try await type(["erase-all"], in: home, [("erase everything”: ", "erase everything")])
        #expect(done.status == 0, "\(done.screen)")
        #expect(try await home.status()["state"] as? String == "uninitialised")
    }
}
