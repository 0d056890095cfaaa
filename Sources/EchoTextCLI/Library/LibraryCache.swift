import ArgumentParser
import EchoText

/// `echotext library cache`.
struct LibraryCache: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show how much speech of documents is cached, or clear the cache.",
        discussion: """
            What is cleared is spoken again when it is needed; recordings stay. The setting “speech.cache” limits how much is \
            cached.
            """
    )

    @Flag(help: "Clear the cache.")
    var clear = false

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    /// The size of the speech cache; `cleared` says whether it was emptied.
    private struct Remembered: Encodable {
        let bytes: Int
        let cleared: Bool
    }

    func run(in library: Library) async throws {
        let bytes = try await library.speech.size()
        if clear { try await library.speech.clear() }
        if json { return try Answer.json(Remembered(bytes: bytes, cleared: clear)) }
        try Answer.text("\(Answer.size(bytes)) of speech \(clear ? "forgotten" : "remembered")")
    }
}
