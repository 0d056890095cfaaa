import CICU
import CPoppler

/// Extracts the lines of a page with right-to-left text.
///
/// Poppler reorders the letters of each word into reading order and adds direction marks around them; it returns words
/// in its own order of the line. This type first restores the visual order of all letters, from left to right, and then
/// brings whole lines into reading order.
struct DirectedPageText {
    private struct Letter {
        var scalar: Unicode.Scalar
        var box: PrintedBox
        var run: PDFRun

        /// Whether it is a sign at a Hebrew or Arabic letter, such as a vowel.
        var isMark: Bool {
            (0x0590...0x08FF).contains(scalar.value) && scalar.properties.generalCategory == .nonspacingMark
        }
    }

    /// The position of a letter, in tenths of points.
    private struct Place: Hashable {
        private let letter: UInt32
        private let left: Int
        private let bottom: Int

        init(_ letter: Letter) {
            self.letter = letter.scalar.value
            left = (letter.box.left * 10).nearestWhole
            bottom = (letter.box.bottom * 10).nearestWhole
        }
    }

    private let runs: [PDFRun]
    private var fonts: PageFonts
    private let boxes: [PrintedBox]
    private var box = 0
    private var run = 0
    private var lines: [[[Letter]]] = [[]]
    /// How each line is turned on the page; the boxes of its letters are those of the page turned upright.
    private var turns: [TextTurn] = []
    /// The letters of the current word in poppler's order, in groups that were reordered together.
    private var word: [[Unicode.Scalar]] = []
    /// Open marks of direction.
    private var open: [UInt32] = []

    /// Most areas of a page's text that are looked at one by one, and most characters of a page on which they are.
    private static let (mostAreas, mostLetters) = (400, 40_000)

    /// Reads the lines of a page into `page`, whose size is known; if most of them are right-to-left, their boxes are
    /// mirrored, so that every line begins on the left.
    ///
    /// - Returns: Whether the page's text can be read.
    static func read(_ handle: OpaquePointer, into page: inout PrintedPage) -> Bool {
        let (width, height) = (Double(page.width), Double(page.height))
        // Poppler returns all lines of a block of text only if the selection starts at the side where they begin.
        let areas = [
            PopplerRectangle(x1: 0, y1: 0, x2: width, y2: height),
            PopplerRectangle(x1: width, y1: 0, x2: 0, y2: height),
        ]
        var found = areas.compactMap { DirectedPageText(handle, $0) }
        if found.allSatisfy({ $0.boxes.count <= mostLetters }) {
            found += areasOfText(on: handle).compactMap { DirectedPageText(handle, $0) }
        }
        guard var text = found.max(by: { $0.boxes.count < $1.boxes.count }) else { return false }
        text.addMissing(from: found)
        text.turnUpright(width: page.width, height: page.height)
        text.orderLigatures()
        text.orderWholeWords()
        text.orderMarks()
        text.printed(into: &page)
        return true
    }

    /// The areas that have text, each to be selected from its right; those that touch are one.
    ///
    /// A selection between corners of a page has only the blocks from the one nearest to the first corner to the one
    /// nearest to the second, in poppler's order. Between places that are equally far from all, it has every block.
    private static func areasOfText(on page: OpaquePointer) -> [PopplerRectangle] {
        let far = 1e300
        var everything = PopplerRectangle(x1: far, y1: -far, x2: far, y2: far)
        guard let region = poppler_page_get_selected_region(page, 1, POPPLER_SELECTION_WORD, &everything) else {
            return []
        }
        defer { cairo_region_destroy(region) }
        let count = min(Int(cairo_region_num_rectangles(region)), mostAreas)
        return (0..<max(count, 0)).map { index in
            var area = cairo_rectangle_int_t()
            cairo_region_get_rectangle(region, Int32(index), &area)
            let (left, top, height) = (Double(area.x), Double(area.y), Double(area.height))
            let inset = min(1, height / 4)
            // The edges are rounded, by as much as half a narrow letter.
            return PopplerRectangle(
                x1: left + Double(area.width) + 1,
                y1: top + inset,
                x2: left - 1,
                y2: top + height - inset
            )
        }
    }

