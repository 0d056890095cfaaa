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
        try printed(file).pages.flatMap { ($0.lines + $0.turned.joined()).map(\.text) }
    }

    /// Reads all of `file`.
    ///
    /// - Parameters:
    ///   - file: A PDF.
    ///   - beginning: Called with each page's number before it is read, and before it is drawn where no page has text.
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
        document.attachments = pdf.attachments
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
            bytes += page.bytes
            guard bytes <= DocumentKind.maximumText else { throw DocumentError.tooMuchInside }
            document.add(page)
        }
        let isEmpty = document.pages.allSatisfy { $0.isBlank && !$0.hasPictures }
        if isEmpty { try Self.findDrawings(in: pdf, of: &document, beginning: beginning) }
        let hasFields = document.pages.contains { $0.formFields > 0 }
        document.isUnreadForm = !hasFields && Self.namesDynamicForm(file.bytes)
        document.lacksLetters = Self.lacksLetterLists(for: file.bytes)
        document.entries = pdf.outline(heights: document.pages.map { $0.turn == .upright ? $0.height : 0 })
        return document
    }

    private static func read(_ handle: OpaquePointer, into page: inout PrintedPage) -> Bool {
        var (width, height) = (0.0, 0.0)
        poppler_page_get_size(handle, &width, &height)
        (page.width, page.height) = (Float(width), Float(height))
        guard PDFPageText.read(handle, into: &page) else { return false }
        PDFAddedText.read(handle, size: (Float(width), Float(height)), into: &page)
        if page.isBlank {
            let pictures = poppler_page_get_image_mapping(handle)
            page.hasPictures = pictures != nil
            poppler_page_free_image_mapping(pictures)
        }
        return true
    }

    /// How many pages without text are looked at for drawings.
    private static let mostDrawn = 20

    /// Finds out whether anything is seen on pages without text, such as letters that are drawn as outlines.
    private static func findDrawings(
        in pdf: borrowing PDFDocument,
        of document: inout PrintedDocument,
        beginning: (Int) -> Void
    ) throws {
        let unreadable = Set(document.unreadable)
        for index in document.pages.indices.filter({ !unreadable.contains($0) }).prefix(mostDrawn) {
            try Task.checkCancellation()
            // Drawing a page may crash this process, as reading one may.
            beginning(index + 1)
            let isDrawn = pdf.withPage(index) { page in withSurface(of: page, width: 400) { $0.isDrawn } ?? false }
            guard isDrawn == true else { continue }
            document.pages[index].hasPictures = true
            return
        }
    }

    /// Whether the file holds a form in XFA, which poppler does not read, if that is not compressed.
    private static func namesDynamicForm(_ bytes: Data) -> Bool {
        // Fonts and pictures have names that begin so.
        bytes.values(of: "/XFA").contains { $0.prefixMatch(of: #/\s*(\[|<<|\d+ \d+ R)/#) != nil }
    }

    /// Poppler's lists of letters, which Debian has in a package of their own, `poppler-data`.
    private static let letterLists = "/usr/share/poppler/cMap"

    /// Whether a font numbers its letters by one of the lists for Chinese, Japanese and Korean, if that is not compressed,
    /// and this machine has none; poppler leaves such letters out.
    private static func lacksLetterLists(for bytes: Data) -> Bool {
        guard !FileManager.default.fileExists(atPath: letterLists) else { return false }
        return bytes.values(of: "/Encoding").contains { value in
            let name = value.prefixMatch(of: #/\s*\/((?:[A-Za-z0-9]+-)*[HV])\b/#)?.1
            return name.map { !$0.hasPrefix("Identity") } ?? false
        }
    }

    /// The language in the document's catalogue, if it is not compressed; poppler has no function for it.
    private static func language(in bytes: Data) -> String? {
        guard let value = bytes.values(of: "/Lang").first(where: { _ in true }),
            let match = value.prefixMatch(of: #/\s*\(([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\)/#)
        else { return nil }
        return LanguageTag.stated(String(match.1))
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
        withSurface(of: page, width: width) { $0.picture } ?? nil
    }

    /// Calls `body` with a page that is drawn on white, which it must not keep; `nil` for a page without a size.
    private static func withSurface<Result>(
        of page: OpaquePointer,
        width: Int,
        _ body: (DrawnPage) -> Result
    ) -> Result? {
        var (pageWidth, pageHeight) = (0.0, 0.0)
        poppler_page_get_size(page, &pageWidth, &pageHeight)
        guard pageWidth > 0, pageHeight > 0, pageWidth.isFinite, pageHeight.isFinite else { return nil }
        let scale = min(Double(width) / pageWidth, Double(PagePicture.highest) / pageHeight)
        // A page of the smallest sizes cannot be drawn so large.
        guard scale.isFinite else { return nil }
        let pixels = (width: max(Int(pageWidth * scale), 1), height: max(Int((pageHeight * scale).rounded()), 1))
        return DrawnPage.onWhite(width: pixels.width, height: pixels.height) { drawn, context in
            cairo_scale(context, scale, scale)
            poppler_page_render(page, context)
            return body(drawn)
        }
    }
}
