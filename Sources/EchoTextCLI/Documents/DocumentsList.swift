import API
import ArgumentParser
import EchoText
import Foundation

/// The filters and the order of a list of documents.
struct DocumentQueryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Sort by date, length or name.", valueName: "order"))
    var sort = DocumentQuery.Order.date

    @Flag(help: "Reverse the order.")
    var reverse = false

    @Option(
        help: ArgumentHelp("Only this kind: pdf, epub, text, markdown, srt or vtt; may be repeated.", valueName: "kind")
    )
    var kind: [DocumentKind] = []

    @Option(
        help: ArgumentHelp(
            "Only those with this number of pages: a number or a range such as 10.. or ..300.",
            valueName: "n|a..b"
        )
    )
    var pages: PageCount?

    @Option(help: ArgumentHelp("Only this language, such as en or pt-BR.", valueName: "tag"))
    var language: String?

    @Option(help: ArgumentHelp("Only those imported on this day or later.", valueName: "yyyy-mm-dd"))
    var since: Day?

    @Option(help: ArgumentHelp("Only those imported on this day or before.", valueName: "yyyy-mm-dd"))
    var until: Day?

    @Option(help: ArgumentHelp("Show at most this many.", valueName: "n"))
    var limit = 50

    @Option(help: ArgumentHelp("Skip this many.", valueName: "n"))
    var offset = 0

    func validate() throws {
        guard (1...100_000).contains(limit), offset >= 0 else {
            throw ValidationError("--limit takes 1 to 100000, --offset 0 or more.")
        }
        try Day.validate(since: since, until: until)
    }

    var query: DocumentQuery {
        var query = DocumentQuery()
        query.order = sort
        // By default names ascend, and dates and lengths descend.
        query.isAscending = (sort == .name) != reverse
        query.kinds = Set(kind)
        query.pages = pages?.range
        query.language = language.map { LanguageTag.canonical($0) }
        if since != nil || until != nil {
            let start = since?.start ?? .distantPast
            query.added = start..<max(start, until?.end ?? .distantFuture)
        }
        query.limit = limit
        query.offset = offset
        return query
    }
}

/// “12”, “10..200”, “10..” or “..300”.
struct PageCount: ExpressibleByArgument {
    let range: ClosedRange<Int>

    init?(argument: String) {
        guard let dots = argument.range(of: "..") else {
            guard let number = Int(argument), number >= 0 else { return nil }
            range = number...number
            return
        }
        let (lower, upper) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
        guard let from = lower.isEmpty ? 0 : Int(lower), let to = upper.isEmpty ? .max : Int(upper), from >= 0,
            from <= to
        else { return nil }
        range = from...to
    }
}

/// `echotext documents list`.
struct DocumentsList: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the documents, newest first."
    )

    @OptionGroup(title: "Which")
    var which: DocumentQueryOptions

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let list = try await library.documents.documents(matching: which.query)
        if json {
            let documents = list.documents.map { DocumentResponse($0) }
            return try Answer.json(DocumentListResponse(documents: documents, total: list.total))
        }
        if list.documents.isEmpty {
            return EchoTextCommand.say(list.total == 0 ? "no documents" : "no more documents")
        }
        try Answer.table(
            ["ID", "KIND", "PAGES", "WORDS", "SIZE", "DATE", "NAME"],
            list.documents.map { document in
                [
                    String(document.id.rawValue.prefix(8)), document.kind.name, String(document.pages),
                    String(document.words), Answer.size(document.size), Answer.date(document.added), document.name.text,
                ]
            }
        )
        let shown = which.offset + list.documents.count
        if shown < list.total { EchoTextCommand.say("\(list.total - shown) more; see --offset and --limit") }
    }
}

/// `echotext documents search`.
struct DocumentsSearch: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find documents by words of their name or text, with the page the words stand on."
    )

    @Argument(help: "Words that all have to be there; the last one may be only begun.")
    var words: [String]

    @Option(name: .customLong("in"), help: ArgumentHelp("Where: name, text or anywhere.", valueName: "field"))
    var field = AudioQuery.Field.anywhere

    @OptionGroup(title: "Which")
    var which: DocumentQueryOptions

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Hit: Encodable {
        let document: DocumentResponse
        let excerpt: String?
        let page: Int?
        let range: [Int]?
    }

    func run(in library: Library) async throws {
        var query = which.query
        query.words = words.joined(separator: " ")
        query.field = field
        let hits = try await library.documents.search(query)
        if json {
            return try Answer.json(
                hits.map { hit in
                    Hit(
                        document: DocumentResponse(hit.document, place: hit.place),
                        excerpt: hit.place?.excerpt,
                        page: hit.place?.page,
                        range: hit.place.map { [$0.source.lowerBound, $0.source.upperBound] }
                    )
                }
            )
        }
        guard !hits.isEmpty else { return EchoTextCommand.say("nothing found") }
        try Answer.table(
            ["ID", "PAGE", "NAME", "TEXT"],
            hits.map { hit in
                [
                    String(hit.document.id.rawValue.prefix(8)), hit.place.map { String($0.page) } ?? "",
                    hit.document.name.text, hit.place?.excerpt ?? "",
                ]
            }
        )
    }
}
