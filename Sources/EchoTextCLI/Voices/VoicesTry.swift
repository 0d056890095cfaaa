import ArgumentParser
import EchoText

/// `echotext voices try`.
struct VoicesTry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Hear a sentence in a voice's own language."
    )

    @Argument(help: "An ID or a language.")
    var voice: String

    @Argument(help: "What it says; a sentence of its language when absent.")
    var text: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Which of the voice's people, from 0.", valueName: "n"))
    var speaker = 0

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write a sound file instead of playing it; “-” for standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        var known: Voice?
        try await JSONFailure.printed(if: answer.json) {
            let studio = try await Studio.live()
            await studio.close()
            known = try await studio.voice(called: voice)
        }
        guard let found = known else { return }
        var arguments = ["--no-library", "--voice", found.id.rawValue, "--speaker", String(speaker)]
        if let output { arguments += ["--output", output] }
        if answer.json { arguments.append("--json") }
        let sentence = text ?? SampleSentence.sentence(in: found.language)
        try await Speak.parse(arguments + ["--", sentence]).run()
    }
}
