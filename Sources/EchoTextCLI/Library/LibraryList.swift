import API
import ArgumentParser
import EchoText

/// `echotext library list`.
struct LibraryList: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the recordings, newest first."
    )

    @OptionGroup(title: "Which")
    var which: ListConditions

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    /// The message about recordings that the library cannot read.
    static func leftOut(_ count: Int) -> String {
        "\(count) more cannot be read and \(count == 1 ? "is" : "are") left out; “echotext vault check” says what is damaged"
    }

    func run(in library: Library) async throws {
        let page = try await library.audio.items(matching: extent.applied(to: which.query))
        if page.unreadable > 0 {
            EchoTextCommand.say(Self.leftOut(page.unreadable))
        }
        if json {
            let items = page.items.map { ItemResponse($0) }
            return try Answer.json(PageResponse(items: items, total: page.total, unreadable: page.unreadable))
        }
        if page.items.isEmpty {
            return EchoTextCommand.say(page.total == 0 ? "no recordings" : "no more recordings")
        }
        try Answer.table(
            ["ID", "", "LENGTH", "DATE", "VOICE", "NAME"],
            page.items.map { item in
                [
                    String(item.id.rawValue.prefix(8)), item.isFavorite ? "♥" : "", Answer.time(item.duration),
                    Answer.date(item.created), item.narration?.voiceName ?? item.origin.kind.rawValue,
                    item.name.text,
                ]
            }
        )
        let shown = extent.offset + page.items.count
        if shown < page.total {
            EchoTextCommand.say("\(page.total - shown) more; see --offset and --limit")
        }
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
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Hit: Encodable {
        let item: ItemResponse
        let excerpt: String?
        let seconds: Double?
        let range: [Int]?
    }

    func run(in library: Library) async throws {
        var query = extent.applied(to: which.query)
        query.words = words.joined(separator: " ")
        query.field = field
        let hits = try await library.audio.search(query)
        if json {
            return try Answer.json(
                hits.map { hit in
                    Hit(
                        item: ItemResponse(hit.item, place: hit.place),
                        excerpt: hit.place?.excerpt.text,
                        seconds: hit.place?.seconds,
                        range: hit.place.map { [$0.source.lowerBound, $0.source.upperBound] }
                    )
                }
            )
        }
        guard !hits.isEmpty else { return EchoTextCommand.say("nothing found") }
        try Answer.table(
            ["ID", "AT", "NAME", "TEXT"],
            hits.map { hit in
                [
                    String(hit.item.id.rawValue.prefix(8)), hit.place.map { Answer.time($0.seconds) } ?? "",
                    hit.item.name.text, hit.place?.excerpt.text ?? "",
                ]
            }
        )
    }
}
