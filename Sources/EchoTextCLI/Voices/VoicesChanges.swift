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
        let found = try studio.voice(called: voice)
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

/// `echotext voices remove`.
struct VoicesRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete an installed voice.",
        discussion: "Recordings that were made with it stay. espeak-ng's voices cannot be deleted."
    )

    @Argument(help: "Its ID.")
    var voice: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await remove() }
    }

    private func remove() async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try studio.installedID(called: voice)
        guard Voice.Engine(of: id) != .espeakNG else { throw VoiceInstallError.builtIn(id) }
        try await confirmation.confirm("Delete the voice “\(id)”?")
        try await studio.installer.remove(id)
        let wasSelected = try await ReachableLibrary.use { library in
            _ = try await library.voices.update(id) { $0.installation = nil }
            return try await library.profiles.chosen().profile.voice == id
        }
        if wasSelected == true {
            EchoTextCommand.say(
                "it was the chosen voice; \(VoiceProfile.standard.voice) speaks until you select another"
            )
        }
        if answer.json { try Answer.json(["removed": id.rawValue]) }
    }
}
