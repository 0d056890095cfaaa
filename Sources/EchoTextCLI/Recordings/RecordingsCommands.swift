import API
import ArgumentParser
import EchoText
import Foundation

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
    var narrated: SpeedCondition

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        var list = LibraryList()
        (list.which, list.narrated, list.extent, list.answer) = (which, narrated, extent, answer)
        if which.origin.isEmpty { list.which.origin = [.recorded, .imported] }
        try await list.run(in: library)
        let unfinished = try await library.recordings.sessions().count
        guard !json, unfinished > 0 else { return }
        EchoTextCommand.say(
            "\(unfinished) not finished; “echotext recordings unfinished” lists \(unfinished == 1 ? "it" : "them")"
        )
    }
}

extension RecordingSessions {
    /// Finds a session by its id or the beginning of it; without a reference, the only interrupted one that can be read.
    ///
    /// - Throws: ``RecordingError/sessionNotFound``, ``LibraryError/ambiguous(count:ids:)``.
    func session(called reference: String?) async throws -> RecordingSession {
        let found = try await sessions().filter { session in
            guard let reference else { return session.state == .interrupted && !session.isUnreadable }
            return session.id.isMeant(by: reference)
        }
        return try found.only(orThrow: RecordingError.sessionNotFound)
    }
}

/// `echotext recordings unfinished`.
struct RecordingsUnfinished: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfinished",
        abstract: "List recordings that are being made, or were interrupted."
    )

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let sessions = try await library.recordings.sessions()
        if json { return try CommandOutput.json(sessions.map(SessionResponse.init)) }
        guard !sessions.isEmpty else { return EchoTextCommand.say("no unfinished recordings") }
        try CommandOutput.table(
            ["ID", "STATE", "LENGTH", "BEGUN", "NAME"],
            sessions.map {
                [
                    String($0.id.rawValue.prefix(8)),
                    $0.isUnreadable ? "damaged" : $0.isInterruptedImport ? "half imported" : $0.state.rawValue,
                    CommandOutput.time($0.duration), CommandOutput.date($0.created), $0.order.name.text,
                ]
            }
        )
        let damaged = sessions.count(where: \.isUnreadable)
        guard damaged > 0 else { return }
        EchoTextCommand.say(
            "\(damaged) cannot be read; “echotext recordings discard ID” discards \(damaged == 1 ? "it" : "one")"
        )
    }
}

/// `echotext recordings keep`.
struct RecordingsKeep: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Make a recording of what there is of an interrupted one.",
        discussion: """
            Sound that is damaged becomes silence. Where the disk does not read some of it now, nothing is changed, so that you can try \
            again later or copy the disk; with --part that becomes silence, too.
            """
    )

    @Argument(help: "Its id; not needed when there is only one.")
    var session: String?

    @Flag(help: "Keep what can be read, where some of it cannot be.")
    var part = false

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let session = try await library.recordings.session(called: session)
        if session.order.source == .file {
            EchoTextCommand.say(
                "note: this is the beginning of a file whose import was interrupted; import the file again for all of it"
            )
        }
        let item = try await library.recordings.finish(
            try await library.recordings.resume(session.id).id,
            keepsPart: part
        )
        try CommandOutput.kept(item, asJSON: json)
    }
}

/// `echotext recordings discard`.
struct RecordingsDiscard: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete an interrupted recording for good."
    )

    @Argument(help: "Its id; not needed when there is only one.")
    var session: String?

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let session = try await library.recordings.session(called: session)
        let length = session.isUnreadable ? "which cannot be read" : CommandOutput.time(session.duration)
        try await confirmation.confirm("Delete what was recorded of “\(session.order.name)”, \(length)?")
        if !session.isUnreadable { _ = try await library.recordings.resume(session.id) }
        try await library.recordings.discard(session.id)
        if !json { EchoTextCommand.say("\(session.id.rawValue) is deleted, \(length)") }
    }
}
