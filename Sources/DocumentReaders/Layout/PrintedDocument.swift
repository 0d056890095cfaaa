import EchoText

/// The printed pages of a document, and its metadata.
struct PrintedDocument: Sendable {
    /// An entry of the document's outline.
    struct Entry: Sendable {
        var title: String
        /// Counted from 1.
        var level: Int
        /// Counted from 0.
        var page: Int
        /// The position on that page, in points from its top; `nil` for the whole page.
        var top: Float?
    }

    var title: String?
    var author: String?
    var language: String?
    /// All pages; those that could not be read have no lines.
    var pages: [PrintedPage] = []
    var fonts = DocumentFonts()
    /// Whether the file holds a form of which poppler finds no field.
    var isUnreadForm = false
    /// Whether letters of some fonts were left out, since it is not known which they are.
    var lacksLetters = false
    /// How many files are attached, which are not read.
    var attachments = 0
    /// The labels of pages, where they differ from the numbers.
    var labels: [Int: String] = [:]
    var entries: [Entry] = []
    /// The pages that could not be read, counted from 0.
    var unreadable: [Int] = []

    mutating func add(_ page: PrintedPage) {
        var page = page
        fonts.add(&page)
        pages.append(page)
    }

    /// Whether its pages are placeholders for a form that poppler does not read.
    ///
    /// An XFA form has a page that asks for another program; it is detected in compressed files too.
    private var showsUnreadForm: Bool {
        if isUnreadForm { return true }
        guard pages.count == 1, let page = pages.first, page.formFields == 0 else { return false }
        let words = page.lines.map(\.text).joined(separator: " ")
        return words.hasPrefix("Please wait...") && words.contains("Adobe Reader")
    }

    /// The document's text, clean.
    ///
    /// - Throws: ``DocumentError/noText``, ``DocumentError/blank``, ``DocumentError/unknownLetters`` or
    ///   ``DocumentError/damaged(_:)`` where there is no text, and `CancellationError` when the calling task is cancelled.
    func text(kind: DocumentKind = .pdf) throws -> DocumentText {
        guard pages.contains(where: { !$0.isBlank }) else { throw reasonForNoText(kind) }
        let layout = try PageLayout(pages)
        var writer = PrintedTextWriter(pages: pages.count)
        for page in pages.indices {
            try Task.checkCancellation()
            layout.write(page, into: &writer)
        }
        writer.finish()
        let headings = HeadingLevels(writer.headings)
        let chapters = chapters(writer, headings).chapters(length: writer.builder.length)
        let structure = DocumentStructure(
            kind: kind,
            title: title,
            author: author,
            language: language ?? LanguageSample.language(of: writer.builder.text),
            pages: writer.pageStarts.indices.map { index in
                let end = index + 1 < writer.pageStarts.count ? writer.pageStarts[index + 1] : writer.builder.length
                return DocumentPage(number: index + 1, label: labels[index], range: writer.pageStarts[index]..<end)
            },
            chapters: chapters,
            blocks: writer.blocks(headings),
            marks: writer.marks,
            notices: writer.places.isEmpty ? notices(bare: []) + [.onlyRunningLines] : notices(bare: layout.bare)
        )
        return DocumentText(text: writer.builder.text, structure: structure)
    }

    private func reasonForNoText(_ kind: DocumentKind) -> DocumentError {
        if lacksLetters || !unknownPages(fonts.garbledLetters).isEmpty { return .unknownLetters }
        if pages.contains(where: { $0.hasPictures || $0.tickedBoxes > 0 }) { return .noText }
        return unreadable.isEmpty ? .blank : .damaged(kind)
    }

    /// Finds the pages with so many unknown letters that the others are probably wrong too; unknown bullets and symbols
    /// are common.
    ///
    /// - Parameter garbled: How many letters of each page, counted from 0, are garbled.
    /// - Returns: The indices of the pages, from 0.
    private func unknownPages(_ garbled: [Int: Int]) -> Set<Int> {
        let unknown = pages.filter { page in
            let count = page.unknown.count + garbled[page.index, default: 0]
            return count > 4 && count * 20 > page.unknown.count + page.bytes
        }
        return Set(unknown.map(\.index))
    }

