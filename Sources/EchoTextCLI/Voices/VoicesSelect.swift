import ArgumentParser
import EchoText
import Foundation

/// `echotext voices select`.
struct VoicesSelect: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Choose the voice that speaks when none is named.",
        discussion: "Changes the voice of the chosen profile; see “echotext profiles”."
    )

    @Argument(help: "An ID or a language.")
    var voice: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Which of the voice's people: a number from 0, or a name.", valueName: "n|name")
    )
    var speaker: VoiceSpeaker = 0

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let studio = try await Studio.live()
        await studio.close()
        let found = try await studio.voice(called: voice)
        let number = try found.number(of: speaker)
        let profile = try await library.profiles.select(found.id, speaker: number)
        if json { return try Answer.json(profile) }
        let who = ["\(found.name) (\(found.id))", found.title(ofSpeaker: number).map { "as \($0)" }]
        let words = who.compactMap(\.self).joined(separator: " ")
        EchoTextCommand.say(Answer.harmless("\(words) speaks from now on, in the profile “\(profile.name)”"))
    }

    static func select(_ voice: Voice) async throws {
        try await LibraryAccess.use { library in
            _ = try await library.profiles.select(voice.id, speaker: 0)
        }
    }
}
