/// A form of document that can be read.
package enum DocumentKind: String, Sendable, Hashable, Codable, CaseIterable {
    case pdf
    case epub
    case text
    case markdown

    /// The name a person knows it by.
    package var name: String {
        switch self {
        case .pdf: "PDF"
        case .epub: "EPUB"
        case .text: "text"
        case .markdown: "Markdown"
        }
    }

    package var mediaType: String {
        switch self {
        case .pdf: "application/pdf"
        case .epub: "application/epub+zip"
        case .text: "text/plain"
        case .markdown: "text/markdown"
        }
    }

    /// The file extension, without the dot.
    package var fileExtension: String {
        switch self {
        case .pdf: "pdf"
        case .epub: "epub"
        case .text: "txt"
        case .markdown: "md"
        }
    }

    /// Most bytes of a file of this kind.
    package var largestFile: Int {
        switch self {
        case .pdf, .epub: 256_000_000
        case .text: 100_000_000
        // It is parsed into a tree, which takes many times the file's size in memory.
        case .markdown: 8_000_000
        }
    }
}