    private init?(_ page: OpaquePointer, _ area: PopplerRectangle) {
        var area = area
        guard let text = poppler_page_get_text_for_area(page, &area) else { return nil }
        defer { g_free(text) }
        var places: UnsafeMutablePointer<PopplerRectangle>?
        var count: guint = 0
        let hasLayout = poppler_page_get_text_layout_for_area(page, &area, &places, &count) != 0
        defer { g_free(places) }
        let attributes = poppler_page_get_text_attributes_for_area(page, &area)
        defer { poppler_page_free_text_attributes(attributes) }
        let fonts: [String]
        (runs, fonts) = PDFRun.runs(in: attributes)
        self.fonts = PageFonts(names: fonts)
        boxes = hasLayout ? UnsafeBufferPointer(start: places, count: Int(count)).map { PrintedBox($0) } : []
        for scalar in String(cString: text).unicodeScalars { take(scalar) }
        endWord()
    }

    /// Adds the words of `others` at positions where this text has none, each to the line that it continues.
    private mutating func addMissing(from others: [DirectedPageText]) {
        var known = Set(lines.joined().joined().map(Place.init))
        var places = lines.map { $0.map(Self.box(of:)) }
        for line in others.flatMap(\.lines) {
            var rest: [[Letter]] = []
            for word in line where !word.contains(where: { known.contains(Place($0)) }) {
                known.formUnion(word.map(Place.init))
                let (box, size) = (Self.box(of: word), word[0].run.size)
                let continued = lines.indices.first { index in
                    zip(lines[index], places[index]).contains { neighbor, place in
                        neighbor[0].run.size == size && Self.continues(box, place, size: size)
                    }
                }
                if let continued {
                    lines[continued].append(word)
                    places[continued].append(box)
                } else {
                    rest.append(word)
                }
            }
            if rest.isEmpty { continue }
            lines.append(rest)
            places.append(rest.map(Self.box(of:)))
        }
    }

    private mutating func turnUpright(width: Float, height: Float) {
        turns = lines.map { words in TextTurn(ofWords: words.lazy.map { $0.lazy.map(\.box) }) }
        for line in lines.indices where turns[line] != .upright {
            for word in lines[line].indices {
                for letter in lines[line][word].indices {
                    let box = lines[line][word][letter].box
                    lines[line][word][letter].box = turns[line].upright(box, width: width, height: height)
                }
            }
        }
    }

    /// Whether a word is next to another of the same size, at most the width of a space away.
    private static func continues(_ word: PrintedBox, _ other: PrintedBox, size: Float) -> Bool {
        let gap = max(word.left - other.right, other.left - word.right)
        return gap < 0.6 * size && word.isBeside(other)
    }

    private static func box(of word: [Letter]) -> PrintedBox {
        word.dropFirst().reduce(word[0].box) { $0.union($1.box) }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\u{202A}", "\u{202B}":
            if open.isEmpty { endWord() }
            open.append(scalar.value)
            if open.count == 2 { word.append([]) }
        case "\u{202C}":
            _ = open.popLast()
            if open.isEmpty { endWord(isTurned: true) }
        case "\n",
            " " where open.isEmpty:
            endWord()
            box += 1
            if scalar == "\n" { lines.append([]) }
        default:
            if open.count == 2, !word.isEmpty { word[word.count - 1].append(scalar) } else { word.append([scalar]) }
        }
    }

    /// Assigns the letters of the word to their positions; their boxes follow each other from left to right.
    private mutating func endWord(isTurned: Bool = false) {
        defer { word = [] }
        var letters: [Letter] = []
        for scalar in isTurned ? Array(word.reversed().joined()) : Array(word.joined()) where box < boxes.count {
            while run + 1 < runs.count, box > runs[run].end { run += 1 }
            let unknown = PDFRun(end: 0, size: boxes[box].height, isBold: false, font: 0)
            let type = run < runs.count ? runs[run] : unknown
            fonts.add(scalar, font: type.font)
            letters.append(Letter(scalar: scalar, box: boxes[box], run: type))
            box += 1
        }
        if !letters.isEmpty { lines[lines.count - 1].append(letters) }
    }

    private func printed(into page: inout PrintedPage) {
        var unknown = UnknownSigns()
        var visual: [TextTurn: [PrintedLine]] = [:]
        for (line, turn) in zip(lines, turns) { visual[turn, default: []] += Self.printed(line, &unknown) }
        page.take(unknown, fonts)
        let count = visual.values.joined().reduce(into: DirectionCount()) { $0.add($1.text) }
        let isRightToLeft = count.rightToLeft > count.leftToRight
        var order = ReadingDirection(isRightToLeft: isRightToLeft)
        var logical = visual.mapValues { $0.map(order.logical) }
        if ReadingDirection.areBracketsTurned(in: logical.values.joined().map(\.text)) {
            order.mirrorsBrackets = true
            logical = visual.mapValues { $0.map(order.logical) }
        }
        page.isRightToLeft = isRightToLeft
        if isRightToLeft {
            for turn in TextTurn.allCases {
                let width = turn.exchangesSides ? page.height : page.width
                logical[turn] = logical[turn]?.map { $0.mirrored(width: width) }
            }
        }
        page.take(logical)
    }

    /// The words of a line in visual order, from left to right, split at wide gaps.
    private static func printed(_ words: [[Letter]], _ unknown: inout UnknownSigns) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        var line = LineInProgress()
        var edge: Float?
        for word in words.sorted(by: { $0[0].box.left < $1[0].box.left }) {
            for (index, letter) in word.enumerated() {
                let size = letter.run.size
                if line.isCut(before: letter.box, size: size) {
                    if let whole = line.finished() { lines.append(whole) }
                    line.begin()
                } else if index == 0, let edge, letter.box.left - edge > 0.12 * size {
                    line.take(" ", at: letter.box, size: size, isBold: false)
                }
                line.take(letter.scalar, at: letter.box, size: size, isBold: letter.run.isBold)
                edge = letter.box.right
            }
        }
        if let whole = line.finished() { lines.append(whole) }
        unknown.add(line.unknown)
        return lines
    }
}

