/// A form of document that can be read.
package enum DocumentKind: String, Sendable, Hashable, Codable, CaseIterable {
    case pdf
    case epub
    case text
    case markdown
    /// Subtitles in SubRip's form.
    case srt
    /// Subtitles in WebVTT.
    case vtt

    /// The name a person knows it by.
    package var name: String {
        switch self {
        case .pdf: "PDF"
        case .epub: "EPUB"
        case .text: "text"
        case .markdown: "Markdown"
        case .srt: "SRT"
        case .vtt: "VTT"
        }
    }

    package var mediaType: String {
        switch self {
        case .pdf: "application/pdf"
        case .epub: "application/epub+zip"
        case .text: "text/plain"
        case .markdown: "text/markdown"
        case .srt: "application/x-subrip"
        case .vtt: "text/vtt"
        }
    }

    /// The file extension, without the dot.
    package var fileExtension: String {
        switch self {
        case .pdf: "pdf"
        case .epub: "epub"
        case .text: "txt"
        case .markdown: "md"
        case .srt: "srt"
        case .vtt: "vtt"
        }
    }

    /// Most bytes of a file of this kind.
    package var largestFile: Int {
        switch self {
        case .pdf, .epub: 256_000_000
        case .text: 100_000_000
        // Markdown is parsed into a tree, which takes many times the file's size in memory; of subtitles, an hour has some 50 kB.
        case .markdown, .srt, .vtt: 8_000_000
        }
    }
}
