internal import CPoppler
package import EchoText
internal import Foundation

/// Reads PDF with poppler, on the calling thread.
package struct PDFReader {
    /// The numbers of pages that are not read.
    private let leavingOut: Set<Int>

    package init(leavingOut: Set<Int> = []) {
        self.leavingOut = leavingOut
    }

    /// The lines as poppler returns them, without layout analysis.
    ///
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    package func lines(of file: DocumentFile) throws -> [String] {
        try printed(file).pages.flatMap { $0.lines.map(\.text) }
    }

    /// Reads all of `file`.
    ///
    /// - Parameters:
    ///   - file: A PDF.
    ///   - beginning: Called with each page's number before it is read.
    /// - Returns: The clean text.
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile, beginning: (Int) -> Void = { _ in }) throws -> DocumentText {
        try printed(file, beginning: beginning).text()
    }

    /// The printed pages, before layout analysis.
    func printed(_ file: DocumentFile, beginning: (Int) -> Void = { _ in }) throws -> PrintedDocument {
        let pdf = try PDFDocument(file)
        var document = PrintedDocument(title: pdf.title, author: pdf.author, language: Self.language(in: file.bytes))
        document.pages.reserveCapacity(pdf.pageCount)
        var bytes = 0
        for index in 0..<pdf.pageCount {
            try Task.checkCancellation()
            var page = PrintedPage(index: index, width: 0, height: 0, lines: [])
            if leavingOut.contains(index + 1) {
                document.unreadable.append(index)
            } else {
                beginning(index + 1)
                let isReadable = pdf.withPage(index) { handle in
                    document.labels[index] = PDFDocument.label(of: handle, index: index)
                    return Self.read(handle, into: &page)
                }
                if isReadable != true { document.unreadable.append(index) }
            }
            bytes += page.lines.reduce(0) { $0 + $1.text.utf8.count }
            guard bytes <= DocumentKind.mostText else { throw DocumentError.tooMuchInside }
            document.pages.append(page)
        }
        document.entries = pdf.outline(heights: document.pages.map(\.height))
        return document
    }

    private static func read(_ handle: OpaquePointer, into page: inout PrintedPage) -> Bool {
        var (width, height) = (0.0, 0.0)
        poppler_page_get_size(handle, &width, &height)
        (page.width, page.height) = (Float(width), Float(height))
        guard let lines = PDFPageText.lines(of: handle) else { return false }
        page.take(lines)
        return true
    }

    /// The language in the document's catalogue, if it is not compressed; poppler has no function for it.
    private static func language(in bytes: Data) -> String? {
        guard let place = bytes.range(of: Data("/Lang".utf8)) else { return nil }
        let rest = String(decoding: bytes[place.upperBound...].prefix(40), as: UTF8.self)
        guard let match = rest.prefixMatch(of: #/\s*\(([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\)/#) else { return nil }
        return LanguageTag.canonical(String(match.1))
    }
}

extension PDFReader {
    /// Draws a page.
    ///
    /// - Parameters:
    ///   - number: Counted from 1.
    ///   - file: A PDF.
    ///   - width: The width, in pixels.
    /// - Returns: The page in the given width, or narrower if it would be too high.
    /// - Throws: ``DocumentError``.
    func picture(of number: Int, in file: DocumentFile, width: Int) throws(DocumentError) -> PagePicture {
        let pdf = try PDFDocument(file)
        guard number >= 1, let picture = pdf.withPage(number - 1, { Self.draw($0, width: width) }) else {
            throw .noSuchPage(number)
        }
        guard let picture else { throw .noPicture }
        return picture
    }

    private static func draw(_ page: OpaquePointer, width: Int) -> PagePicture? {
        var (pageWidth, pageHeight) = (0.0, 0.0)
        poppler_page_get_size(page, &pageWidth, &pageHeight)
        guard pageWidth > 0, pageHeight > 0, pageWidth.isFinite, pageHeight.isFinite else { return nil }
        let scale = min(Double(width) / pageWidth, Double(PagePicture.highest) / pageHeight)
        let pixels = (width: max(Int(pageWidth * scale), 1), height: max(Int((pageHeight * scale).rounded()), 1))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(pixels.width), Int32(pixels.height)),
            let context = cairo_create(surface)
        else { return nil }
        defer {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
        }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_scale(context, scale, scale)
        poppler_page_render(page, context)
        return PNGSink.png(of: surface).map { PagePicture(png: $0, width: pixels.width, height: pixels.height) }
    }
}
