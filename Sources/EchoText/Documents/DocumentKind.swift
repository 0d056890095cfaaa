package import Foundation

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

extension DocumentKind {
    /// Most pages of a document.
    package static let maximumPages = 20_000
    /// Most bytes, in UTF-8, of the text of a document that is not itself plain text.
    package static let maximumText = 64_000_000

    /// The kind of document that `bytes` are, by their content alone.
    ///
    /// - Throws: ``DocumentError/empty``, ``DocumentError/unsupported(found:)``, and ``DocumentError/tooLarge(limit:)`` for
    ///   more than a file of the kind may have.
    package init(of bytes: Data) throws(DocumentError) {
        guard !bytes.isEmpty else { throw .empty }
        let head = Data(bytes.prefix(4_096))
        if Self.isPDF(bytes) {
            self = .pdf
        } else if head.starts(with: Data("PK\u{03}\u{04}".utf8)) {
            guard Self.isEPUB(bytes) else { throw .unsupported(found: BinaryContent(head)?.name) }
            self = .epub
        } else if Self.holdsEPUB(bytes) {
            self = .epub
        } else if !Self.isUTF16(head), let binary = BinaryContent(head) {
            throw .unsupported(found: binary.name)
        } else if head.allSatisfy({ $0 <= 0x20 }), bytes.allSatisfy({ $0 <= 0x20 || $0 == 0x7F }) {
            throw .empty
        } else if Self.isMarkup(head) {
            throw .unsupported(found: "a web page or another XML file")
        } else if let subtitles = Self.subtitles(head), bytes.count <= subtitles.largestFile {
            self = subtitles
        } else {
            self = MarkdownSigns(bytes.prefix(65_536)).areEnough ? .markdown : .text
            // As plain text it can still be read.
            if self == .markdown, bytes.count > largestFile { self = .text }
        }
        guard bytes.count <= largestFile else { throw .tooLarge(limit: largestFile) }
    }

    /// Detects a PDF by its signature in the first 1,024 bytes, where PDF readers look for it (ISO 32000-1,
    /// implementation note 13).
    ///
    /// If other bytes precede it, the end has to be that of a PDF too; otherwise a text about the format would count as
    /// one.
    private static func isPDF(_ bytes: Data) -> Bool {
        guard let sign = bytes.prefix(1_024).firstIndex(of: "%PDF-") else { return hasPDFObjects(bytes) }
        let before = bytes[bytes.startIndex..<sign]
        if before.allSatisfy({ $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }) { return true }
        return bytes.suffix(4_096).firstIndex(of: "startxref") != nil
    }

