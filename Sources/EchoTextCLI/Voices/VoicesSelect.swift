import ArgumentParser
import EchoText
import Foundation

/// `echotext voices select`.
struct VoicesSelect: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Let a voice speak when none is named.",
        discussion: "Changes the voice of the chosen profile; see “echotext profiles”."
    )

    @Argument(help: "An ID or a language.")
    var voice: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Which of the voice's people, from 0.", valueName: "n"))
    var speaker = 0

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let studio = try await Studio.live()
        await studio.close()
        let found = try await studio.voice(called: voice)
        guard (0..<found.speakers).contains(speaker) else {
            throw SynthesisError.noSuchSpeaker(speaker, of: found.id, count: found.speakers)
        }
        let profile = try await library.profiles.select(found.id, speaker: speaker)
        if json { return try Answer.json(profile) }
        EchoTextCommand.say("\(found.id) speaks from now on")
    }

    static func select(_ voice: Voice) async throws {
        try await OpenedLibrary.use { library in
            _ = try await library.profiles.select(voice.id, speaker: 0)
        }
    }
}
