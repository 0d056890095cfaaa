package import EchoText
package import Foundation

/// A reader of a simple format: UTF-8 text, with a form feed between pages and `# ` before a chapter's title.
///
/// Bytes that begin with `!` fail with the error in the rest of the first line: `!damaged`, `!encrypted` (opened by the
/// password `open`), `!no-text`, `!slow`.
package struct ScriptedReader: DocumentReader {
    /// A page of a document, drawn: the first bytes of a PNG.
    package static let picture = PagePicture(
        png: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        width: 1,
        height: 1
    )

    private let draws: Bool

    /// - Parameter draws: Whether it draws pages; otherwise documents have no pictures.
    package init(draws: Bool = false) {
        self.draws = draws
    }

    package func read(_ file: DocumentFile) async throws -> DocumentText {
        try Task.checkCancellation()
        let (kind, text) = try text(of: file)
        var pages: [DocumentPage] = []
        var start = 0
        let units = Array(text.utf16)
        for (index, unit) in units.enumerated() where unit == 0x0C {
            pages.append(DocumentPage(number: pages.count + 1, range: start..<index + 1))
            start = index + 1
        }
        pages.append(DocumentPage(number: pages.count + 1, range: start..<units.count))
        let structure = DocumentStructure(kind: kind, pages: pages, chapters: chapters(in: text))
        return DocumentText(text: text, structure: structure)
    }

    package func decode(_ bytes: Data) async throws -> DocumentText {
        try Task.checkCancellation()
        guard !bytes.isEmpty else { throw DocumentError.empty }
        let text = String(decoding: bytes, as: UTF8.self)
        let page = DocumentPage(number: 1, range: 0..<text.utf16.count)
        return DocumentText(text: text, structure: DocumentStructure(kind: .text, pages: [page]))
    }

    package func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        let pages = try await read(file).pages.count
        guard draws else { throw DocumentError.noPicture }
        if let page, page > pages { throw DocumentError.noSuchPage(page) }
        return Self.picture
    }

    private func text(of file: DocumentFile) throws(DocumentError) -> (DocumentKind, String) {
        guard !file.bytes.isEmpty else { throw .empty }
        var text = String(decoding: file.bytes, as: UTF8.self)
        if text.hasPrefix("!") {
            switch text.prefix(while: { $0 != "\n" }) {
            case "!encrypted":
                guard let password = file.password else { throw .encrypted(wrong: false) }
                guard password == "open" else { throw .encrypted(wrong: true) }
                text = String(text.drop { $0 != "\n" }.dropFirst())
            case "!no-text": throw .noText
            case "!slow": throw .tooSlow(seconds: 30)
            default: throw .damaged(.pdf)
            }
        }
        return (text.contains("# ") ? .markdown : .text, text)
    }

    private func chapters(in text: String) -> [DocumentChapter] {
        var starts: [(title: String, start: Int)] = []
        var position = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# "), line.count > 2 { starts.append((String(line.dropFirst(2)), position)) }
            position += line.utf16.count + 1
        }
        let ends = starts.dropFirst().map(\.start) + [text.utf16.count]
        return zip(starts, ends).map { DocumentChapter(title: $0.title, level: 1, range: $0.start..<$1) }
    }
}
