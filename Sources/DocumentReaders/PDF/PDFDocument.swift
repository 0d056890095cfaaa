import CPoppler
import EchoText
import Foundation

/// Owns one open PDF.
struct PDFDocument: ~Copyable {
    private let handle: OpaquePointer
    let pageCount: Int

    /// - Throws: ``DocumentError/encrypted(wrong:)``, ``DocumentError/protectedByDRM``, ``DocumentError/damaged(_:)``,
    ///   ``DocumentError/tooManyPages(limit:)``.
    init(_ file: DocumentFile) throws(DocumentError) {
        let opened = Self.open(file)
        guard let opened = opened.handle else {
            if Self.namesForeignLock(file.bytes) { throw .protectedByDRM }
            throw opened.isEncrypted ? .encrypted(wrong: file.password != nil) : .damaged(.pdf)
        }
        let count = Int(poppler_document_get_n_pages(opened))
        guard (1...DocumentKind.maximumPages).contains(count) else {
            g_object_unref(UnsafeMutableRawPointer(opened))
            throw count > 0 ? .tooManyPages(limit: DocumentKind.maximumPages) : .damaged(.pdf)
        }
        handle = opened
        pageCount = count
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    var title: String? {
        let title = Self.string(poppler_document_get_title(handle))
        return title.map { $0.replacing("Microsoft Word - ", with: "") }?.asOneLine()
    }

    var author: String? { Self.string(poppler_document_get_author(handle))?.asOneLine() }

    /// How many files are attached to the document.
    var attachments: Int { Int(poppler_document_get_n_attachments(handle)) }

    /// Calls `body` with a page.
    ///
    /// - Parameters:
    ///   - index: Counted from 0.
    ///   - body: Reads the page; must not keep it.
    /// - Returns: The result of `body`; `nil` when the page cannot be opened.
    borrowing func withPage<Result>(_ index: Int, _ body: (OpaquePointer) throws -> Result) rethrows -> Result? {
        guard index < pageCount, let page = poppler_document_get_page(handle, Int32(index)) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        return try body(page)
    }

    /// The label of page `index`, unless it equals its number.
    static func label(of page: OpaquePointer, index: Int) -> String? {
        let label = string(poppler_page_get_label(page))?.asOneLine(longest: 40)
        return label == String(index + 1) ? nil : label
    }

    private static func open(_ file: DocumentFile) -> (handle: OpaquePointer?, isEncrypted: Bool) {
        file.bytes.withUnsafeBytes { bytes in
            let shared = g_bytes_new(bytes.baseAddress, gsize(bytes.count))
            defer { g_bytes_unref(shared) }
            var error: UnsafeMutablePointer<GError>?
            let handle: OpaquePointer?
            if let password = file.password {
                // poppler 22.12 crashes on bytes with a wrong password, but not on a stream of them.
                let stream = g_memory_input_stream_new_from_bytes(shared)
                handle = poppler_document_new_from_stream(stream, goffset(bytes.count), password, nil, &error)
                g_object_unref(stream)
            } else {
                handle = poppler_document_new_from_bytes(shared, nil, &error)
            }
            let isEncrypted = error.map { $0.pointee.code == gint(POPPLER_ERROR_ENCRYPTED.rawValue) } ?? false
            g_clear_error(&error)
            return (handle, isEncrypted)
        }
    }

    /// Whether the file is protected by a bookseller's DRM, which is not part of the format and has no password.
    private static func namesForeignLock(_ bytes: Data) -> Bool {
        let names: [StaticString] = ["/EBX_HANDLER", "/FOPN_foweb", "/FileOpen", "/Adobe.APS"]
        return names.contains { bytes.firstIndex(of: $0) != nil }
    }

    private static func string(_ string: UnsafeMutablePointer<CChar>?) -> String? {
        defer { g_free(string) }
        return string.map { String(cString: $0) }
    }
}

extension PDFDocument {
    private static let maximumEntries = 5_000

    /// The entries of the document's outline that refer to its own pages.
    ///
    /// - Parameter heights: The heights of the pages, in points; 0 for those on which no position is looked for.
    /// - Returns: The entries in order, at most 5,000.
    borrowing func outline(heights: [Float]) -> [PrintedDocument.Entry] {
        var entries: [PrintedDocument.Entry] = []
        guard let iterator = poppler_index_iter_new(handle) else { return [] }
        defer { poppler_index_iter_free(iterator) }
        var seen = 0
        readOutline(iterator, level: 1, heights: heights, seen: &seen, into: &entries)
        return entries
    }

    private borrowing func readOutline(
        _ iterator: OpaquePointer,
        level: Int,
        heights: [Float],
        seen: inout Int,
        into entries: inout [PrintedDocument.Entry]
    ) {
        repeat {
            seen += 1
            guard seen <= Self.maximumEntries else { return }
            if let action = poppler_index_iter_get_action(iterator) {
                if let entry = entry(action, level: level, heights: heights) { entries.append(entry) }
                poppler_action_free(action)
            }
            // This limit ends an outline that contains itself.
            guard level < DocumentChapter.deepestLevel, let child = poppler_index_iter_get_child(iterator) else {
                continue
            }
            readOutline(child, level: level + 1, heights: heights, seen: &seen, into: &entries)
            poppler_index_iter_free(child)
        } while poppler_index_iter_next(iterator) != 0
    }

    private borrowing func entry(
        _ action: UnsafeMutablePointer<PopplerAction>,
        level: Int,
        heights: [Float]
    ) -> PrintedDocument.Entry? {
        guard action.pointee.type == POPPLER_ACTION_GOTO_DEST, let title = action.pointee.any.title,
            let target = action.pointee.goto_dest.dest
        else { return nil }
        let isNamed = target.pointee.type == POPPLER_DEST_NAMED
        let named = isNamed ? target.pointee.named_dest.flatMap { poppler_document_find_dest(handle, $0) } : nil
        defer { if let named { poppler_dest_free(named) } }
        guard let place = isNamed ? named : target else { return nil }
        let page = Int(place.pointee.page_num) - 1
        guard heights.indices.contains(page) else { return nil }
        let hasTop = place.pointee.type == POPPLER_DEST_XYZ || place.pointee.type == POPPLER_DEST_FITH
        let top = hasTop && place.pointee.top > 0 && heights[page] > 0 ? heights[page] - Float(place.pointee.top) : nil
        return PrintedDocument.Entry(title: String(cString: title), level: level, page: page, top: top)
    }
}

extension Data {
    /// The beginnings of the values behind a name in a PDF, up to 40 bytes each, in order, where they are not compressed.
    func values(of name: StaticString) -> some Sequence<String> {
        sequence(state: self) { rest in
            guard let place = rest.firstIndex(of: name) else { return nil }
            rest = rest[(place + name.utf8CodeUnitCount)...]
            return String(decoding: rest.prefix(40), as: UTF8.self)
        }
    }
}
