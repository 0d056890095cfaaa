import ArgumentParser

/// `echotext recognizers`: what turns speech into text.
struct RecognizerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recognizers",
        abstract: "Set up what turns speech into text.",
        subcommands: [ServiceCommands.self]
    )
}
