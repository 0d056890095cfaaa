import API
import ArgumentParser
import EchoText

/// `echotext queue`: recordings to play next.
struct QueueCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "The queue of recordings; “echotext play” plays it.",
        discussion: "An entry is named by its number in the list, from 1.",
        subcommands: [QueueList.self, QueueAdd.self, QueueRemove.self, QueueMove.self, QueueClear.self],
        defaultSubcommand: QueueList.self
    )
}

extension PlaybackQueue {
    /// Returns the entries with these numbers in the list, from 1.
    ///
    /// - Throws: ``LibraryError/entryNotFound``; of several, with the number that it is about.
    fileprivate func entries(numbered numbers: [Int]) throws -> [Entry] {
        var found: [Entry] = []
        for (index, number) in numbers.enumerated() {
            guard number >= 1, number <= entries.count else {
                let error = LibraryError.entryNotFound
                guard numbers.count > 1 else { throw error }
                let mention = "entry \(number)"
                throw ReferenceFailure(reference: "\(number)", number: index + 1, cause: error, mention: mention)
            }
            found.append(entries[number - 1])
        }
        return found
    }
}

/// `echotext queue list`.
struct QueueList: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the queue.")

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let queue = try await library.playback.queue()
        let items = try await library.audio.readableItems(Set(queue.entries.map(\.item)))
        let missing = Set(queue.entries.map(\.item)).subtracting(items.keys)
        let unreadable = try await library.audio.unreadable(among: missing)
        let rows = queue.entries.enumerated().map { index, entry in
            PlaybackResponse.Entry(
                entry,
                of: items[entry.item],
                number: index + 1,
                isCurrent: entry.id == queue.current
            )
        }
        if json { return try CommandOutput.json(rows) }
        guard !rows.isEmpty else { return EchoTextCommand.say("the queue is empty") }
        try CommandOutput.table(
            ["", "NO", "LENGTH", "NAME"],
            zip(queue.entries, rows).map { entry, row in
                let lost = unreadable.contains(entry.item) ? "(cannot be read)" : "(gone)"
                return [
                    row.isCurrent == true ? "*" : "", row.number.map { String($0) } ?? "",
                    row.item.map { CommandOutput.time($0.duration) } ?? "", row.item?.name ?? lost,
                ]
            }
        )
    }
}

/// `echotext queue add`.
struct QueueAdd: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add recordings to the end.")

    @Argument(help: "Recordings, by id or name.")
    var recordings: [String]

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let items = try await ReferenceFailure.each(of: recordings) { try await library.audio.item(called: $0).id }
        let queue = try await library.playback.change { $0.add(items) }
        if json { try CommandOutput.json(["entries": queue.entries.count]) }
    }
}

/// `echotext queue remove`.
struct QueueRemove: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove entries.")

    @Argument(help: "Numbers of the list.")
    var numbers: [Int]

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        // The numbers are those of now: another program may change the queue meanwhile.
        let ids = Set(try await library.playback.queue().entries(numbered: numbers).map(\.id))
        let queue = try await library.playback.change { try $0.remove(ids) }
        if json { try CommandOutput.json(["entries": queue.entries.count]) }
    }
}

/// `echotext queue move`.
struct QueueMove: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Move an entry to another place.")

    @Argument(help: "The entry's number.")
    var number: Int

    @Argument(help: "Its new number.")
    var place: Int

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        guard place >= 1 else { throw ValidationError("The numbers of the queue begin with 1.") }
    }

    func run(in library: Library) async throws {
        let id = try await library.playback.queue().entries(numbered: [number])[0].id
        let queue = try await library.playback.change { try $0.move(id, to: place - 1) }
        if json { try CommandOutput.json(["entries": queue.entries.count]) }
    }
}

/// `echotext queue clear`.
struct QueueClear: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Empty the queue.")

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        do {
            let count = try await library.playback.queue().entries.count
            if count > 0 { try await confirmation.confirm("Empty the queue of \(count)?") }
        } catch LibraryError.queueUnreadable {
            try await confirmation.confirm("Empty the queue, which cannot be read?")
        }
        try await library.playback.save(PlaybackQueue())
        if json { try CommandOutput.json(["entries": 0]) }
    }
}