// Handles several characters at one position in a word, in the order of the neighboring letters.
extension DirectedPageText {
    /// A letter and its width, in 500ths of the size of its font.
    private struct Width: Hashable {
        var letter: UInt32
        var width: Int

        init(_ letter: Letter) {
            self.letter = letter.scalar.value
            width = (letter.box.width / max(letter.run.size, 0.1) * 500).nearestWhole
        }
    }

    /// Whether these may be the halves of a lam-alef ligature.
    ///
    /// Poppler divides it into halves of equal width, in reading order, which is from right to left.
    private static func mayBeLigature(_ left: Letter, _ right: Letter) -> Bool {
        left.scalar.value == 0x0644 && [0x0622, 0x0623, 0x0625, 0x0627].contains(right.scalar.value)
            && abs(left.box.width - right.box.width) < 0.002 * left.run.size
    }

    /// Puts the letters of lam-alef ligatures into the order of the letters around them.
    private mutating func orderLigatures() {
        var widths: Set<Width> = []
        for word in lines.joined() {
            for index in word.indices {
                let isHalf =
                    (index > 0 && Self.mayBeLigature(word[index - 1], word[index]))
                    || (index + 1 < word.count && Self.mayBeLigature(word[index], word[index + 1]))
                if !isHalf { widths.insert(Width(word[index])) }
            }
        }
        turn { left, right in
            // In some fonts the two letters have the same width anyway; then this is true of both elsewhere too.
            Self.mayBeLigature(left, right) && !(widths.contains(Width(left)) && widths.contains(Width(right)))
        }
    }

    /// Words that Arabic fonts have as one glyph, the longer of two with one beginning first.
    private static let wholeWords: [[Unicode.Scalar]] = [
        "الله", "لله", "محمد", "صلى", "عليه", "وسلم", "رسول", "اكبر", "ريال",
    ]
    .map { Array($0.unicodeScalars) }

    /// Puts the letters of words that are one glyph, which poppler divides as it does ligatures, into visual order.
    private mutating func orderWholeWords() {
        for line in lines.indices {
            for word in lines[line].indices {
                let letters = lines[line][word]
                var start = 0
                while start < letters.count {
                    let rest = letters[start...]
                    let whole = Self.wholeWords.first { word in
                        rest.count >= word.count && zip(rest, word).allSatisfy { $0.scalar == $1 }
                    }
                    guard let whole, Self.areOfOneWidth(rest.prefix(whole.count)) else {
                        start += 1
                        continue
                    }
                    for (index, scalar) in whole.reversed().enumerated() {
                        lines[line][word][start + index].scalar = scalar
                    }
                    start += whole.count
                }
            }
        }
    }

