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
        case .pdf:
            do {
                return try PDFReader().picture(of: page ?? 1, in: file, width: width)
            } catch {
                throw page == nil && error == .noPicture ? DocumentError.coverNotDrawn : error
            }
        case .epub:
            guard page == nil else { throw DocumentError.noPicture }
            return try EPUBReader().cover(of: file, width: width)
        case .text, .markdown, .srt, .vtt: throw DocumentError.noPicture
        }
    }
}

/// Some words of a text that states no language, by which it is recognized; of a longer text they are from behind its
/// front matter, which may be in another.
struct LanguageSample {
    /// How many bytes are looked at: many more than the words that tell languages apart.
    private static let room = 16_384
    /// How many bytes a text has that may have front matter.
    private static let long = 6_000

    /// How many bytes are still passed over.
    private var skipped: Int
    private var bytes: [UInt8] = []

    /// - Parameter length: About how long the text is, in bytes.
    init(ofLength length: Int) {
        skipped = length > Self.long ? length / 3 : 0
    }

    /// Takes the next piece of the text, in UTF-8.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        guard bytes.count < Self.room else { return }
        let passed = min(skipped, piece.count)
        skipped -= passed
        bytes.append(contentsOf: piece.dropFirst(passed).prefix(Self.room - bytes.count))
    }

    /// The language as a two-letter code; `nil` where it is not clear.
    var language: String? { LanguageGuess.language(of: String(decoding: bytes, as: UTF8.self)) }

    /// The language of a whole text.
    static func language(of text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            var sample = LanguageSample(ofLength: bytes.count)
            sample.take(UnsafeRawBufferPointer(bytes))
            return sample.language
        }
    }
}
