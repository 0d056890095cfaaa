import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext keys`: the keys of the API for developers.
struct KeyCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Let programs of your own speak and transcribe through “echotext serve”.",
        discussion: """
            The server answers programs that are made for OpenAI's API, with voices and recognisers of this machine, if they send \
            a key that you have made. There is none at first. A key lets a program make speech, transcribe sound that it sends and \
            list what there is to do that; it sees nothing of the library.

            Examples:
              echotext keys create editor
              echotext keys remove editor
            """,
        subcommands: [KeysList.self, KeysCreate.self, KeysRemove.self],
        defaultSubcommand: KeysList.self
    )
}

/// `echotext keys list`.
struct KeysList: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys: their names, and when programs last used them."
    )

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let keys = try await library.apiKeys.keys()
        let unreadable = try await library.apiKeys.unreadable()
        if unreadable > 0 {
            EchoTextCommand.say(
                """
                notice: keys that cannot be read, open nothing and are not listed: \(unreadable); \
                “echotext keys remove --unreadable” removes them
                """
            )
        }
        if json {
            return try CommandOutput.json(keys.map(APIKeyResponse.init))
        }
        try CommandOutput.table(
            ["NAME", "CREATED", "LAST USED"],
            keys.map { key in
                [key.name.text, CommandOutput.date(key.created), key.lastUsed.map(CommandOutput.date) ?? "never"]
            }
        )
    }
}

/// `echotext keys create`.
struct KeysCreate: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a key, and print it.",
        discussion: "It is shown this once: the library keeps only what recognizes it."
    )

    @Argument(help: "What it is called, such as the name of the program.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let name = try ItemName(name)
        let secret = try await library.apiKeys.add(name, at: Date())
        if json { return try CommandOutput.json(CreatedAPIKeyResponse(name, secret)) }
        try CommandOutput.text(secret.revealed())
        EchoTextCommand.say("keep it now: it is not shown again")
    }
}

/// `echotext keys remove`.
struct KeysRemove: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a key; whoever has it is refused from then on."
    )

    @Argument(help: "Its name.")
    var name: String?

    @Flag(help: "Those that are damaged and cannot be read, which the list leaves out.")
    var unreadable = false

    @OptionGroup
    var answer: JSONOption

    private struct Removed: Encodable {
        let removed: String
    }

    private struct RemovedUnreadable: Encodable {
        /// How many.
        let unreadable: Int
    }

    func validate() throws {
        guard unreadable == (name == nil) else { throw ValidationError("Name a key, or give --unreadable.") }
    }

    func run(in library: Library) async throws {
        guard let name = try name.map({ try ItemName(stored: $0) }) else {
            return try await removeUnreadable(in: library)
        }
        try await library.apiKeys.remove(name)
        if json { try CommandOutput.json(Removed(removed: name.text)) }
    }

    private func removeUnreadable(in library: Library) async throws {
        let count = try await library.apiKeys.removeUnreadable()
        if json { return try CommandOutput.json(RemovedUnreadable(unreadable: count)) }
        guard count > 0 else { return EchoTextCommand.say("every key can be read") }
        EchoTextCommand.say("\(count) key\(count == 1 ? "" : "s") that could not be read removed")
    }
}