    /// A PDF with a damaged signature still begins with an object and ends with the offset of its cross-reference
    /// table; readers need no more.
    ///
    /// Bytes may follow the end if the file begins with an object, which no text about the format does.
    private static func hasPDFObjects(_ bytes: Data) -> Bool {
        let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        guard let object = start.firstMatch(of: #/(^|\s)\d+ \d+ obj\b/#) else { return false }
        let end = String(decoding: bytes.suffix(4_096), as: UTF8.self)
        if end.suffix(64).contains(#/startxref\s+\d+\s+%%EOF\s*$/#) { return true }
        return start[..<object.range.lowerBound].utf8.count < 128 && end.contains(#/startxref\s+\d+\s+%%EOF/#)
    }

    /// Whether a file, which begins with `head`, begins with an object of a PDF; its signature may be damaged.
    ///
    /// Only comments, and what is left of a signature, may be in the lines before: a text about the format has prose there.
    package static func beginsAsPDF(_ head: Data) -> Bool {
        let lines = String(decoding: head.prefix(160), as: UTF8.self).split(whereSeparator: \.isNewline)
        let first = lines.first { !$0.hasPrefix("%") && $0.contains { $0.isWhitespace } }
        return first?.starts(with: #/\d+ \d+ obj\s*(<<|$)/#) ?? false
    }

    /// An EPUB container declares itself in its first entry, or at least has the file that names the package document;
    /// that file's name also appears in the central directory at the end.
    ///
    /// A ZIP file that an EPUB is stored in has the same bytes, but other names in its own directory.
    private static func isEPUB(_ bytes: Data) -> Bool {
        let isDeclared = bytes.prefix(256).firstIndex(of: "application/epub+zip") != nil
        let container: StaticString = "META-INF/container.xml"
        if let directory = zipDirectory(of: bytes) {
            let hasMimetype = directory.firstIndex(of: "mimetype") != nil
            return (isDeclared && hasMimetype) || directory.firstIndex(of: container) != nil
        }
        return isDeclared || bytes.suffix(1 << 20).firstIndex(of: container) != nil
            || bytes.prefix(1 << 16).firstIndex(of: container) != nil
    }

    /// The central directory of a ZIP file, with the names of its entries; `nil` where it is not found, as in a file that
    /// is cut off.
    ///
    /// - SeeAlso: PKWARE, “APPNOTE.TXT”, 4.3.16.
    private static func zipDirectory(of bytes: Data) -> Data? {
        // The record at the end has 22 bytes, and a comment of 65,535 at most.
        let end = Data(bytes.suffix(22 + 65_535))
        guard let record = end.range(of: Data("PK\u{05}\u{06}".utf8), options: .backwards)?.lowerBound,
            end.count - record >= 22
        else { return nil }
        func number(at offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(end[record + offset + $1]) << (8 * $1) }
        }
        let (size, stated) = (number(at: 12), number(at: 16))
        let place = bytes.count - end.count + record
        // Bytes before the file make its offsets wrong.
        for start in [stated, place - size] where size > 0 && start >= 0 && start + size <= place {
            let directory = Data(bytes.dropFirst(start).prefix(size))
            if directory.starts(with: Data("PK\u{01}\u{02}".utf8)) { return directory }
        }
        return nil
    }

    /// Whether an EPUB container begins behind other bytes, of which a server or a mail program puts some before it.
    private static func holdsEPUB(_ bytes: Data) -> Bool {
        let sign = Data("mimetypeapplication/epub+zip".utf8)
        guard let found = bytes.prefix(1 << 16).range(of: sign) else { return false }
        let head = bytes[bytes.startIndex..<found.lowerBound].suffix(30)
        return head.count == 30 && head.starts(with: Data("PK\u{03}\u{04}".utf8))
    }

    /// Detects UTF-16 without a byte order mark: in common scripts every other byte is zero.
    ///
    /// NULs at the end pad a text; only numbers have control characters before them.
    package static func isUTF16(_ head: Data) -> Bool {
        let all = Array(head.prefix(1_024))
        let padding = all.reversed().prefix { $0 == 0 }.count
        // The last character may end with a NUL of its own.
        let bytes = all.prefix((all.count - padding + 1) / 2 * 2)
        guard bytes.count >= 4 else { return false }
        let even = stride(from: 0, to: bytes.count, by: 2).count { bytes[$0] == 0 }
        let odd = stride(from: 1, to: bytes.count, by: 2).count { bytes[$0] == 0 }
        let pairs = bytes.count / 2
        let isLittle = even == 0 && odd * 10 >= pairs * 7
        guard isLittle || (odd == 0 && even * 10 >= pairs * 7) else { return false }
        guard padding > 1 else { return true }
        return stride(from: 0, to: pairs * 2, by: 2).allSatisfy { index in
            let (low, high) = isLittle ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return high > 0 || low >= 0x20 || (0x09...0x0D).contains(low)
        }
    }

    /// The kind of subtitles that begin with `head`; their first lines are ASCII in nearly every encoding.
    private static func subtitles(_ head: Data) -> DocumentKind? {
        let letters = isUTF16(head) ? head.filter { $0 != 0 && $0 < 0x80 } : head
        switch CaptionWriter.Format(ofTextBeginning: String(decoding: letters, as: UTF8.self)) {
        case .subRip: return .srt
        case .webVTT: return .vtt
        case nil: return nil
        }
    }

    private static func isMarkup(_ head: Data) -> Bool {
        let start = String(decoding: head.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let first = start.prefix(64).lowercased()
        return first.hasPrefix("<?xml") || first.hasPrefix("<!doctype") || first.hasPrefix("<html")
    }
}

/// Signs in the first lines of a text that it is written in Markdown.
private struct MarkdownSigns {
    private var weight = 0
    private var lines = 0

    /// Plain text has an occasional “#” or “*”; Markdown has several of its marks, or many of one.
    var areEnough: Bool { weight >= 3 && weight * 200 >= lines }

    init(_ bytes: Data) {
        var isInFence = false
        for line in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2_000, omittingEmptySubsequences: true) {
            let line = line.prefix(400)
            lines += 1
            if line.starts(with: Data("```".utf8)) {
                isInFence.toggle()
                weight += 2
            } else if !isInFence {
                weight += Self.weight(of: String(decoding: line, as: UTF8.self))
            }
        }
    }

    private static func weight(of line: String) -> Int {
        if line.contains(#/^#{1,6} +\S/#) { return 2 }
        if line.contains(#/\]\((https?:|\.{0,2}/|#|mailto:|[\w/.-]+\.\w+\))/#) { return 2 }
        if line.contains(#/^\|.*\|\s*$/#) || line.contains(#/(^|\s)(\*\*|__)\w[^*_]*(\*\*|__)/#) { return 1 }
        if line.contains(#/^\s*([-*+] +\[[ xX]\] )|^> \S/#) || line.contains(#/`[^`]+`/#) { return 1 }
        return 0
    }
}

extension Data {
    /// The index at which `words`, in ASCII, first occur.
    ///
    /// `range(of:)` compares every byte, a thousand times as slow; files may have hundreds of megabytes.
    package func firstIndex(of words: StaticString) -> Index? {
        let length = words.utf8CodeUnitCount
        let offset = withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress else { return nil }
            var next = 0
            while next + length <= bytes.count {
                let left = bytes.count - length + 1 - next
                guard let found = memchr(start + next, Int32(words.utf8Start.pointee), left) else { return nil }
                let place = start.distance(to: UnsafeRawPointer(found))
                if memcmp(found, words.utf8Start, length) == 0 { return place }
                next = place + 1
            }
            return nil
        }
        return offset.map { startIndex + $0 }
    }
}
