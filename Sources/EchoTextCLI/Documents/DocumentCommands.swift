import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext documents`: the stored documents.
struct DocumentCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "documents",
        abstract: "List, search, read, change and export the documents that are kept.",
        discussion: """
            A document is named by its id, the beginning of it (4 characters or more), its name, or the beginning of its name.

            Examples:
              echotext import book.epub
              echotext documents list --sort name
              echotext documents search turn left
              echotext documents text "A book" --pages 3-7,9
              echotext speak --document "A book" --chapters 2 -o chapter.mp3
            """,
        subcommands: [
            DocumentsList.self, DocumentsSearch.self, DocumentsShow.self, DocumentsText.self, DocumentsRename.self,
            DocumentsDelete.self, DocumentsExport.self,
        ],
        defaultSubcommand: DocumentsList.self
    )
}

/// Which documents a command is about.
struct DocumentReferences: ParsableArguments {
    @Argument(help: "Documents, by id or name.")
    var documents: [String]

    /// The named documents, without repetition, in the order given.
    ///
    /// - Throws: ``LibraryError/documentNotFound``, ``LibraryError/ambiguousDocument(count:ids:)``.
    func documents(in library: Library) async throws -> [Document] {
        try await library.documents.documents(called: documents)
    }
}

extension DocumentLibrary {
    /// Finds the documents that `references` name, without repetition, in the order given.
    ///
    /// - Throws: ``LibraryError/documentNotFound``, ``LibraryError/ambiguousDocument(count:ids:)``; of several, with the one
    ///   that it is about.
    func documents(called references: [String]) async throws -> [Document] {
        var found: [Document] = []
        for document in try await ReferenceFailure.each(of: references, find: { try await document(called: $0) })
        where !found.contains(where: { $0.id == document.id }) { found.append(document) }
        return found
    }
}

/// Options that select parts of a document.
struct SelectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only these pages, such as 3-7,9.", valueName: "pages"))
    var pages: String?

    @Option(help: ArgumentHelp("Only these chapters, by their numbers in the contents.", valueName: "chapters"))
    var chapters: String?

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Also speak what is left out otherwise: \(TextMark.Role.allCases.map(\.rawValue).joined(separator: ", ")). May be repeated.",
            valueName: "role"
        )
    )
    var with: [TextMark.Role] = []

    func validate() throws {
        if pages != nil, chapters != nil { throw ValidationError("Give --pages or --chapters, not both.") }
    }

    /// Whether any option was given.
    var isGiven: Bool { pages != nil || chapters != nil || !with.isEmpty }

    /// - Throws: ``PageRangesError``.
    func selection() throws(PageRangesError) -> DocumentSelection {
        var selection = DocumentSelection(spokenRoles: Set(with))
        if let pages { selection.scope = .pages(try PageRanges(parsing: pages)) }
        if let chapters { selection.scope = .chapters(try PageRanges(parsing: chapters)) }
        return selection
    }
}

extension TextMark.Role: ExpressibleByArgument {}
extension DocumentQuery.SortOrder: ExpressibleByArgument {}
extension DocumentKind: ExpressibleByArgument {}

/// The filters and the order of a list of documents; ``ListExtent`` is beside them.
struct DocumentQueryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Sort by date, length or name.", valueName: "order"))
    var sort = DocumentQuery.SortOrder.date

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

    func validate() throws {
        try Day.validate(since: since, until: until)
    }

    /// The query for a part of the list.
    func query(_ extent: ListExtent) -> DocumentQuery {
        var query = DocumentQuery()
        query.order = sort
        // Names ascend by default, and dates and lengths descend.
        query.isAscending = (sort == .name) != reverse
        query.kinds = Set(kind)
        query.pages = pages?.range
        query.language = language.map { LanguageTag.canonical($0) }
        if since != nil || until != nil {
            let start = since?.start ?? .distantPast
            query.added = start..<max(start, until?.end ?? .distantFuture)
        }
        (query.limit, query.offset) = (extent.limit, extent.offset)
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

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let list = try await library.documents.documents(matching: which.query(extent))
        if list.unreadable > 0 {
            let (verb, them) = list.unreadable == 1 ? ("is", "it") : ("are", "them")
            EchoTextCommand.say(
                "\(list.unreadable) more cannot be read and \(verb) left out; a backup may have \(them)"
            )
        }
        if json {
            let documents = list.documents.map { DocumentResponse($0) }
            return try CommandOutput.json(
                DocumentListResponse(documents: documents, total: list.total, unreadable: list.unreadable)
            )
        }
        if list.documents.isEmpty {
            return EchoTextCommand.say(list.total == 0 ? "no documents" : "no more documents")
        }
        try CommandOutput.table(
            ["ID", "KIND", "PAGES", "WORDS", "SIZE", "DATE", "NAME"],
            list.documents.map { document in
                [
                    String(document.id.rawValue.prefix(8)), document.kind.name, String(document.pages),
                    String(document.words), CommandOutput.size(document.size), CommandOutput.date(document.added),
                    document.name.text,
                ]
            }
        )
        extent.sayRest(behind: list.documents.count, of: list.total)
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

    @OptionGroup(title: "Which")
    var extent: ListExtent

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        var query = which.query(extent)
        query.words = words.joined(separator: " ")
        query.field = field
        let hits = try await library.documents.search(query)
        query.limit = 0
        let total = try await library.documents.documents(matching: query).total
        // The answer in JSON is a list, which cannot say that there is more.
        defer { if !hits.isEmpty { extent.sayRest(behind: hits.count, of: total) } }
        if json { return try CommandOutput.json(hits.map { DocumentResponse($0.document, place: $0.place) }) }
        guard !hits.isEmpty else { return extent.sayNothing(of: total) }
        try CommandOutput.table(
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

/// `echotext documents show`.
struct DocumentsShow: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all that is known about a document, with its contents.",
        aliases: ["info"]
    )

    @Argument(help: "A document, by id or name.")
    var document: String

    @OptionGroup
    var answer: JSONOption

    private struct Shown: Encodable {
        let document: DocumentResponse
        let structure: StructureResponse
    }

    func run(in library: Library) async throws {
        let document = try await library.documents.document(called: document)
        let structure = StructureResponse(
            try await library.documents.structure(of: document.id),
            namesPages: true
        )
        if json { return try CommandOutput.json(Shown(document: DocumentResponse(document), structure: structure)) }
        try CommandOutput.text(lines(of: structure, document).joined(separator: "\n"))
    }

    private func lines(of structure: StructureResponse, _ document: Document) -> [String] {
        var facts = [
            ("name", document.name.text), ("id", document.id.rawValue),
            ("imported", CommandOutput.date(document.added)),
            ("kind", document.kind.name), ("size", CommandOutput.size(document.size)),
            ("pages", String(document.pages)),
            ("words", String(document.words)),
        ]
        if let title = document.title { facts.append(("title", title)) }
        if let author = document.author { facts.append(("author", author)) }
        if let language = document.language { facts.append(("language", language)) }
        for role in TextMark.Role.allCases {
            guard let count = structure.marks[role.rawValue] else { continue }
            facts.append(("left out", "\(count) \(role.name)"))
        }
        var lines = CommandOutput.facts(facts)
        lines += structure.notices.map { "note: \($0.message)" }
        if !structure.chapters.isEmpty { lines.append("") }
        lines += structure.chapters.map { chapter in
            // The levels of a damaged library may be any.
            let level = min(max(1, chapter.level), DocumentChapter.deepestLevel)
            let indent = String(repeating: "  ", count: level - 1)
            return "\(indent)\(chapter.number)  \(chapter.title)" + (chapter.page.map { "  (page \($0))" } ?? "")
        }
        return lines
    }
}

/// `echotext documents text`.
struct DocumentsText: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Print the text that is spoken of a document.",
        discussion:
            "What speech leaves out, such as page numbers and footnotes, is left out here too; --all prints everything."
    )

    @Argument(help: "A document, by id or name.")
    var document: String

    @OptionGroup
    var choice: SelectionOptions

    @Flag(help: "Print also what speech leaves out.")
    var all = false

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let document = try await library.documents.document(called: document)
        var selection = try choice.selection()
        if all { selection.spokenRoles = Set(TextMark.Role.allCases) }
        let spoken = try await library.documents.spoken(selection, of: document.id)
        guard json else { return try CommandOutput.text(spoken.text) }
        let structure = try await library.documents.structure(of: document.id)
        try CommandOutput.json(SpokenResponse(spoken, of: selection, in: structure, document: document.id))
    }
}

/// `echotext documents rename`.
struct DocumentsRename: LibraryCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a document another name.")

    @Argument(help: "A document, by id or name.")
    var document: String

    @Argument(help: "Its new name: one line of at most \(ItemName.longest) characters.")
    var name: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let name = try ItemName(name)
        var document = try await library.documents.document(called: document)
        TypedName(self.document, for: document.id.rawValue, document.name).report()
        try await library.documents.rename(document.id, to: name)
        document.name = name
        if json { try CommandOutput.json(DocumentResponse(document)) }
    }
}

/// `echotext documents delete`.
struct DocumentsDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete documents for good; recordings that were made from them stay.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes, and whole names or ids."
    )

    @OptionGroup
    var references: DocumentReferences

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let documents = try await references.documents(in: library)
        try confirmation.requireWholeNames(
            references.documents,
            of: documents.map { (id: $0.id.rawValue, name: $0.name) }
        )
        let what = documents.count == 1 ? "“\(documents[0].name)”" : "\(documents.count) documents"
        try await confirmation.confirm("Delete \(what) for good?")
        try await library.documents.delete(Set(documents.map(\.id)))
        if json { return try CommandOutput.json(DeletedOutput(deleted: documents.map(\.id))) }
        for document in documents { EchoTextCommand.say("\(document.mention) is deleted") }
    }
}

/// `echotext documents export`.
struct DocumentsExport: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write documents to files, as they were given.",
        discussion: """
            One document becomes the file that is named; several go into a folder. What is exported is no longer protected. Of \
            several, those that cannot be written because they are damaged are named and left out, and the command ends with exit \
            code 76.
            """
    )

    @OptionGroup
    var references: DocumentReferences

    @Option(name: .shortAndLong, help: "The file, or the folder, to write to.", completion: .file())
    var output: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let documents = try await references.documents(in: library)
        let turn = try await isFolder(for: documents.count) ? FolderTurn(in: output) : nil
        defer { withExtendedLifetime(turn) {} }
        var exported = ExportedFiles(ofSeveral: documents.count > 1, isAnswered: json)
        for (document, path) in zip(documents, try paths(of: documents, inFolder: turn != nil)) {
            try await exported.add(path) {
                let original = try await library.documents.original(of: document.id)
                try await ByteFile(path: path).take(original)
            }
        }
        try exported.report()
    }

    /// Whether the output is a folder, which is created if it does not exist, and not one file.
    private func isFolder(for count: Int) throws -> Bool {
        guard output != "-" else {
            throw CommandError.contradiction("Documents are exported to files.", hint: "Give -o a name.")
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard isFolder.boolValue || count > 1 || output.hasSuffix("/") else { return false }
        guard !exists || isFolder.boolValue else {
            throw CommandError.contradiction("Several documents do not go into one file.", hint: "Give -o a folder.")
        }
        // Another export may have made it just now.
        if !exists, mkdir(output, 0o700) != 0, errno != EEXIST { throw ExportError.folderNotUsable }
        return true
    }

    /// Returns the path of each export.
    private func paths(of documents: [Document], inFolder isFolder: Bool) throws -> [String] {
        guard isFolder else { return [output] }
        var names = FileNames(present: try FileManager.default.contentsOfDirectory(atPath: output))
        return documents.map { document in
            let ending = document.kind.fileExtension
            let stem = (document.fileName as NSString).deletingPathExtension
            return "\(output)/\(names.name(for: stem, fileExtension: ending))"
        }
    }
}
