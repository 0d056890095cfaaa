import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak beside a library", .endsInTime)
struct SpeakDefaultsTests {
    private static let text = "A GIF is here. It has two sentences."

    /// The speech as raw samples.
    private func heard(_ home: LibraryHome, _ options: String...) async throws -> Data {
        let outcome = try await home.program(["speak", "-o", "-", "--format", "raw"] + options + [Self.text]).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("sounds as what the library keeps: with its profile, its dictionary and its pauses")
    func defaults() async throws {
        try await LibraryHome.with { home in
            let bare = try await heard(home)
            try await home.succeed("profiles", "save", "Slow", "--voice", "en-gb", "--speed", "0.7")
            try await home.succeed("profiles", "choose", "Slow")
            try await home.succeed("settings", "set", "speech.dictionary", "GIF = jif")
            try await home.succeed("settings", "set", "speech.sentence-pause", "2")
            try await home.succeed("settings", "set", "speech.lanes", "1")
            let plain = try await heard(home)
            #expect(plain != bare)
            #expect(try await heard(home, "--save") == plain)
            #expect(try await heard(home, "--no-library") == bare)
        }
    }

    @Test("takes the dictionary and the pauses for a voice that is named, too")
    func namedVoice() async throws {
        try await LibraryHome.with { home in
            let voice = ["--voice", "en-us"]
            let bare = try await heard(home, voice[0], voice[1])
            try await home.succeed("settings", "set", "speech.sentence-pause", "2")
            let paused = try await heard(home, voice[0], voice[1])
            #expect(paused.count > bare.count)
            #expect(try await heard(home, voice[0], voice[1], "--sentence-pause", "0.3") == bare)
            try await home.succeed("settings", "set", "speech.dictionary", "GIF = jif")
            #expect(try await heard(home, voice[0], voice[1]) != paused)
        }
    }

    @Test("asks nothing and speaks without a library that is locked")
    func locked() async throws {
        try await LibraryHome.with { home in
            let bare = try await heard(home)
            try await home.succeed("settings", "set", "speech.sentence-pause", "2")
            _ = try await home.setPasscode("407192")
            try await home.succeed("vault", "lock")
            #expect(try await heard(home) == bare)
        }
    }

    @Test("refuses --no-library for what needs the library", arguments: ["--save", "--document=A", "--profile=A"])
    func contradiction(_ option: String) async throws {
        let home = try LibraryHome()
        let outcome = try await home.run("speak", "--no-library", option, "-o", "a.wav")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--no-library"))
    }
}
