import EchoText

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
