import ArgumentParser
import EchoText

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
        let id = try await studio.installedID(called: voice)
        guard Voice.Engine(of: id) != .espeakNG else { throw VoiceInstallError.builtIn(id) }
        try await confirmation.confirm("Delete the voice “\(id)”?")
        try await studio.installer.remove(id)
        let wasSelected = try await OptionalLibrary.use { library in
            try await library.voices.note(.went(id))
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
