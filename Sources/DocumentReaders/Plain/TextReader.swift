package import EchoText
import Foundation

/// Reads plain text of any encoding, on the calling thread, with only one piece in memory at a time.
package struct TextReader: Sendable {
    package init() {}

    /// Reads a text that arrives in pieces.
    ///
    /// - Parameters:
    ///   - next: Returns the text's next bytes, at most 1 MiB, and `nil` at its end; then once more from the
    ///     beginning.
    ///   - give: Receives the clean text in UTF-8, in pieces of whole characters.
    /// - Returns: The structure of the text.
    /// - Throws: ``DocumentError``, the errors of `next` and `give`, or `CancellationError` when the calling task is
    ///   cancelled.
    package func read(
        _ next: () throws -> [UInt8]?,
        giving give: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> DocumentStructure {
        var survey = EncodingSurvey()
        while let piece = try next() {
            try Task.checkCancellation()
            piece.withUnsafeBytes { survey.take($0) }
        }
        let (encoding, skip, isGuessed) = survey.finish()
        let style = try PlainTextStyle(of: survey.head.dropFirst(skip), in: encoding)
        var converter = TextConverter(encoding)
        var writer = PlainTextWriter(style: style)
        func take(_ piece: [UInt8], isLast: Bool) throws {
            try piece.withUnsafeBytes { piece in
                try converter.convert(piece, isLast: isLast) { text in
                    try Task.checkCancellation()
                    writer.take(text)
                    guard writer.pageStarts.count <= DocumentKind.maximumPages + 1 else {
                        throw DocumentError.tooManyPages(limit: DocumentKind.maximumPages)
                    }
                    try writer.deliver(give)
                }
            }
        }
        var passedOver = 0
        while var piece = try next() {
            let mark = min(skip - passedOver, piece.count)
            piece.removeFirst(mark)
            passedOver += mark
            try take(piece, isLast: false)
        }
        try take([], isLast: true)
        writer.finish()
        try writer.deliver(all: true, give)
        guard writer.units > 0 else { throw DocumentError.empty }
        guard writer.pageStarts.count <= DocumentKind.maximumPages else {
            throw DocumentError.tooManyPages(limit: DocumentKind.maximumPages)
        }
        return structure(of: writer, .ofDecoding(as: encoding, isGuessed: isGuessed, replaced: converter.replaced))
    }

    private func structure(of writer: borrowing PlainTextWriter, _ notices: [DocumentNotice]) -> DocumentStructure {
        let (starts, length) = (writer.pageStarts, writer.units)
        return DocumentStructure(
            kind: .text,
            pages: starts.enumerated().map { index, start in
                let end = index + 1 < starts.count ? starts[index + 1] : length
                return DocumentPage(number: index + 1, range: start..<end)
            },
            chapters: writer.chapters.chapters(length: length),
            blocks: writer.headings.map { TextBlock(.heading, level: 1, range: $0) },
            notices: notices
        )
    }

    /// Reads a text that is in memory.
    ///
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile) throws -> DocumentText {
        var text = ""
        text.reserveCapacity(file.bytes.count)
        var position = file.bytes.startIndex
        let structure = try read {
            guard position < file.bytes.endIndex else {
                position = file.bytes.startIndex
                return nil
            }
            let piece = file.bytes[position...].prefix(1 << 20)
            position = piece.endIndex
            return Array(piece)
        } giving: {
            text += String(decoding: $0, as: UTF8.self)
        }
        return DocumentText(text: text, structure: structure)
    }
}
