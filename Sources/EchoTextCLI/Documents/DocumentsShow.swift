import API
import ArgumentParser
import EchoText
import Foundation

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

    var json: Bool { answer.json }

    private struct Shown: Encodable {
        struct Chapter: Encodable {
            let number: Int
            let level: Int
            let title: String
            let page: Int
            let range: [Int]
        }

        let document: DocumentResponse
        let contents: [Chapter]
        /// How many marks of each role are not spoken.
        let leftOut: [String: Int]
        let notices: [NoticeReport]
    }

    func run(in library: Library) async throws {
        let document = try await library.documents.document(called: document)
        let structure = try await library.documents.structure(of: document.id)
        let shown = Shown(
            document: DocumentResponse(document),
            contents: structure.chapters.enumerated().map { index, chapter in
                Shown.Chapter(
                    number: index + 1,
                    level: chapter.level,
                    title: chapter.title,
                    page: structure.page(at: chapter.range.lowerBound),
                    range: [chapter.range.lowerBound, chapter.range.upperBound]
                )
            },
            leftOut: Dictionary(grouping: structure.marks, by: \.role.rawValue).mapValues(\.count),
            notices: structure.notices.map(NoticeReport.init)
        )
        if json { return try Answer.json(shown) }
        try Answer.text(lines(of: shown, document).joined(separator: "\n"))
    }

    private func lines(of shown: Shown, _ document: Document) -> [String] {
        var facts = [
            ("name", document.name.text), ("id", document.id.rawValue), ("imported", Answer.date(document.added)),
            ("kind", document.kind.name), ("size", Answer.size(document.size)), ("pages", String(document.pages)),
            ("words", String(document.words)),
        ]
        if let title = document.title { facts.append(("title", title)) }
        if let author = document.author { facts.append(("author", author)) }
        if let language = document.language { facts.append(("language", language)) }
        for role in TextMark.Role.allCases {
            guard let count = shown.leftOut[role.rawValue] else { continue }
            facts.append(("left out", "\(count) \(role.name)"))
        }
        let width = facts.map(\.0.count).max() ?? 0
        var lines = facts.map { "\($0.0.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.1)" }
        lines += shown.notices.map { "note: \($0.message)" }
        if !shown.contents.isEmpty { lines.append("") }
        lines += shown.contents.map { chapter in
            let indent = String(repeating: "  ", count: chapter.level - 1)
            return "\(indent)\(chapter.number)  \(chapter.title)  (page \(chapter.page))"
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

    var json: Bool { answer.json }

    private struct Content: Encodable {
        struct Piece: Encodable {
            let spoken: [Int]
            let source: [Int]
        }

        struct Omission: Encodable {
            let source: [Int]
            let role: String?
        }

        let id: Document.ID
        let text: String
        let pieces: [Piece]
        let omissions: [Omission]
    }

    func run(in library: Library) async throws {
        let document = try await library.documents.document(called: document)
        var selection = try choice.selection()
        if all { selection.spokenRoles = Set(TextMark.Role.allCases) }
        let spoken = try await library.documents.spoken(selection, of: document.id)
        guard json else { return try Answer.text(spoken.text) }
        let structure = try await library.documents.structure(of: document.id)
        try Answer.json(
            Content(
                id: document.id,
                text: spoken.text,
                pieces: spoken.pieces.map {
                    Content.Piece(spoken: Self.bounds($0.spoken), source: Self.bounds($0.source))
                },
                omissions: spoken.omissions.map { omission in
                    Content.Omission(
                        source: Self.bounds(omission.source),
                        role: omission.mark.map { structure.marks[$0].role.rawValue }
                    )
                }
            )
        )
    }

    private static func bounds(_ range: TextRange) -> [Int] { [range.lowerBound, range.upperBound] }
}
