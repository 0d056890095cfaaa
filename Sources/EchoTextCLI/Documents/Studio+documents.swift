import EchoText
import Foundation

extension Studio {
    /// Reads documents.
    static var documentReader: any DocumentReader { PlainDocumentReader() }
}

/// Reads texts in UTF-8, form feeds as page ends and lines with `#` as chapters.
private struct PlainDocumentReader: DocumentReader {
    func read(_ file: DocumentFile) async throws -> DocumentText {
        let kind = try DocumentKind(of: file.bytes)
        guard kind == .text || kind == .markdown, let text = String(data: file.bytes, encoding: .utf8) else {
            throw DocumentError.unsupported(found: kind.name)
        }
        var pages: [DocumentPage] = []
        var start = 0
        for page in text.split(separator: "\u{C}", omittingEmptySubsequences: false) {
            let end = min(start + page.utf16.count + 1, text.utf16.count)
            pages.append(DocumentPage(number: pages.count + 1, range: start..<end))
            start = end
        }
        var starts: [(title: String, start: Int)] = []
        start = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let title = line.drop { $0 == "#" || $0.isWhitespace }
            if line.hasPrefix("#"), !title.isEmpty { starts.append((String(title), start)) }
            start += line.utf16.count + 1
        }
        let chapters = starts.enumerated().map { index, chapter in
            let end = index + 1 < starts.count ? starts[index + 1].start : text.utf16.count
            return DocumentChapter(title: chapter.title, level: 1, range: chapter.start..<end)
        }
        return DocumentText(text: text, structure: DocumentStructure(kind: kind, pages: pages, chapters: chapters))
    }

    func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        throw DocumentError.noPicture
    }
}