    /// Makes the notices about the pages.
    ///
    /// - Parameter bare: The pages, counted from 0, that have nothing but running lines.
    /// - Returns: The notices in the order in which they are shown.
    private func notices(bare: Set<Int>) -> [DocumentNotice] {
        let garbled = fonts.garbledLetters
        let unknown = unknownPages(garbled)
        var notices: [DocumentNotice] = []
        func add(_ notice: ([Int]) -> DocumentNotice, _ pages: [PrintedPage]) {
            if !pages.isEmpty { notices.append(notice(pages.map { $0.index + 1 })) }
        }
        if !unreadable.isEmpty { notices.append(.unreadablePages(unreadable.map { $0 + 1 })) }
        add(DocumentNotice.unknownLetters, pages.filter { unknown.contains($0.index) })
        add(
            DocumentNotice.unknownSigns,
            pages.filter { page in
                !unknown.contains(page.index)
                    && (lacksLetters || page.unknown.missing + garbled[page.index, default: 0] > 0)
            }
        )
        if showsUnreadForm { notices.append(.unreadForm) }
        let ticked = pages.reduce(0) { $0 + $1.tickedBoxes }
        if ticked > 0 { notices.append(.tickedBoxes(ticked)) }
        let comments = pages.reduce(0) { $0 + $1.comments }
        if comments > 0 { notices.append(.comments(comments)) }
        let parts = pages.reduce(attachments) { $0 + $1.unreadParts }
        if parts > 0 { notices.append(.embeddedParts(parts)) }
        let unread = Set(unreadable)
        add(
            DocumentNotice.pagesWithoutText,
            pages.filter { page in
                page.isBlank && !unknown.contains(page.index) && !unread.contains(page.index)
                    || bare.contains(page.index)
            }
        )
        return notices
    }

    /// The chapters by the outline, or by the headings if there is no outline.
    private func chapters(_ writer: PrintedTextWriter, _ levels: HeadingLevels) -> ChapterList {
        var list = ChapterList()
        guard !entries.isEmpty else {
            let headings = writer.headings.filter { levels.level(of: $0) != nil }
            guard headings.count > 1 else { return list }
            for heading in headings {
                list.add(heading.text, level: levels.level(of: heading) ?? 1, start: heading.range.lowerBound)
            }
            return list
        }
        for entry in entries where pages.indices.contains(entry.page) {
            list.add(entry.title, level: entry.level, start: writer.place(of: entry))
        }
        return list
    }
}

/// Maps the sizes of headings to levels.
struct HeadingLevels {
    private let sizes: [Int]

    init(_ headings: [PrintedTextWriter.Place]) {
        sizes = Array(Set(headings.map(Self.rank))).sorted(by: >)
    }

    /// The level, counted from 1; `nil` for text that is not a heading.
    func level(of place: PrintedTextWriter.Place) -> Int? {
        guard place.kind == .heading, let index = sizes.firstIndex(of: Self.rank(place)) else { return nil }
        return min(index + 1, 6)
    }

    private static func rank(_ place: PrintedTextWriter.Place) -> Int { Int((place.size * 2).rounded()) }
}

/// The layout of all pages: running lines, columns and footnotes.
struct PageLayout {
    private struct Page {
        var top: [(PrintedRole, String)] = []
        var columns: [[PrintedRow]] = []
        var paragraphs: [[PrintedParagraph]] = []
        var footnotes: [[PrintedRow]] = []
        var bottom: [(PrintedRole, String)] = []
    }

    private var pages: [Page] = []
    private let bodySize: Float
    private var usesIndents = false
    private var ends = LineEnds()
    /// The last row of text so far, on any page.
    private var lastRow: String?
    /// Whether the page before ends within a footnote.
    private var hasOpenNote = false

