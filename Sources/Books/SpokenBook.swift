import EchoText
import Foundation

/// The files of an EPUB 3 that reads along (with media overlays).
///
/// - SeeAlso: EPUB 3.2, EPUB Packages 3.2 and EPUB Media Overlays 3.2.
struct SpokenBook {
    private let book: RecordedBook

    init(_ book: RecordedBook) {
        self.book = book
    }

    static func page(_ number: Int) -> String { "chapter-\(number).xhtml" }
    static func overlay(_ number: Int) -> String { "chapter-\(number).smil" }
    static func sound(_ number: Int) -> String { "chapter-\(number).mp3" }

    static let container = """
        <?xml version="1.0" encoding="UTF-8"?>
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
        <rootfiles>
        <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
        </rootfiles>
        </container>

        """

    static let style = """
        body { line-height: 1.5 }
        .spoken { background-color: #ffe9a8; color: #000 }

        """

    // MARK: - Package

    /// The package document.
    func packageDocument(at time: Date) -> String {
        let numbers = book.chapters.indices.map { $0 + 1 }
        let total = book.chapters.reduce(0) { $0 + $1.samples.count }
        var metadata = [
            "<dc:identifier id=\"id\">urn:uuid:\(book.item.id.rawValue.xml)</dc:identifier>",
            "<dc:title>\(book.item.name.text.xml)</dc:title>", "<dc:language>\(book.item.language.xml)</dc:language>",
            "<meta property=\"dcterms:modified\">\(Self.second(time))</meta>",
            "<meta property=\"media:active-class\">spoken</meta>",
            "<meta property=\"media:duration\">\(clock(total))</meta>",
        ]
        if let voice = book.item.narration?.voiceName {
            metadata.append("<meta property=\"media:narrator\">\(voice.xml)</meta>")
        }
        if let author = book.author { metadata.append("<dc:creator>\(author.xml)</dc:creator>") }
        var items = [
            "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>",
            "<item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>",
        ]
        if let cover = book.cover {
            items.append(
                "<item id=\"cover\" href=\"\(cover.fileName)\" media-type=\"\(cover.mediaType)\" properties=\"cover-image\"/>"
            )
        }
        for (number, chapter) in zip(numbers, book.chapters) {
            metadata.append(
                "<meta property=\"media:duration\" refines=\"#overlay-\(number)\">\(clock(chapter.samples.count))</meta>"
            )
            items += [
                "<item id=\"page-\(number)\" href=\"\(Self.page(number))\" media-type=\"application/xhtml+xml\" media-overlay=\"overlay-\(number)\"/>",
                "<item id=\"overlay-\(number)\" href=\"\(Self.overlay(number))\" media-type=\"application/smil+xml\"/>",
                "<item id=\"sound-\(number)\" href=\"\(Self.sound(number))\" media-type=\"audio/mpeg\"/>",
            ]
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
            \(metadata.joined(separator: "\n"))
            </metadata>
            <manifest>
            \(items.joined(separator: "\n"))
            </manifest>
            <spine>
            \(numbers.map { "<itemref idref=\"page-\($0)\"/>" }.joined(separator: "\n"))
            </spine>
            </package>

            """
    }

    var navigation: String {
        let points = book.chapters.enumerated().map { index, chapter in
            "<li><a href=\"\(Self.page(index + 1))\">\(chapter.title.xml)</a></li>"
        }
        return html(
            title: book.item.name.text,
            body: """
                <nav epub:type="toc" id="toc">
                <h1>\(book.item.name.text.xml)</h1>
                <ol>
                \(points.joined(separator: "\n"))
                </ol>
                </nav>
                """
        )
    }

    // MARK: - Pages

    /// A chapter's page, and its media overlay.
    func page(_ number: Int) -> (text: String, overlay: String) {
        let chapter = book.chapters[number - 1]
        let sentences = book.timings.filter { sentence in
            chapter.text.contains(sentence.source.lowerBound) && !sentence.samples.isEmpty
        }
        var writer = PageWriter(book.text, from: chapter.text.lowerBound)
        for (index, sentence) in sentences.enumerated() {
            let range = sentence.source.clamped(to: 0..<chapter.text.upperBound)
            writer.add(range, under: "s\(index + 1)")
        }
        writer.finish(at: chapter.text.upperBound)
        let fragments = sentences.enumerated().map { index, sentence in
            let start = sentence.samples.lowerBound - chapter.samples.lowerBound
            let end = min(sentence.samples.upperBound, chapter.samples.upperBound) - chapter.samples.lowerBound
            return """
                <par id="p\(index + 1)">
                <text src="\(Self.page(number))#s\(index + 1)"/>
                <audio src="\(Self.sound(number))" clipBegin="\(clock(max(0, start)))" clipEnd="\(clock(max(start, end)))"/>
                </par>
                """
        }
        let overlay = """
            <?xml version="1.0" encoding="UTF-8"?>
            <smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" version="3.0">
            <body>
            <seq id="seq" epub:textref="\(Self.page(number))#chapter">
            \(fragments.joined(separator: "\n"))
            </seq>
            </body>
            </smil>

            """
        return (html(title: chapter.title, body: "<section id=\"chapter\">\n\(writer.body)\n</section>"), overlay)
    }

    private func html(title: String, body: String) -> String {
        let language = book.item.language.xml
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="\(language)" lang="\(language)">
            <head>
            <title>\(title.xml)</title>
            <link rel="stylesheet" type="text/css" href="style.css"/>
            </head>
            <body>
            \(body)
            </body>
            </html>

            """
    }

    // MARK: - Times

    /// “1:02:03.456”.
    private func clock(_ samples: Int) -> String {
        let thousandths = (samples * 1_000 + book.item.sampleRate / 2) / book.item.sampleRate
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let seconds = thousandths / 1_000
        return
            "\(seconds / 3_600):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)).\(digits(thousandths % 1_000, 3))"
    }

    private static func second(_ time: Date) -> String { time.formatted(Date.ISO8601FormatStyle()) }
}

/// Writes a text as paragraphs, with an element for each spoken sentence.
private struct PageWriter {
    private let units: [UInt16]
    private var position: Int
    private var paragraphs: [String] = []
    private var paragraph = ""

