import ArgumentParser

@main
struct EchoTextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "echotext", version: "0.1.0")
}
