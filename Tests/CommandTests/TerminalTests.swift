import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, at a terminal", .endsInTime)
struct TerminalTests {
    private let folder = TemporaryFolder()

    private func program(_ arguments: [String], _ redirection: String) throws -> (Program, Terminal) {
        let terminal = try Terminal()
        var program = Program(arguments, in: folder)
        program.redirection = redirection
        program.terminal = terminal
        return (program, terminal)
    }

    @Test("does not wait for a text to be typed that nobody was asked for")
    func noText() async throws {
        let (program, _) = try program(["speak", "-o", "out.wav"], "<\"$TERMINAL\"")
        let outcome = try await program.run()
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("with -f, or on standard input"))
    }

    @Test("shows no sound on it")
    func noSound() async throws {
        let (program, _) = try program(["speak", "Hi", "-o", "-"], ">\"$TERMINAL\"")
        let outcome = try await program.run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("terminal"))
    }

    @Test("shows how far it is, and takes that away before it says anything else")
    func progress() async throws {
        try folder.write(
            Data((Fixtures.text(words: 300) + String(repeating: " déjà-vu", count: 30)).utf8) + Data([0xFF]),
            to: "text.txt"
        )
        let (program, terminal) = try program(["speak", "-f", "text.txt", "-o", "out.wav"], "2>\"$TERMINAL\"")
        var shown = Data()
        let outcome = try await program.run { _ in
            shown = await terminal.screen.until("is shown as")
        }
        #expect(outcome.status == 0)
        let text = String(decoding: shown, as: UTF8.self)
        #expect(text.contains(" %  "))
        #expect(text.contains("about "))
        #expect(text.contains("\r\u{1B}[Kechotext: note:"))
    }

    @Test("takes the progress away before an error")
    func error() async throws {
        try folder.write(Fixtures.text(words: 50_000), to: "text.txt")
        let (program, terminal) = try program(
            ["speak", "-f", "text.txt", "-o", "-"],
            "2>\"$TERMINAL\""
        )
        var shown = Data()
        let outcome = try await program.run { running in
            shown = await terminal.screen.until("spoken")
            running.output.close()
            shown += await terminal.screen.until("hint")
        }
        #expect(outcome.status == 74)
        #expect(String(decoding: shown, as: UTF8.self).contains("\r\u{1B}[Kechotext: error:"))
    }

    @Test("without anything to do shows the help")
    func help() async throws {
        let outcome = try await Program([], in: folder).run()
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("echotext <subcommand>"))
        #expect(outcome.text.contains("speak") && outcome.text.contains("voices"))
    }

    @Test("has help that fits a terminal", arguments: [[], ["speak"], ["voices"]])
    func helps(_ command: [String]) async throws {
        let outcome = try await Program(command + ["--help"], in: folder).run()
        #expect(outcome.status == 0)
        #expect(outcome.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
