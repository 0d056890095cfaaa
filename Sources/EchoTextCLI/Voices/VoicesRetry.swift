import ArgumentParser
import EchoText

/// `echotext voices retry`.
struct VoicesRetry: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Enable a voice that was disabled because its engine stopped.",
        discussion: """
            A voice is disabled when its engine stopped repeatedly while it spoke. A page that is open has its own button \
            for this.
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
        EchoTextCommand.say(wasSetAside ? "\(id) is enabled again" : "\(id) was not disabled")
    }
}