    /// - Throws: `CancellationError` when the calling task is cancelled.
    init(_ printed: [PrintedPage]) throws {
        let rows = printed.map { (rows: PrintedRow.rows(of: $0.lines), height: $0.height) }
        let roles = RunningLines(in: rows).roles
        bodySize = Self.usualSize(printed)
        for (index, page) in printed.enumerated() {
            try Task.checkCancellation()
            pages.append(layOut(rows[index].rows, roles[index], page))
        }
        for index in pages.indices {
            try Task.checkCancellation()
            pages[index].paragraphs = pages[index].columns.map { column in
                ColumnParagraphs(column, bodySize: bodySize, ends: ends).paragraphs(page: index)
            }
            pages[index].columns = []
        }
        usesIndents = Self.usesIndents(pages.flatMap { $0.paragraphs.joined() })
    }

    /// Whether most paragraphs are indented, so that a paragraph without indent continues another.
    private static func usesIndents(_ paragraphs: [PrintedParagraph]) -> Bool {
        let long = paragraphs.filter { $0.kind == .plain && $0.text.utf8.count > 100 }
        return long.count { $0.isIndented } * 2 > long.count
    }

    private mutating func layOut(_ rows: [PrintedRow], _ roles: [Int: PrintedRole], _ printed: PrintedPage) -> Page {
        let height = printed.height
        var page = Page()
        var body: [PrintedLine] = []
        for (index, row) in rows.enumerated() {
            guard let role = roles[index] else {
                body += row.cells
                continue
            }
            if row.box.middle < height / 2 {
                page.top.append((role, row.text))
            } else {
                page.bottom.append((role, row.text))
            }
        }
        let hasOpen = hasOpenNote
        hasOpenNote = false
        for column in ReadingOrder.columns(of: body) {
            let rows = PrintedRow.rows(of: column)
            let notes = Footnotes.count(in: rows, bodySize: bodySize, height: height, hasOpen: hasOpen)
            if notes > 0 { hasOpenNote = rows.last.map { Footnotes.isOpen($0.text) } ?? false }
            page.columns.append(Array(rows.dropLast(notes)))
            page.footnotes.append(Array(rows.suffix(notes)))
            for row in rows.dropLast(notes) {
                ends.learn(row.text, follows: lastRow)
                lastRow = row.text
            }
        }
        for lines in printed.turned {
            page.columns += ReadingOrder.columns(of: lines).map(PrintedRow.rows)
        }
        page.footnotes += Array(repeating: [], count: page.columns.count - page.footnotes.count)
        return page
    }

    /// Pages, counted from 0, that have nothing but running lines.
    var bare: Set<Int> {
        Set(
            pages.indices.filter { index in
                let page = pages[index]
                return !(page.top.isEmpty && page.bottom.isEmpty) && page.paragraphs.allSatisfy(\.isEmpty)
                    && page.footnotes.allSatisfy(\.isEmpty)
            }
        )
    }

    func write(_ index: Int, into writer: inout PrintedTextWriter) {
        let page = pages[index]
        writer.begin(page: index)
        for (role, text) in page.top { writer.add(role, text) }
        for (paragraphs, notes) in zip(page.paragraphs, page.footnotes) {
            for (place, paragraph) in paragraphs.enumerated() {
                let isUnindented = usesIndents && place == 0 && !paragraph.isIndented
                writer.add(paragraph, isRest: isUnindented, ends: ends)
            }
            for note in footnotes(notes) { writer.add(.footnote, note) }
        }
        for (role, text) in page.bottom { writer.add(role, text) }
    }

    private func footnotes(_ rows: [PrintedRow]) -> [String] {
        var notes: [String] = []
        for row in rows {
            if notes.isEmpty || Footnotes.starts(row) {
                notes.append(row.text)
            } else {
                var note = notes.removeLast()
                let joint = ends.joint(of: note, and: row.text)
                if joint.dropping > 0 { note.unicodeScalars.removeLast() }
                notes.append(note + joint.adding + row.text)
            }
        }
        return notes
    }

    /// The most common size of characters.
    private static func usualSize(_ pages: [PrintedPage]) -> Float {
        var counts: [Int: Int] = [:]
        for page in pages {
            for line in page.lines + page.turned.joined() {
                counts[Int((line.size * 4).rounded()), default: 0] += line.text.utf8.count
            }
        }
        return Float(counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 40) / 4
    }
}
