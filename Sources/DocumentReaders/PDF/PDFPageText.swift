import CPoppler

/// Extracts the lines of a page: poppler's text, combined with the position and font of each character.
struct PDFPageText {
    /// A range of characters in one font, as poppler counts them.
    private struct Run {
        var end: Int
        var size: Float
        var isBold: Bool
    }

    private var runs: [Run] = []
    private var run = 0
    private var lines: [PrintedLine] = []
    private var line = LineInProgress()

    /// - Returns: `nil` when the page's text cannot be read.
    static func lines(of page: OpaquePointer) -> [PrintedLine]? {
        guard let text = poppler_page_get_text(page) else { return nil }
        defer { g_free(text) }
        var boxes: UnsafeMutablePointer<PopplerRectangle>?
        var count: guint = 0
        guard poppler_page_get_text_layout(page, &boxes, &count) != 0 else { return [] }
        defer { g_free(boxes) }
        var reader = PDFPageText()
        reader.runs = runs(of: page)
        reader.read(text, UnsafeBufferPointer(start: boxes, count: Int(count)))
        return reader.lines
    }

    private static func runs(of page: OpaquePointer) -> [Run] {
        let list = poppler_page_get_text_attributes(page)
        defer { poppler_page_free_text_attributes(list) }
        var runs: [Run] = []
        var node = list
        while let current = node {
            if let attributes = current.pointee.data?.assumingMemoryBound(to: PopplerTextAttributes.self) {
                let name = attributes.pointee.font_name.map { String(cString: $0).lowercased() } ?? ""
                let isBold = ["bold", "medi", "black", "heavy", "cmbx"].contains { name.contains($0) }
                let size = Float(attributes.pointee.font_size)
                runs.append(
                    Run(end: Int(attributes.pointee.end_index), size: size, isBold: isBold && !name.contains("medium"))
                )
            }
            node = current.pointee.next
        }
        return runs
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
                endLine()
            } else {
                take(scalar, at: PrintedBox(place), character)
            }
        }
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
        let type = run < runs.count ? runs[run] : Run(end: 0, size: box.height, isBold: false)
        if line.isCut(before: box, size: type.size) { endLine() }
        line.take(scalar, at: box, size: type.size, isBold: type.isBold)
    }

    private mutating func endLine() {
        if let whole = line.finished() { lines.append(whole) }
        line.begin()
    }
}

extension PrintedBox {
    fileprivate init(_ box: PopplerRectangle) {
        self.init(left: Float(box.x1), top: Float(box.y1), right: Float(box.x2), bottom: Float(box.y2))
    }
}

/// A line that is being assembled from its characters.
private struct LineInProgress {
    private struct Piece {
        var box: PrintedBox
        var size: Float
        /// The start in the line's text, in UTF-16 units.
        var start: Int
        var end: Int
    }

    private var bytes: [UInt8] = []
    private var length = 0
    private var pieces: [Piece] = []
    /// The piece in progress, not yet among ``pieces``.
    private var piece = Piece(box: PrintedBox(left: 0, top: 0, right: 0, bottom: 0), size: 0, start: 0, end: 0)
    private var hasPiece = false
    private var bold = 0
    /// The right edge of the last character that is not a space; only spaces have followed.
    private var edge: Float?
    private var spaces = 0

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        hasPiece = false
        (length, bold, edge, spaces) = (0, 0, nil, 0)
    }

    /// Whether the gap before `box` is too wide for a word space.
    func isCut(before box: PrintedBox, size: Float) -> Bool {
        guard let edge else { return false }
        return box.left - edge > 1.6 * max(size, 4) && box.right > box.left
    }

    mutating func take(_ scalar: Unicode.Scalar, at box: PrintedBox, size: Float, isBold: Bool) {
        switch scalar.value {
        case 0x21...0x7E: break  // the common case; a lookup of properties costs more than everything else
        case 0x20:
            spaces += 1
            return
        default:
            if scalar.properties.isWhitespace {
                spaces += 1
                return
            }
            guard scalar.isShown || scalar == "\u{AD}", scalar.properties.generalCategory != .privateUse else { return }
        }
        if let edge, !bytes.isEmpty {
            if spaces > 0 || box.left - edge > 0.25 * size { append(" ") }
        }
        spaces = 0
        let start = length
        appendSpelled(scalar)
        if isBold { bold += length - start }
        if hasPiece, piece.size == size, abs(piece.box.bottom - box.bottom) < 0.5 {
            piece.box.left = min(piece.box.left, box.left)
            piece.box.right = max(piece.box.right, box.right)
            piece.box.top = min(piece.box.top, box.top)
            piece.box.bottom = max(piece.box.bottom, box.bottom)
            piece.end = length
        } else {
            if hasPiece { pieces.append(piece) }
            piece = Piece(box: box, size: size, start: start, end: length)
            hasPiece = true
        }
        edge = box.right
    }

    /// The line, or `nil` for a blank one.
    mutating func finished() -> PrintedLine? {
        guard hasPiece else { return nil }
        pieces.append(piece)
        if pieces.count == 1 {
            let text = String(decoding: bytes, as: UTF8.self)
            return PrintedLine(text: text, box: piece.box, size: piece.size, isBold: bold * 10 > length * 7)
        }
        guard let main = pieces.max(by: { $0.end - $0.start < $1.end - $1.start }) else { return nil }
        var sizes: [(size: Float, count: Int)] = []
        for piece in pieces {
            if let known = sizes.firstIndex(where: { $0.size == piece.size }) {
                sizes[known].count += piece.end - piece.start
            } else {
                sizes.append((piece.size, piece.end - piece.start))
            }
        }
        let usual = sizes.max { $0.count < $1.count }?.size ?? main.size
        let base = pieces.first { $0.size == usual } ?? main
        let raised = pieces.filter {
            $0.size < 0.85 * usual && $0.box.bottom < base.box.bottom - 0.12 * base.box.height
        }
        return PrintedLine(
            text: String(decoding: bytes, as: UTF8.self),
            box: pieces.dropFirst().reduce(pieces[0].box) { $0.union($1.box) },
            size: usual,
            isBold: bold * 10 > length * 7,
            raised: raised.map { $0.start..<$0.end }
        )
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.value < 0x80 {
            bytes.append(UInt8(scalar.value))
            length += 1
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
            length += scalar.value > 0xFFFF ? 2 : 1
        }
    }

    /// Appends a character; ligatures are spelled out.
    private mutating func appendSpelled(_ scalar: Unicode.Scalar) {
        guard (0xFB00...0xFB06).contains(scalar.value) else { return append(scalar) }
        let spelled = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"][Int(scalar.value - 0xFB00)]
        for letter in spelled.unicodeScalars { append(letter) }
    }
}