    private static func areOfOneWidth(_ letters: ArraySlice<Letter>) -> Bool {
        guard let first = letters.first else { return false }
        return letters.allSatisfy { abs($0.box.width - first.box.width) < 0.002 * first.run.size }
    }

    /// Puts vowel signs before their letters in visual order, so that they follow them in reading order; boxes do not
    /// change.
    ///
    /// Some programs draw a sign after its letter, others before it. No word begins with a sign, so the edges of words
    /// reveal which.
    private mutating func orderMarks() {
        var (after, before) = (0, 0)
        for word in lines.joined() {
            if word.last?.isMark == true { after += 1 }
            if word.first?.isMark == true { before += 1 }
        }
        guard after > before else { return }
        for line in lines.indices {
            for word in lines[line].indices {
                let letters = lines[line][word]
                var start = 0
                while start < letters.count {
                    let end = letters[(start + 1)...].firstIndex { !$0.isMark } ?? letters.count
                    for (index, letter) in zip(start..<end, letters[start..<end].reversed()) {
                        lines[line][word][index].scalar = letter.scalar
                    }
                    start = end
                }
            }
        }
    }

    /// Exchanges the letters of neighbors for which `isTurned` holds; their boxes stay.
    private mutating func turn(where isTurned: (Letter, Letter) -> Bool) {
        for line in lines.indices {
            for word in lines[line].indices {
                for index in lines[line][word].indices.dropLast()
                where isTurned(lines[line][word][index], lines[line][word][index + 1]) {
                    let scalar = lines[line][word][index].scalar
                    lines[line][word][index].scalar = lines[line][word][index + 1].scalar
                    lines[line][word][index + 1].scalar = scalar
                }
            }
        }
    }
}

extension Float {
    /// The nearest whole number; 0 for what is beyond every page, and for what is no number.
    var nearestWhole: Int {
        // A comparison with NaN is false.
        abs(self) < 1e9 ? Int(rounded()) : 0
    }
}

/// Converts lines from visual order, left to right, into reading order.
///
/// It inverts the reordering of Unicode's bidirectional algorithm (UAX #9), with the levels that ICU computes. Some
/// visual orders are ambiguous: a number next to Latin words is assumed to follow them, as in “Windows 10”.
struct ReadingDirection {
    /// Whether the page is right-to-left.
    let isRightToLeft: Bool
    /// Whether brackets are given as displayed, not as meant: “)” opens in right-to-left text.
    var mirrorsBrackets = false

    init(isRightToLeft: Bool) {
        self.isRightToLeft = isRightToLeft
    }

    func logical(_ visual: PrintedLine) -> PrintedLine {
        var count = DirectionCount()
        count.add(visual.text)
        guard count.rightToLeft > 0 else { return visual }
        let scalars = Array(visual.text.unicodeScalars)
        let fromRight = isRightToLeft || count.leftToRight == 0
        var order = Array(scalars.indices)
        if fromRight { order.reverse() }
        let levels = Self.levels(of: order.map { mirrorsBrackets ? scalars[$0].mirrored : scalars[$0] }, fromRight)
        guard levels.count == order.count else { return visual }
        let turned = fromRight ? Self.turnedBack(order, levels) : Self.reordered(order, levels)
        return Self.line(visual, scalars, turned, mirroring: mirrorsBrackets)
    }

    /// Returns the line with its characters in `order`, each with whether it is right-to-left.
    private static func line(
        _ visual: PrintedLine,
        _ scalars: [Unicode.Scalar],
        _ order: [(index: Int, isTurned: Bool)],
        mirroring: Bool
    ) -> PrintedLine {
        var units = 0
        let raised = scalars.map { scalar in
            defer { units += scalar.utf16.count }
            return visual.raised.contains { $0.contains(units) }
        }
        var line = visual
        var text = String.UnicodeScalarView()
        var length = 0
        line.raised = []
        for (index, isTurned) in order {
            let scalar = mirroring && isTurned ? scalars[index].mirrored : scalars[index]
            let end = length + scalar.utf16.count
            if raised[index] {
                if let last = line.raised.last, last.upperBound == length {
                    line.raised[line.raised.count - 1] = last.lowerBound..<end
                } else {
                    line.raised.append(length..<end)
                }
            }
            text.append(scalar)
            length = end
        }
        line.text = String(text)
        return line
    }

