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
        // How long the text is in bytes, and how many NULs are at its end, which pad a file.
        var (size, padding) = (0, 0)
        while let piece = try next() {
            try Task.checkCancellation()
            size += piece.count
            let zeros = piece.reversed().prefix { $0 == 0 }.count
            padding = zeros == piece.count ? padding + zeros : zeros
            piece.withUnsafeBytes { survey.take($0) }
        }
        let (encoding, skip, isGuessed) = survey.finish()
        let style = try PlainTextStyle(of: survey.head.dropFirst(skip), in: encoding)
        var converter = TextConverter(encoding)
        var writer = PlainTextWriter(style: style)
        var sample = LanguageSample(ofLength: size - padding)
        var isBlank = true
        func deliver(all: Bool = false) throws {
            try writer.deliver(all: all) { text in
                sample.take(text)
                if isBlank {
                    isBlank = String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy {
                        $0.properties.isWhitespace || !$0.isShown
                    }
                }
                try give(text)
            }
        }
        func take(_ piece: [UInt8], isLast: Bool) throws {
            try piece.withUnsafeBytes { piece in
                try converter.convert(piece, isLast: isLast) { text in
                    try Task.checkCancellation()
                    writer.take(text)
                    guard writer.pageStarts.count <= DocumentKind.maximumPages + 1 else {
                        throw DocumentError.tooManyPages(limit: DocumentKind.maximumPages)
                    }
                    try deliver()
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
        try deliver(all: true)
        guard writer.units > 0, !isBlank else { throw DocumentError.empty }
        guard writer.pageStarts.count <= DocumentKind.maximumPages else {
            throw DocumentError.tooManyPages(limit: DocumentKind.maximumPages)
        }
        let notices = [DocumentNotice].ofDecoding(as: encoding, isGuessed: isGuessed, replaced: converter.replaced)
        return structure(of: writer, in: sample.language, notices)
    }

    private func structure(
        of writer: borrowing PlainTextWriter,
        in language: String?,
        _ notices: [DocumentNotice]
    ) -> DocumentStructure {
        let (starts, length) = (writer.pageStarts, writer.units)
        return DocumentStructure(
            kind: .text,
            language: language,
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

/// Reads what subtitles say, on the calling thread.
struct SubtitleReader {
    /// Reads a file of `kind`, which is ``DocumentKind/srt`` or ``DocumentKind/vtt``.
    ///
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile, _ kind: DocumentKind) throws -> DocumentText {
        let (bytes, notices) = try TextDecoding.utf8(file.bytes)
        var reader = CaptionReader(kind == .vtt ? .webVTT : .subRip, keepsTimes: true)
        var text = reader.read(String(decoding: bytes, as: UTF8.self))
        text += reader.finish()
        try Task.checkCancellation()
        let length = text.utf16.count
        guard length > 0 else { throw DocumentError.empty }
        let page = DocumentPage(number: 1, range: 0..<length)
        let structure = DocumentStructure(
            kind: kind,
            language: LanguageSample.language(of: text),
            pages: [page],
            notices: notices,
            cues: reader.cues
        )
        return DocumentText(text: text, structure: structure)
    }
}
