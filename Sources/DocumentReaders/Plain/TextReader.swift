import EchoText
import Foundation

/// Reads plain text of any encoding, on the calling thread, with little more memory than the text itself takes.
struct TextReader {
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile) throws -> DocumentText {
        let (encoding, skip, isGuessed) = TextEncoding.find(in: file.bytes)
        let style = try PlainTextStyle(of: file.bytes.dropFirst(skip).prefix(1 << 20), in: encoding)
        var found = PlainTextFindings()
        let text = try Self.text(of: file.bytes, skip: skip, encoding: encoding, style: style, into: &found)
        guard found.length > 0 else { throw DocumentError.empty }
        guard found.pageStarts.count <= DocumentKind.mostPages else {
            throw DocumentError.tooManyPages(limit: DocumentKind.mostPages)
        }
        let structure = DocumentStructure(
            kind: .text,
            pages: found.pageStarts.enumerated().map { index, start in
                let end = index + 1 < found.pageStarts.count ? found.pageStarts[index + 1] : found.length
                return DocumentPage(number: index + 1, range: start..<end)
            },
            chapters: found.chapters.chapters(length: found.length),
            blocks: found.headings.map { TextBlock(.heading, level: 1, range: $0) },
            notices: .ofDecoding(as: encoding, isGuessed: isGuessed, replaced: found.replaced)
        )
        return DocumentText(text: text, structure: structure)
    }

    /// The clean text, written where it stays.
    private static func text(
        of bytes: Data,
        skip: Int,
        encoding: TextEncoding,
        style: PlainTextStyle,
        into found: inout PlainTextFindings
    ) throws -> String {
        // Memory that nothing is written to is not taken.
        let room = encoding.longestUTF8(of: bytes.count) * 2 + 1_024
        return try String(unsafeUninitializedCapacity: room) { output in
            var writer = PlainTextWriter(output: output, style: style)
            let converter = TextConverter(encoding)
            found.replaced = try bytes.withUnsafeBytes { bytes in
                try converter.convert(UnsafeRawBufferPointer(rebasing: bytes[skip...])) { piece in
                    try Task.checkCancellation()
                    writer.take(piece)
                }
            }
            writer.finish()
            found.take(writer)
            return writer.count
        }
    }
}

/// What is known of a plain text beside its words.
struct PlainTextFindings {
    /// In UTF-16 units.
    var length = 0
    var replaced = 0
    var pageStarts = [0]
    var headings: [TextRange] = []
    var chapters = ChapterList()

    fileprivate mutating func take(_ writer: PlainTextWriter) {
        length = writer.units
        pageStarts = writer.pageStarts
        headings = writer.headings
        chapters = writer.chapters
    }
}

extension TextEncoding {
    /// Most bytes of UTF-8 that so many bytes become.
    fileprivate func longestUTF8(of count: Int) -> Int {
        switch self {
        case .utf8: count + count / 2
        case .utf16: count * 3 / 2
        case .utf32: count
        case .named: count * 3
        }
    }
}
