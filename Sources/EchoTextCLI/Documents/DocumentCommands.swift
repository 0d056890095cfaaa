import ArgumentParser
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
    /// - Throws: ``LibraryError/documentNotFound``, ``LibraryError/ambiguousDocument(count:ids:)``.
    func documents(called references: [String]) async throws -> [Document] {
        var found: [Document] = []
        for reference in references {
            let document = try await document(called: reference)
            if !found.contains(where: { $0.id == document.id }) { found.append(document) }
        }
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
extension DocumentQuery.Order: ExpressibleByArgument {}
extension DocumentKind: ExpressibleByArgument {}
