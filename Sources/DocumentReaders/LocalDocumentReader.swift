package import EchoText
package import Foundation

/// Reads every kind of document in this process, one at a time, on its own thread.
///
/// Use it only in a worker: the parsers are large, and hostile files can exploit them.
package actor LocalDocumentReader: DocumentReader {
    private nonisolated let executor = BlockingExecutor(label: "documents")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let leavingOut: Set<Int>
    private let beginning: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - leavingOut: The numbers of a PDF's pages that are not read.
    ///   - beginning: Called with the number of each page of a PDF before it is read, and before it is drawn where no page
    ///     has text.
    package init(leavingOut: Set<Int> = [], beginning: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.leavingOut = leavingOut
        self.beginning = beginning
    }

    package func read(_ file: DocumentFile) async throws -> DocumentText {
        try Task.checkCancellation()
        let kind = try DocumentKind(of: file.bytes)
        let document =
            switch kind {
            case .pdf: try PDFReader(leavingOut: leavingOut).read(file, beginning: beginning)
            case .epub: try EPUBReader().read(file)
            case .text: try TextReader().read(file)
            case .markdown: try MarkdownReader().read(file)
            case .srt, .vtt: try SubtitleReader().read(file, kind)
            }
        assert(document.invariantViolation == nil, document.invariantViolation ?? "")
        return document
    }

    package func decode(_ bytes: Data) async throws -> DocumentText {
        try Task.checkCancellation()
        guard !bytes.isEmpty else { throw DocumentError.empty }
        guard bytes.count <= DocumentKind.text.largestFile else {
            throw DocumentError.tooLarge(limit: DocumentKind.text.largestFile)
        }
        let (utf8, notices) = try TextDecoding.utf8(bytes)
        let text = String(decoding: utf8, as: UTF8.self)
        let page = DocumentPage(number: 1, range: 0..<text.utf16.count)
        return DocumentText(text: text, structure: DocumentStructure(kind: .text, pages: [page], notices: notices))
    }

    package func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        try Task.checkCancellation()
        let width = min(max(width, 16), PagePicture.widest)
        switch try DocumentKind(of: file.bytes) {
        case .pdf: return try PDFReader().picture(of: page ?? 1, in: file, width: width)
        case .epub:
            guard page == nil else { throw DocumentError.noPicture }
            return try EPUBReader().cover(of: file, width: width)
        case .text, .markdown, .srt, .vtt: throw DocumentError.noPicture
        }
    }
}
