import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, played", .endsInTime)
struct PlaybackTests {
    private let folder = TemporaryFolder()

    @Test("says so where nothing can play", arguments: [["Hi"], ["Hi", "--play", "-o", "out.wav"]])
    func noOutput(_ arguments: [String]) async throws {
        let outcome = try await Program(["speak"] + arguments, in: folder).run()
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("no sound output"))
        #expect(outcome.errors.contains("-o"))
        #expect(folder.names.isEmpty)
    }

    /// A sound card that writes its output to a file.
    private func withCard(_ arguments: String...) throws -> Program {
        var program = Program(["speak"] + arguments, in: folder)
        program.environment["ALSA_CONFIG_PATH"] = try SoundCard.configuration(in: folder)
        return program
    }

    @Test(
        "arrives at the sound card, sample by sample",
        .enabled(if: SoundCard.isThere, "needs the package libasound2")
    )
    func played() async throws {
        let outcome = try await withCard("Hello, world.", "--play", "-o", "out.raw").run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let written = try folder.data(of: "out.raw")
        #expect(!written.isEmpty)
        #expect(try folder.data(of: "heard").starts(with: written))
    }

    @Test("needs no file", .enabled(if: SoundCard.isThere, "needs the package libasound2"))
    func onlyPlayed() async throws {
        #expect(try await withCard("Hello, world.").run().status == 0)
        #expect(folder.names == ["asound.conf", "heard"])
        #expect(try folder.data(of: "heard").contains { $0 != 0 })
    }

    @Test("leaves no file when the file fails", .enabled(if: SoundCard.isThere, "needs the package libasound2"))
    func fileFails() async throws {
        let outcome = try await withCard("Hello.", "--play", "-o", "/dev/full", "--format", "raw", "--timings", "a.srt")
            .run()
        #expect(outcome.status == 74)
        #expect(!folder.names.contains("a.srt"))
        #expect(!folder.names.contains { $0.hasSuffix(".partial") })
    }
}
