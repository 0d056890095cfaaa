import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext history`: texts that were spoken recently.
struct HistoryCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "The last \(TextHistoryLimits.entries) texts that were kept when they were spoken.",
        discussion: """
            Speak one again with “echotext history show 3 | echotext speak”.
            """,
        subcommands: [HistoryList.self, HistoryShow.self, HistoryDelete.self, HistoryClear.self],
        defaultSubcommand: HistoryList.self
    )
}

/// `echotext history list`.
struct HistoryList: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List them, newest first.")

    @OptionGroup
    var answer: JSONOption

    /// The message about texts that the library cannot read.
    static func leftOut(_ ids: [HistoryEntry.ID]) -> String {
        let (count, named) = (ids.count, ids.map(String.init).joined(separator: ", "))
        return
            "\(count) more \(count == 1 ? "is" : "are") damaged and left out (\(named)); “echotext history delete” takes one out"
    }

    func run(in library: Library) async throws {
        let texts = try await library.history.texts()
        if !texts.unreadable.isEmpty { EchoTextCommand.say(Self.leftOut(texts.unreadable)) }
        if json { return try CommandOutput.json(HistoryResponse(texts)) }
        guard !texts.entries.isEmpty else { return EchoTextCommand.say("no texts") }
        let longestLine = 60
        try CommandOutput.table(
            ["ID", "SPOKEN", "TEXT"],
            texts.entries.map { entry in
                let line = entry.text.prefix(4 * longestLine).split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
                return [
                    String(entry.id), CommandOutput.date(entry.spoken),
                    line.count > longestLine ? line.prefix(longestLine) + "…" : line,
                ]
            }
        )
    }
}

/// `echotext history show`.
struct HistoryShow: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a text.")

    @Argument(help: "Its id in the list.")
    var id: Int

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let entry = try await library.history.entry(id)
        if json { return try CommandOutput.json(HistoryEntryResponse(entry)) }
        try CommandOutput.text(entry.text)
    }
}

/// `echotext history delete`.
struct HistoryDelete: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a text.")

    @Argument(help: "Its id in the list.")
    var id: Int

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        try await library.history.delete(id)
    }
}

/// `echotext history clear`.
struct HistoryClear: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Delete all texts.")

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        try await confirmation.confirm("Delete all texts of the history?")
        try await library.history.clear()
    }
}