    init(_ text: String, from start: Int) {
        units = Array(text.utf16)
        position = start
    }

    mutating func add(_ sentence: TextRange, under id: String) {
        guard sentence.lowerBound >= position, !sentence.isEmpty else { return }
        copy(upTo: sentence.lowerBound)
        paragraph += "<span id=\"\(id)\">\(xml(sentence))</span>"
        position = sentence.upperBound
    }

    mutating func finish(at end: Int) {
        copy(upTo: end)
        endParagraph()
    }

    var body: String { paragraphs.isEmpty ? "<p></p>" : paragraphs.joined(separator: "\n") }

    /// The text between sentences without its tags for pauses; a blank line ends a paragraph.
    private mutating func copy(upTo end: Int) {
        // The times of a damaged library may go beyond the text.
        let end = min(end, units.count)
        guard position < end else { return }
        let parts = Self.withoutPauses(String(decoding: units[position..<end], as: UTF16.self))
            .replacing("\r\n", with: "\n").split(separator: "\n\n", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index > 0 { endParagraph() }
            paragraph += String(part).xml
        }
        position = end
    }

    private static func withoutPauses(_ text: String) -> String {
        guard text.contains("[") else { return text }
        var kept = ""
        for case .text(let range) in PauseTags.split(text, at: 0) { kept += text.part(range) }
        return kept
    }

    private mutating func endParagraph() {
        let text = paragraph.trimmingCharacters(in: .whitespacesAndNewlines)
        if !text.isEmpty { paragraphs.append("<p>\(text)</p>") }
        paragraph = ""
    }

    private func xml(_ range: TextRange) -> String {
        String(decoding: units[range.clamped(to: 0..<units.count)], as: UTF16.self).xml
    }
}

extension CoverImage {
    fileprivate var mediaType: String { kind == .jpeg ? "image/jpeg" : "image/png" }

    var fileName: String { kind == .jpeg ? "cover.jpg" : "cover.png" }
}

extension String {
    /// The string as XML text: markup is escaped, and characters that XML does not allow are omitted.
    var xml: String {
        let allowed = String.UnicodeScalarView(
            unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x9, 0xA, 0xD: true
                case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
                default: true
                }
            }
        )
        return String(allowed).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
