import ArgumentParser
import EchoText

/// `echotext recordings`: recorded or imported audio.
struct RecordingsCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings",
        abstract: "Import, list, change and export recordings, and finish those that were interrupted.",
        discussion: """
            A recording is named by its id, the beginning of it (4 characters or more), its name, or the beginning of its name.

            Examples:
              echotext record --name "Morning walk"
              echotext recordings import talk.m4a interview.mp3
              echotext recordings list
              echotext recordings export "Morning walk" -o walk.mp3
            """,
        subcommands: [
            RecordingsList.self, RecordingsImport.self, LibraryShow.self, LibraryRename.self, LibraryDelete.self,
            RecordingMarks.self,
            LibraryExport.self, RecordingTranscripts.self, RecordingsUnfinished.self, RecordingsResume.self,
            RecordingsKeep.self,
            RecordingsDiscard.self, RecordingsDeleteFiles.self,
        ],
        defaultSubcommand: RecordingsList.self
    )
}

/// `echotext recordings list`.
struct RecordingsList: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what was recorded or imported, newest first."
    )

    @OptionGroup(title: "Which")
    var which: ListConditions

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        var list = LibraryList()
        (list.which, list.extent, list.answer) = (which, extent, answer)
        if which.origin.isEmpty { list.which.origin = [.recorded, .imported] }
        try await list.run(in: library)
        let unfinished = try await library.recordings.sessions().count
        guard !json, unfinished > 0 else { return }
        EchoTextCommand.say(
            "\(unfinished) not finished; “echotext recordings unfinished” lists \(unfinished == 1 ? "it" : "them")"
        )
    }
}
