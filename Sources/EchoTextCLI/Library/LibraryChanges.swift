import API
import ArgumentParser
import EchoText

/// `echotext library rename`.
struct LibraryRename: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a recording another name.")

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @Argument(help: "Its new name: one line of at most \(ItemName.longest) characters.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let name = try ItemName(name)
        var item = try await library.audio.item(called: recording)
        try await library.audio.rename(item.id, to: name)
        item.name = name
        if json { try Answer.json(ItemResponse(item)) }
    }
}

/// `echotext library favorite`.
struct LibraryFavorite: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Mark recordings as favourites, or no longer."
    )

    @OptionGroup
    var references: References

    @Flag(help: "Remove the mark.")
    var remove = false

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        var items = try await references.items(in: library)
        try await library.audio.setFavorite(!remove, for: Set(items.map(\.id)))
        for index in items.indices { items[index].isFavorite = !remove }
        if json { try Answer.json(items.map { ItemResponse($0) }) }
    }
}

/// `echotext library delete`.
struct LibraryDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete recordings for good: sound, text and all.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes."
    )

    @OptionGroup
    var references: References

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let items = try await references.items(in: library)
        let what = items.count == 1 ? "“\(items[0].name)”" : "\(items.count) recordings"
        try await confirmation.confirm("Delete \(what) for good?")
        let ids = Set(items.map(\.id))
        try await library.audio.delete(ids)
        var queue = try await library.playback.queue()
        queue.removeEntries(of: ids)
        try await library.playback.save(queue)
        if json { try Answer.json(DeletedAnswer(deleted: items.map(\.id))) }
    }
}

/// `echotext recordings delete-files`.
struct RecordingsDeleteFiles: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-files",
        abstract: "Delete the files that recordings were imported from, to make room; the recordings stay.",
        discussion: """
            What is played, the text and everything else stays; only the file as it came is not there any more. “echotext library size” \
            shows how much room such files take. Asks first on a terminal; elsewhere it wants --yes.
            """
    )

    @OptionGroup
    var references: References

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        var items = try await references.items(in: library)
        let bytes = Int(items.compactMap { item in item.source?.fileSize.map { Int64($0) } }.totalSize)
        guard bytes > 0 else { throw LibraryError.fileNotKept }
        let what = items.count == 1 ? "the file of “\(items[0].name)”" : "the files of \(items.count) recordings"
        try await confirmation.confirm("Delete \(what) for good, \(Answer.size(bytes))?")
        try await library.audio.deleteFiles(of: Set(items.map(\.id)))
        for index in items.indices { items[index].forgetFile() }
        if json { return try Answer.json(items.map { ItemResponse($0) }) }
        EchoTextCommand.say("\(Answer.size(bytes)) of files deleted; the recordings stay")
    }
}
