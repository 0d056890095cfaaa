import ArgumentParser
import EchoText

/// `echotext voices retry`.
struct VoicesRetry: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Let a voice speak again that was set aside.",
        discussion: """
            A voice is set aside when its engine stopped over it again and again. A page that is open has a button of its \
            own for this.
            """
    )

    @Argument(help: "Its ID.")
    var voice: String

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try await studio.installedID(called: voice)
        let wasSetAside = try await library.voices.forgive(id)
        if json { return try Answer.json(["voice": id.rawValue]) }
        EchoTextCommand.say(wasSetAside ? "\(id) is tried again from now on" : "\(id) was not set aside")
    }
}
