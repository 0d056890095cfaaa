import ArgumentParser
import EchoText
import Foundation

/// `echotext voices list`.
struct VoicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the voices that can speak.",
        discussion: """
            A star marks the voice that speaks when none is named. Voices that are installed and cannot speak are listed \
            with what is wrong.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Only voices of this language, such as en or en-GB.", valueName: "tag")
    )
    var language: String?

    @Flag(name: [.customShort("i"), .long], help: "Only those that were installed, not espeak-ng's.")
    var installed = false

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await list() }
    }

    private func list() async throws {
        let studio = try await Studio.live()
        try await studio.installer.sweep()
        let installedVoices = try await studio.installer.installedVoices()
        let selection = try await VoiceSelection.taken(of: installedVoices)
        for loss in selection?.losses ?? [] { EchoTextCommand.say("warning: \(loss.words)") }
        let rows = await VoiceRow.all(in: studio, installedVoices, selection).filter { row in
            (language.map { LanguageTag.matches(row.language, range: $0) } ?? true)
                && (!installed || row.engine != Voice.Engine.espeakNG.rawValue)
        }
        await studio.close()
        if answer.json { return try Answer.json(rows) }
        guard !rows.isEmpty else {
            return EchoTextCommand.say(language.map { "no voice speaks “\($0)”" } ?? "no voice is installed")
        }
        try Answer.table(
            ["ID", "LANGUAGE", "NAME", "ENGINE", "SPEAKERS", "SIZE", "LICENCE", ""],
            rows.map(\.columns)
        )
    }
}
