import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext voices list`.
struct VoicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the voices that can speak.",
        discussion: """
            Favourites stand first, then what was installed. A star marks the voice that speaks when none is named. Voices that are installed and cannot speak are listed \
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
        let (selection, losses) = try await VoiceSelection.audited(against: installedVoices)
        for loss in losses { EchoTextCommand.say("warning: \(loss.words)") }
        let present = try await studio.presentListings(installedVoices, selection)
        let voices = VoiceListing.ranked(present).filter { voice in
            (language.map { LanguageTag.matches(voice.language, range: $0) } ?? true)
                && (!installed || !voice.isBuiltIn)
        }
        await studio.close()
        if answer.json { return try Answer.json(voices.map { VoiceListingResponse.answer(about: $0) }) }
        guard !voices.isEmpty else {
            return EchoTextCommand.say(language.map { "no voice speaks “\($0)”" } ?? "no voice is installed")
        }
        try Answer.table(
            ["ID", "LANGUAGE", "NAME", "ENGINE", "SPEAKERS", "SIZE", "LICENCE", ""],
            voices.map(\.columns)
        )
    }
}
