import CPoppler
import Glibc

/// Extracts the lines of a page: poppler's text, combined with the position and font of each character.
struct PDFPageText {
    private struct Letter {
        var scalar: Unicode.Scalar
        var box: PrintedBox
        /// Its index among all characters, as poppler counts them.
        var place: Int
    }

    private let width: Float
    private let height: Float
    private let runs: [PDFRun]
    private var run = 0
    private var fonts: PageFonts
    /// The letters of poppler's line that is being read.
    private var letters: [Letter] = []
    private var lines: [TextTurn: [PrintedLine]] = [:]
    private var turn = TextTurn.upright
    private var line = LineInProgress()

    private init(width: Float, height: Float, runs: [PDFRun], fonts: [String]) {
        (self.width, self.height) = (width, height)
        self.runs = runs
        self.fonts = PageFonts(names: fonts)
    }

    /// Reads the lines of a page into `page`, whose size is known; on a right-to-left page their boxes are mirrored.
    ///
    /// - Returns: Whether the page's text can be read.
    static func read(_ handle: OpaquePointer, into page: inout PrintedPage) -> Bool {
        guard let text = poppler_page_get_text(handle) else { return false }
        defer { g_free(text) }
        // Poppler puts this mark before all right-to-left text.
        if strstr(text, "\u{202B}") != nil {
            return DirectedPageText.read(handle, into: &page)
        }
        var boxes: UnsafeMutablePointer<PopplerRectangle>?
        var count: guint = 0
        guard poppler_page_get_text_layout(handle, &boxes, &count) != 0 else { return true }
        defer { g_free(boxes) }
        let attributes = poppler_page_get_text_attributes(handle)
        defer { poppler_page_free_text_attributes(attributes) }
        let (runs, fonts) = PDFRun.runs(in: attributes)
        var reader = PDFPageText(width: page.width, height: page.height, runs: runs, fonts: fonts)
        reader.read(text, UnsafeBufferPointer(start: boxes, count: Int(count)))
        page.take(reader.lines)
        page.take(reader.line.unknown, reader.fonts)
        return true
    }

    private mutating func read(_ text: UnsafeMutablePointer<CChar>, _ boxes: UnsafeBufferPointer<PopplerRectangle>) {
        var cursor = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        var character = 0
        var box = 0
        while cursor.pointee != 0 {
            let scalar = Self.next(&cursor)
            defer { character += 1 }
            // Direction marks have no position on the page.
            if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) { continue }
            guard box < boxes.count else { break }
            let place = boxes[box]
            box += 1
            if scalar == "\n" {
                takeLetters()
            } else {
                letters.append(Letter(scalar: scalar, box: PrintedBox(place), place: character))
            }
        }
        takeLetters()
    }

    private mutating func takeLetters() {
        turn = TextTurn(of: letters.lazy.map(\.box))
        for letter in letters {
            take(letter.scalar, at: turn.upright(letter.box, width: width, height: height), letter.place)
        }
        letters.removeAll(keepingCapacity: true)
        endLine()
    }

    /// Reads the character at `cursor` and advances it; U+FFFD for invalid UTF-8.
    private static func next(_ cursor: inout UnsafePointer<UInt8>) -> Unicode.Scalar {
        let first = cursor.pointee
        cursor += 1
        guard first >= 0xC0 else { return first < 0x80 ? Unicode.Scalar(first) : "\u{FFFD}" }
        let following = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        var value = UInt32(first) & (0x3F >> UInt32(following))
        for _ in 0..<following {
            guard cursor.pointee & 0xC0 == 0x80 else { return "\u{FFFD}" }
            value = value << 6 | UInt32(cursor.pointee & 0x3F)
            cursor += 1
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private mutating func take(_ scalar: Unicode.Scalar, at box: PrintedBox, _ character: Int) {
        while run + 1 < runs.count, character > runs[run].end { run += 1 }
        let type = run < runs.count ? runs[run] : PDFRun(end: 0, size: box.height, isBold: false, font: 0)
        fonts.add(scalar, font: type.font)
        if line.isCut(before: box, size: type.size) { endLine() }
        line.take(scalar, at: box, size: type.size, isBold: type.isBold)
    }

    private mutating func endLine() {
        if let whole = line.finished() { lines[turn, default: []].append(whole) }
        line.begin()
    }
}

/// A range of characters in one font, as poppler counts them.
struct PDFRun {
    var end: Int
    var size: Float
    var isBold: Bool
    /// Its index among the fonts of the page.
    var font: Int

    /// - Parameter list: Poppler's attributes.
    /// - Returns: The ranges in order, and the names of the fonts.
    static func runs(in list: UnsafeMutablePointer<GList>?) -> (runs: [PDFRun], fonts: [String]) {
        var runs: [PDFRun] = []
        var fonts: [String] = []
        var node = list
        while let current = node {
            if let attributes = current.pointee.data?.assumingMemoryBound(to: PopplerTextAttributes.self) {
                let name = attributes.pointee.font_name.map { String(cString: $0).lowercased() } ?? ""
                let isBold = ["bold", "medi", "black", "heavy", "cmbx"].contains { name.contains($0) }
                let size = Float(attributes.pointee.font_size)
                let font = fonts.firstIndex(of: name) ?? fonts.count
                if font == fonts.count { fonts.append(name) }
                runs.append(
                    PDFRun(
                        end: Int(attributes.pointee.end_index),
                        size: size,
                        isBold: isBold && !name.contains("medium"),
                        font: font
                    )
                )
            }
            node = current.pointee.next
        }
        return (runs, fonts)
    }
}

extension PrintedBox {
    init(_ box: PopplerRectangle) {
        self.init(left: Float(box.x1), top: Float(box.y1), right: Float(box.x2), bottom: Float(box.y2))
    }
}
