import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext library`: the recordings in the library.
struct LibraryCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "List, search, change and export the recordings that are kept.",
        discussion: """
            A recording is named by its id, the beginning of it (4 characters or more), its name, or the beginning of its name.

            Examples:
              echotext speak -f book.txt --save --name "A book"
              echotext library list --sort length
              echotext library search "turn left"
              echotext library export "A book" -o book.mp3
            """,
        subcommands: [
            LibraryList.self, LibrarySearch.self, LibraryShow.self, LibraryText.self, LibraryRename.self,
            LibraryFavorite.self, LibraryDelete.self, LibraryExport.self, LibraryJobs.self, LibraryContinue.self,
            LibraryKeep.self, LibraryDiscard.self, LibrarySizeCommand.self, LibraryCache.self, LibraryCheckSpeech.self,
            LibraryRespeak.self,
        ],
        defaultSubcommand: LibraryList.self
    )
}

/// `echotext library list`.
struct LibraryList: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the recordings, newest first."
    )

    @OptionGroup(title: "Which")
    var which: ListConditions

    @OptionGroup(title: "Which")
    var narrated: SpeedCondition

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    /// The message about recordings that the library cannot read.
    static func leftOut(_ count: Int) -> String {
        """
        \(count) more cannot be read and \(count == 1 ? "is" : "are") left out; “echotext vault check” says what is damaged, and \
        “echotext library delete --unreadable” deletes what cannot be read
        """
    }

    func run(in library: Library) async throws {
        let page = try await library.audio.items(matching: which.listQuery(at: narrated, extent))
        if page.unreadable > 0 {
            EchoTextCommand.say(Self.leftOut(page.unreadable))
        }
        if json {
            let items = page.items.map { ItemResponse($0) }
            return try CommandOutput.json(PageResponse(items: items, total: page.total, unreadable: page.unreadable))
        }
        if page.items.isEmpty {
            return EchoTextCommand.say(page.total == 0 ? "no recordings" : "no more recordings")
        }
        try CommandOutput.table(
            ["ID", "", "LENGTH", "DATE", "VOICE", "NAME"],
            page.items.map { item in
                [
                    String(item.id.rawValue.prefix(8)), item.isFavorite ? "♥" : "", CommandOutput.time(item.duration),
                    CommandOutput.date(item.created), item.narration?.voiceName ?? item.origin.kind.rawValue,
                    item.name.text,
                ]
            }
        )
        extent.sayRest(behind: page.items.count, of: page.total)
    }
}

/// `echotext library search`.
struct LibrarySearch: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find recordings by words of their name or text, with the second the words are spoken."
    )

    @Argument(help: "Words that all have to be there; the last one may be only begun.")
    var words: [String]

    @Option(name: .customLong("in"), help: ArgumentHelp("Where: name, text or anywhere.", valueName: "field"))
    var field = AudioQuery.Field.anywhere

    @OptionGroup(title: "Which")
    var which: ListConditions

    @OptionGroup(title: "Which")
    var narrated: SpeedCondition

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        var query = which.listQuery(at: narrated, extent)
        query.words = words.joined(separator: " ")
        query.field = field
        let hits = try await library.audio.search(query)
        query.limit = 0
        let all = try await library.audio.items(matching: query)
        if all.unreadable > 0 { EchoTextCommand.say(LibraryList.leftOut(all.unreadable)) }
        // The answer in JSON is a list, which cannot say that there is more.
        defer { if !hits.isEmpty { extent.sayRest(behind: hits.count, of: all.total) } }
        if json { return try CommandOutput.json(hits.map { ItemResponse($0.item, place: $0.place) }) }
        guard !hits.isEmpty else { return extent.sayNothing(of: all.total) }
        try CommandOutput.table(
            ["ID", "AT", "NAME", "TEXT"],
            hits.map { hit in
                [
                    String(hit.item.id.rawValue.prefix(8)), hit.place.map { CommandOutput.time($0.seconds) } ?? "",
                    hit.item.name.text, hit.place?.excerpt.text ?? "",
                ]
            }
        )
    }
}

/// `echotext library show`, also called `info`.
struct LibraryShow: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all that is known about a recording.",
        aliases: ["info"]
    )

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        if json { return try CommandOutput.json(ItemResponse(item)) }
        var lines = [
            ("name", item.name.text),
            ("id", item.id.rawValue),
            ("made", CommandOutput.date(item.created)),
            ("length", CommandOutput.time(item.duration)),
            ("size", CommandOutput.size(item.size)),
            ("origin", item.origin.kind.rawValue),
            ("language", item.language),
            ("sample rate", "\(item.sampleRate) Hz"),
            ("words", String(item.words)),
            ("favourite", item.isFavorite ? "yes" : "no"),
        ]
        if let size = item.source?.fileSize { lines.append(("file as it came", CommandOutput.size(size))) }
        if let narration = item.narration {
            lines.append(("voice", "\(narration.voiceName) (\(narration.voice.rawValue))"))
            if let speaker = await Self.speaker(of: narration) { lines.append(("speaker", speaker)) }
            lines += [
                ("engine", narration.engine.rawValue),
                ("speed", String(narration.speed)),
                ("pitch", String(narration.pitch)),
            ]
            if !narration.leftOut.isEmpty {
                lines.append(("not spoken", narration.leftOut.map { "“\($0)”" }.joined(separator: ", ")))
            }
        }
        if let link = item.narration?.document { lines.append(("document", try await words(for: link, in: library))) }
        try CommandOutput.text(CommandOutput.facts(lines).joined(separator: "\n"))
    }

    /// The name of the voice's speaker; `nil` where the voice has only one, as far as is known.
    private static func speaker(of narration: NarrationOrigin) async -> String? {
        guard narration.engine == .piper else { return nil }
        // Without an engine only the speaker's number is known.
        let voice = (try? await Studio.with { await $0.voices })?.first { $0.id == narration.voice }
        return voice?.title(ofSpeaker: narration.speaker) ?? (narration.speaker > 0 ? "\(narration.speaker)" : nil)
    }

    /// The document's name, or that it was deleted, and the part that was spoken.
    private func words(for link: DocumentLink, in library: Library) async throws -> String {
        let document = try await library.documents.document(Document.ID(rawValue: link.id))
        let name = document?.name.text ?? "gone from the library"
        return link.part.map { "\(name), \($0)" } ?? name
    }
}

/// `echotext library text`.
struct LibraryText: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Print the text of a recording."
    )

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @OptionGroup
    var answer: JSONOption

    private struct Content: Encodable {
        let id: AudioItem.ID
        let text: String
    }

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        let text = try await library.audio.text(of: item.id)
        if json { return try CommandOutput.json(Content(id: item.id, text: text)) }
        try CommandOutput.text(text)
    }
}

/// `echotext library rename`.
struct LibraryRename: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a recording another name.")

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @Argument(help: "Its new name: one line of at most \(ItemName.longest) characters.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let name = try ItemName(name)
        var item = try await library.audio.item(called: recording)
        TypedName(recording, for: item.id.rawValue, item.name).report()
        try await library.audio.rename(item.id, to: name)
        item.name = name
        if json { try CommandOutput.json(ItemResponse(item)) }
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

    func run(in library: Library) async throws {
        var items = try await references.items(in: library, reporting: true)
        try await library.audio.setFavorite(!remove, for: Set(items.map(\.id)))
        for index in items.indices { items[index].isFavorite = !remove }
        if json { try CommandOutput.json(items.map { ItemResponse($0) }) }
    }
}

/// `echotext library delete`.
struct LibraryDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete recordings for good: sound, text and all.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes, and whole names or ids."
    )

    @Argument(help: "Recordings, by id or name.")
    var recordings: [String] = []

    @Flag(help: "Those that cannot be read, which lists leave out.")
    var unreadable = false

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        guard unreadable == recordings.isEmpty else {
            throw ValidationError("Name recordings, or give --unreadable.")
        }
    }

    func run(in library: Library) async throws {
        if unreadable { return try await deleteUnreadable(in: library) }
        let items = try await References.items(called: recordings, in: library)
        try confirmation.requireWholeNames(recordings, of: items.map { (id: $0.id.rawValue, name: $0.name) })
        let what = items.count == 1 ? "“\(items[0].name)”" : "\(items.count) recordings"
        try await confirmation.confirm("Delete \(what) for good?")
        // The queue loses them too.
        try await library.audio.delete(Set(items.map(\.id)))
        if json { return try CommandOutput.json(DeletedOutput(deleted: items.map(\.id))) }
        for item in items { EchoTextCommand.say("\(item.mention) is deleted") }
    }

    private func deleteUnreadable(in library: Library) async throws {
        var ids = try await library.audio.unreadableItems()
        if !ids.isEmpty {
            try await confirmation.confirm("Delete for good \(Self.counted(ids.count)) that cannot be read?")
            // The queue loses them too.
            ids = try await library.audio.deleteUnreadable(matching: AudioQuery())
        }
        if json { return try CommandOutput.json(DeletedOutput(deleted: ids)) }
        guard !ids.isEmpty else { return EchoTextCommand.say("every recording can be read") }
        let (what, verb) = (Self.counted(ids.count), ids.count == 1 ? "is" : "are")
        EchoTextCommand.say("\(what) that could not be read \(verb) deleted")
    }

    private static func counted(_ count: Int) -> String { count == 1 ? "a recording" : "\(count) recordings" }
}

/// `echotext recordings delete-files`.
struct RecordingsDeleteFiles: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-files",
        abstract: "Delete the files that recordings were imported from, to make room; the recordings stay.",
        discussion: """
            What is played, the text and everything else stays; only the file as it came is not there any more. “echotext library size” \
            shows how much room such files take. Asks first on a terminal; elsewhere it wants --yes.

            Examples:
              echotext recordings delete-files "Interview"
              echotext recordings delete-files --all
            """
    )

    @Argument(help: "Recordings, by id or name.")
    var recordings: [String] = []

    @Flag(help: "The files of all recordings.")
    var all = false

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        guard all == recordings.isEmpty else { throw ValidationError("Name recordings, or give --all.") }
    }

    func run(in library: Library) async throws {
        var items = try await References.items(called: recordings, in: library)
        let kept = Int(items.compactMap { item in item.source?.fileSize.map { Int64($0) } }.totalSize)
        let before = try await library.measure.size()[.importedFiles]
        let bytes = all ? before : kept
        guard bytes > 0 else { throw LibraryError.fileNotKept }
        try confirmation.requireWholeNames(recordings, of: items.map { (id: $0.id.rawValue, name: $0.name) })
        let several = all ? "the files of all recordings" : "the files of \(items.count) recordings"
        let what = items.count == 1 ? "the file of “\(items[0].name)”" : several
        try await confirmation.confirm("Delete \(what) for good, \(CommandOutput.size(bytes))?")
        if all {
            for id in try await library.audio.deleteAllFiles() {
                if let item = try await library.audio.item(id) { items.append(item) }
            }
        } else {
            try await library.audio.deleteFiles(of: Set(items.map(\.id)))
            for index in items.indices { items[index].forgetFile() }
        }
        if json { return try CommandOutput.json(items.map { ItemResponse($0) }) }
        let freed = before - (try await library.measure.size()[.importedFiles])
        EchoTextCommand.say(
            freed > 0
                ? "\(CommandOutput.size(freed)) of files deleted; the recordings stay"
                : "no room was made: what is played, or another recording, needs the same bytes; the recordings stay"
        )
    }
}

/// `echotext library size`.
struct LibrarySizeCommand: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "size",
        abstract: "Show how much of the disk the library takes, by what is in it.",
        discussion: """
            Files that were imported are kept as they came, beside the sound that is played; the setting “recording.keep-files” \
            says up to which size. “echotext library cache --clear” forgets the speech that is remembered.
            """
    )

    @OptionGroup
    var answer: JSONOption

    private struct Report: Encodable {
        let total: Int
        let kinds: LibraryBytesResponse
    }

    func run(in library: Library) async throws {
        let size = try await library.measure.size()
        if json { return try CommandOutput.json(Report(total: size.total, kinds: LibraryBytesResponse(size))) }
        let shown = LibrarySize.Kind.allCases.filter { size[$0] > 0 }.map { ($0.words, CommandOutput.size(size[$0])) }
        let lines = shown + [("together", CommandOutput.size(size.total))]
        try CommandOutput.text(CommandOutput.facts(lines).joined(separator: "\n"))
    }
}

extension LibrarySize.Kind {
    fileprivate var words: String {
        switch self {
        case .recordings: "recordings"
        case .importedFiles: "imported files as they came"
        case .narrations: "narrations"
        case .documents: "documents"
        case .takes: "takes of practice"
        case .unfinished: "unfinished recordings and narrations"
        case .speechCache: "remembered speech"
        case .database: "texts, transcripts and everything else"
        }
    }
}

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

    /// The size of the speech cache; `cleared` says whether it was emptied.
    private struct Remembered: Encodable {
        let bytes: Int
        let cleared: Bool
    }

    func run(in library: Library) async throws {
        let bytes = try await library.speech.size()
        if clear { try await library.speech.clear() }
        if json { return try CommandOutput.json(Remembered(bytes: bytes, cleared: clear)) }
        try CommandOutput.text("\(CommandOutput.size(bytes)) of speech \(clear ? "forgotten" : "remembered")")
    }
}

extension AudioItem {
    /// How standard error refers to it: by name on a terminal, by id where the output may be stored as a log.
    var mention: String { isatty(STDERR_FILENO) == 1 ? "“\(CommandOutput.harmless(name.text))”" : id.rawValue }
}
