import CPoppler
import EchoText
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
    /// The gaps within lines that may lie between columns.
    private var gaps: [TextTurn: [ColumnGaps.Gap]] = [:]
    /// Those that do: lines end at them.
    private let cuts: [TextTurn: Set<ColumnGaps.Gap>]

    private init(
        width: Float,
        height: Float,
        runs: [PDFRun],
        fonts: [String],
        cuts: [TextTurn: Set<ColumnGaps.Gap>] = [:]
    ) {
        (self.width, self.height) = (width, height)
        self.runs = runs
        self.fonts = PageFonts(names: fonts)
        self.cuts = cuts
    }

    /// Reads the lines of a page into `page`, whose size is known; on a right-to-left page their boxes are mirrored.
    ///
    /// - Returns: Whether the page's text can be read.
    static func read(_ handle: OpaquePointer, into page: inout PrintedPage) -> Bool {
        guard let text = poppler_page_get_text(handle) else { return false }
        defer { g_free(text) }
        // Poppler puts this mark before all right-to-left text, of which it finds none from the left on some pages.
        if text.pointee == 0 || strstr(text, "\u{202B}") != nil {
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
        let places = UnsafeBufferPointer(start: boxes, count: Int(count))
        reader.read(text, places)
        let cuts = reader.columnGaps
        if !cuts.isEmpty {
            reader = PDFPageText(width: page.width, height: page.height, runs: runs, fonts: fonts, cuts: cuts)
            reader.read(text, places)
        }
        page.take(reader.lines)
        if let ownCuts = cuts[page.turn] { page.lines = ColumnGaps.joining(page.lines, at: ownCuts) }
        page.take(reader.line.unknown, reader.fonts)
        return true
    }

    private var columnGaps: [TextTurn: Set<ColumnGaps.Gap>] {
        var found: [TextTurn: Set<ColumnGaps.Gap>] = [:]
        for (way, possible) in gaps {
            let between = ColumnGaps.betweenColumns(possible, of: lines[way] ?? [])
            if !between.isEmpty { found[way] = between }
        }
        return found
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
        let gap = ColumnGaps.Gap(right: box.left, bottom: box.bottom, size: type.size)
        if line.isCut(before: box, size: type.size) || !cuts.isEmpty && cuts[turn]?.contains(gap) == true {
            endLine()
        } else if scalar != " ", line.mayEndColumn(before: box, size: type.size) {
            gaps[turn, default: []].append(gap)
        }
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

/// A line that is being assembled from its characters.
struct LineInProgress {
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
    /// The places of the spaces in ``bytes``, and how wide they are in ems.
    private var gaps: [(place: Int, width: Float)] = []
    /// The last line, if its letters were set apart and are put together, and how wide the gaps between them are at most.
    private var spread: (box: PrintedBox, size: Float, border: Float)?
    /// The unknown characters of all lines.
    private(set) var unknown = UnknownSigns()
    /// Whether the line begins with such a sign.
    private var beginsUnknown = false

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        gaps.removeAll(keepingCapacity: true)
        hasPiece = false
        beginsUnknown = false
        (length, bold, edge, spaces) = (0, 0, nil, 0)
    }

    /// Whether the gap before `box` is too wide for a word space.
    func isCut(before box: PrintedBox, size: Float) -> Bool {
        guard let edge else { return false }
        return box.left - edge > 1.6 * max(size, 4) && box.right > box.left
    }

    /// Whether the gap before `box` may be that between two columns: wider than the space of a typewriter, and behind several words.
    func mayEndColumn(before box: PrintedBox, size: Float) -> Bool {
        guard let edge, box.left - edge > 3 else { return false }  // the narrowest such gap; most end here
        // A heading may begin behind it.
        guard hasPiece, box.left - edge > 0.75 * max(min(size, piece.size), 4) else { return false }
        let start = (pieces.first ?? piece).box.left
        return edge - start > 8 * max(size, 4) && !endsInLeader
    }

    /// Whether it ends in the dots that lead to the number of a page.
    private var endsInLeader: Bool {
        guard bytes.last == UInt8(ascii: "."), let before = bytes.dropLast().last else { return false }
        return before == UInt8(ascii: ".") || before == UInt8(ascii: " ")
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
            if scalar.isUnknown {
                let isBullet = !hasPiece && !beginsUnknown && scalar.properties.generalCategory == .privateUse
                unknown.add(isBullet: isBullet)
                if !hasPiece { beginsUnknown = true }
            }
            guard scalar.isShown || scalar == "\u{AD}", scalar.properties.generalCategory != .privateUse else { return }
        }
        if let edge, !bytes.isEmpty {
            if spaces > 0 || box.left - edge > 0.25 * size {
                gaps.append((bytes.count, (box.left - edge) / max(size, 1)))
                append(" ")
            }
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

    /// The text with its letters put together into words, where it is capitals that are set apart: “C H A P T E R  O N E”.
    ///
    /// A word of few letters is put together only behind others on the same line, which a page may hold as lines of their own.
    private mutating func joiningLetters(of text: String) -> String? {
        let before = spread
        spread = nil
        guard gaps.count > 1, bytes.count <= 256, bytes.count < gaps.count * 3 else { return nil }
        let parts = text.split(separator: " ")
        if let before, continues(before), parts.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isUppercase) }) {
            return joiningLetters(upTo: before.border)
        }
        let letters = parts.joined()
        // “P A R T”, behind which a page may hold the number as a line of its own
        if parts.count == letters.count, Self.shortHeadings.contains(letters) {
            return joiningLetters(upTo: 1.6 * gaps.map(\.width).sorted()[gaps.count / 2])
        }
        guard gaps.count > 3 else { return nil }
        let isSpaced =
            parts.allSatisfy { $0.count <= 2 } && parts.filter { $0.count == 1 }.count * 3 >= parts.count * 2
            && letters.allSatisfy(\.isUppercase)
        // “A B C D E”, “A B B A A B” and “M T W T F S S” are letters.
        let isWord =
            Set(letters).count > 3 && letters.contains { "AEIOUYÄÖÜÕÅÆØÀÂÉÈÊËÎÏÔÙÛÁÍÓÚ".contains($0) }
            && !zip(letters, letters.dropFirst()).allSatisfy { $0 < $1 }
        guard isSpaced, isWord, !Self.isRow(letters) else { return nil }
        return joiningLetters(upTo: 1.6 * gaps.map(\.width).sorted()[gaps.count / 2])
    }

    /// Whether the line stands right behind another, on the same base.
    private func continues(_ before: (box: PrintedBox, size: Float, border: Float)) -> Bool {
        let distance = piece.box.left - before.box.right
        return piece.size == before.size && abs(piece.box.bottom - before.box.bottom) < 0.5 && distance > 0
            && distance < 3 * max(piece.size, 4)
    }

    /// The text without the spaces that are at most `border` ems wide.
    private mutating func joiningLetters(upTo border: Float) -> String {
        spread = (piece.box, piece.size, border)
        let dropped = Set(gaps.lazy.filter { $0.width <= border }.map(\.place))
        let kept = bytes.indices.filter { !dropped.contains($0) }.map { bytes[$0] }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Words of three and four letters that headings are set apart with, in English, French, Spanish, German and Estonian.
    private static let shortHeadings: Set<String> = [
        "ACT", "ACTE", "ACTO", "AKT", "BAND", "BOOK", "BUCH", "NOTE", "OSA", "PART", "TEIL", "TOME", "TOMO",
    ]

    /// Whether capitals stand for one thing each: answers and notes, the bases of a gene, months or days.
    private static func isRow(_ letters: String) -> Bool {
        letters.allSatisfy { $0 <= "H" } || letters.allSatisfy { "ACGTU".contains($0) } || letters.contains("MAMJJ")
            || letters == "ETKNRLP"
    }

    /// Returns the line, or `nil` for a blank one.
    mutating func finished() -> PrintedLine? {
        guard hasPiece else { return nil }
        pieces.append(piece)
        if pieces.count == 1 {
            let text = String(decoding: bytes, as: UTF8.self)
            return PrintedLine(
                text: joiningLetters(of: text) ?? text,
                box: piece.box,
                size: piece.size,
                isBold: bold * 10 > length * 7
            )
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

/// Characters of a page without a meaning: control and private-use characters.
struct UnknownSigns: Sendable, Hashable {
    private(set) var count = 0
    /// How many of them are unlikely to be bullets of a list.
    private(set) var missing = 0

    mutating func add(isBullet: Bool) {
        count += 1
        if !isBullet { missing += 1 }
    }

    mutating func add(_ other: UnknownSigns) {
        count += other.count
        missing += other.missing
    }
}

extension Unicode.Scalar {
    /// Whether it represents a letter that the font does not map.
    fileprivate var isUnknown: Bool {
        switch properties.generalCategory {
        case .control, .privateUse, .unassigned: true
        default: self == "\u{FFFD}"
        }
    }
}

/// How a line of text is turned on its page.
enum TextTurn: Sendable, Hashable, CaseIterable {
    case upright
    /// From the bottom to the top.
    case upwards
    /// From the top to the bottom.
    case downwards
    case upsideDown

    /// - Parameter boxes: The boxes of a line's characters, in reading order.
    init(of boxes: some Sequence<PrintedBox>) {
        self.init(ofWords: CollectionOfOne(boxes))
    }

    /// - Parameter words: The boxes of the characters of each word of a line, in the order in which they are drawn.
    init<Word: Sequence<PrintedBox>>(ofWords words: some Sequence<Word>) {
        var (across, down) = (Float(0), Float(0))
        for word in words {
            var last: PrintedBox?
            for box in word {
                if let last {
                    across += box.left + box.right - last.left - last.right
                    down += box.top + box.bottom - last.top - last.bottom
                }
                last = box
            }
        }
        if abs(down) > 2 * abs(across) {
            self = down < 0 ? .upwards : .downwards
        } else {
            self = across < 0 ? .upsideDown : .upright
        }
    }

    /// Whether the page is as wide as it was high once it is turned.
    var exchangesSides: Bool { self == .upwards || self == .downwards }

    /// Returns `box` after a rotation of the page, of that width and height, that makes the line upright.
    func upright(_ box: PrintedBox, width: Float, height: Float) -> PrintedBox {
        switch self {
        case .upright: box
        case .upwards:
            PrintedBox(left: height - box.bottom, top: box.left, right: height - box.top, bottom: box.right)
        case .downwards:
            PrintedBox(left: box.top, top: width - box.right, right: box.bottom, bottom: width - box.left)
        case .upsideDown:
            PrintedBox(
                left: width - box.right,
                top: height - box.bottom,
                right: width - box.left,
                bottom: height - box.top
            )
        }
    }
}

/// The gaps within poppler's lines that lie between columns.
///
/// Poppler takes the words on both sides of a narrow gutter, such as LaTeX's of one em, for one line in some places, and
/// the first words of the right column for the end of the left one in others.
enum ColumnGaps {
    /// A gap that is wider than most between words.
    struct Gap: Sendable, Hashable {
        /// The left edge of the character behind it.
        var right: Float
        /// The bottom of that character.
        var bottom: Float
        /// The size of its font, in points.
        var size: Float

        /// Whether a line begins right behind a gap at this place, on the same part of the page.
        fileprivate func isBefore(_ box: PrintedBox) -> Bool {
            abs(box.left - right) < 0.5 && abs(box.bottom - bottom) < 15 * size
        }
    }

    /// The limits on what is compared with each other; no page of text has more.
    private static let mostGaps = 400
    private static let mostLines = 5_000

    /// Those of `gaps` that lie at the same place as others and the beginnings of lines, where few lines have none.
    static func betweenColumns(_ gaps: [Gap], of lines: [PrintedLine]) -> Set<Gap> {
        guard gaps.count <= mostGaps, lines.count <= mostLines else { return [] }
        return Set(gaps.filter { isBetweenColumns($0, among: gaps, of: lines) })
    }

    private static func isBetweenColumns(_ gap: Gap, among gaps: [Gap], of lines: [PrintedLine]) -> Bool {
        var beginning = 0
        var crossing = 0
        for line in lines where abs(line.box.bottom - gap.bottom) < 15 * gap.size {
            if gap.isBefore(line.box) { beginning += 1 }
            if line.box.left < gap.right - 0.75 * gap.size, line.box.right > gap.right + 1 { crossing += 1 }
        }
        var same = 0
        for other in gaps where abs(other.right - gap.right) < 0.5 && abs(other.bottom - gap.bottom) < 15 * gap.size {
            same += 1
        }
        return beginning + same >= 3 && 2 * (crossing - same) <= beginning + same
    }

    /// Puts the first words of a line, where they were taken for the end of another column, before its other words.
    ///
    /// - Parameters:
    ///   - lines: The lines of a page, with valid coordinates.
    ///   - gaps: Its gaps between columns.
    /// - Returns: The lines in their order.
    static func joining(_ lines: [PrintedLine], at gaps: Set<Gap>) -> [PrintedLine] {
        guard lines.count <= mostLines else { return lines }
        var joined = lines
        var rows: [Int: [Int]] = [:]
        for index in lines.indices { rows[Int(lines[index].box.bottom), default: []].append(index) }
        var taken: Set<Int> = []
        for index in lines.indices where !taken.contains(index) {
            let box = lines[index].box
            guard gaps.contains(where: { $0.isBefore(box) }) else { continue }
            let bottom = Int(box.bottom)
            let beside = (bottom - 1...bottom + 1).flatMap { rows[$0] ?? [] }
            while let next = beside.first(where: { place in
                place != index && !taken.contains(place) && joined[index].isContinued(by: joined[place])
            }) {
                let rest = joined[next]
                joined[index].append(rest)
                taken.insert(next)
            }
        }
        return joined.indices.filter { !taken.contains($0) }.map { joined[$0] }
    }
}

extension PrintedLine {
    /// Whether `other` stands behind it with no more than a word space between them.
    fileprivate func isContinued(by other: PrintedLine) -> Bool {
        let distance = other.box.left - box.right
        return abs(other.box.bottom - box.bottom) < 0.5 && abs(other.size - size) < 0.1 && distance > -0.05 * size
            && distance < 0.5 * size
    }

    fileprivate mutating func append(_ other: PrintedLine) {
        let offset = text.utf16.count + 1
        text += " " + other.text
        raised += other.raised.map { $0.moved(by: offset) }
        box = box.union(other.box)
        isBold = isBold && other.isBold
    }
}