    /// Reverses the left-to-right runs back in a line that was reversed as a whole.
    private static func turnedBack(_ order: [Int], _ levels: [UInt8]) -> [(index: Int, isTurned: Bool)] {
        var turned: [(index: Int, isTurned: Bool)] = []
        var start = 0
        while start < order.count {
            let isTurned = levels[start] % 2 == 1
            let end = levels[start...].firstIndex { ($0 % 2 == 1) != isTurned } ?? order.count
            let run = order[start..<end]
            turned += (isTurned ? Array(run) : run.reversed()).map { ($0, isTurned) }
            start = end
        }
        return turned
    }

    /// Rule L2 of UAX #9, which is its own reverse.
    private static func reordered(_ order: [Int], _ levels: [UInt8]) -> [(index: Int, isTurned: Bool)] {
        var turned = zip(order, levels).map { (index: $0, isTurned: $1 % 2 == 1, level: $1) }
        let highest = levels.max() ?? 0
        for level in stride(from: highest, to: 0, by: -1) {
            var start = 0
            while let first = turned[start...].firstIndex(where: { $0.level >= level }) {
                let end = turned[first...].firstIndex { $0.level < level } ?? turned.count
                turned[first..<end].reverse()
                start = end
            }
        }
        return turned.map { ($0.index, $0.isTurned) }
    }

    private static func levels(of scalars: [Unicode.Scalar], _ fromRight: Bool) -> [UInt8] {
        var units: [UInt16] = []
        var starts: [Int] = []
        for (scalar, isLatin) in zip(scalars, numbersBesideLatin(scalars)) {
            starts.append(units.count)
            units += isLatin ? [0x61] : Array(Character(scalar).utf16)
        }
        var levels = [UInt8](repeating: 0, count: units.count)
        guard let length = Int32(exactly: units.count),
            cicu_bidi_levels(units, length, fromRight ? 1 : 0, &levels) != 0
        else { return [] }
        return starts.map { levels[$0] }
    }

    /// For each character, whether it is a digit of a number next to a left-to-right word.
    private static func numbersBesideLatin(_ scalars: [Unicode.Scalar]) -> [Bool] {
        var isBeside = [Bool](repeating: false, count: scalars.count)
        func isDigit(_ index: Int) -> Bool { (0x30...0x39).contains(scalars[index].value) }
        var start = 0
        while start < scalars.count {
            guard isDigit(start) else {
                start += 1
                continue
            }
            var end = start + 1
            while end < scalars.count, isDigit(end) || (".,:/".unicodeScalars.contains(scalars[end])) { end += 1 }
            let before = scalars[..<start].last { $0 != " " }
            let behind = scalars[end...].first { $0 != " " }
            if [before, behind].contains(where: { $0?.isLeftToRightLetter == true }) {
                for index in start..<end where isDigit(index) { isBeside[index] = true }
            }
            start = end
        }
        return isBeside
    }

    /// Whether more closing than opening brackets of these lines follow a space.
    static func areBracketsTurned(in lines: [String]) -> Bool {
        var (opening, closing) = (0, 0)
        for line in lines {
            var last: Unicode.Scalar = " "
            for scalar in line.unicodeScalars {
                if last == " ", "([{".unicodeScalars.contains(scalar) { opening += 1 }
                if last == " ", ")]}".unicodeScalars.contains(scalar) { closing += 1 }
                last = scalar
            }
        }
        return closing > opening
    }
}

/// How many letters of a text are of scripts of either direction.
struct DirectionCount {
    private(set) var leftToRight = 0
    private(set) var rightToLeft = 0

    mutating func add(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar.isRightToLeftLetter { rightToLeft += 1 }
            if scalar.isLeftToRightLetter { leftToRight += 1 }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of Hebrew, Arabic, Syriac, Thaana, N'Ko or another script from right to left.
    fileprivate var isRightToLeftLetter: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            properties.isAlphabetic
        default: false
        }
    }

    fileprivate var isLeftToRightLetter: Bool { !isRightToLeftLetter && properties.isAlphabetic }

    private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
        "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»", "»": "«",
        "‹": "›", "›": "‹",
    ]

    fileprivate var mirrored: Unicode.Scalar { Self.brackets[self] ?? self }
}
