/// A printed page: lines and their positions.
///
/// Lengths are in points from the page's upper left corner; on a right-to-left page, from the upper right corner.
struct PrintedPage: Sendable {
    /// Counted from 0.
    var index: Int
    var width: Float
    var height: Float
    var lines: [PrintedLine]
    /// How most of its text is turned; lengths and lines are those of the page turned upright.
    var turn = TextTurn.upright
    /// Rotated lines, in groups with their own coordinates.
    var turned: [[PrintedLine]] = []

    /// Whether most of its text is right-to-left; the boxes of its lines are mirrored then.
    var isRightToLeft = false
    /// The signs without a meaning: a font that does not say which letters it shows gives them.
    var unknown = UnknownSigns()
    /// The signs of each font, until the page is added to its document.
    var letters: [String: FontLetters] = [:]
    /// How many boxes of a form are ticked.
    var tickedBoxes = 0
    /// The number of form fields on the page.
    var formFields = 0
    var hasPictures = false

    var isBlank: Bool { lines.isEmpty && turned.isEmpty }
    /// The length of its text in UTF-8.
    var bytes: Int { (lines + turned.joined()).reduce(0) { $0 + $1.text.utf8.count } }

    /// The limit on coordinates and letter sizes, larger than any page.
    private static let reach: Float = 1_000_000

    mutating func take(_ unknown: UnknownSigns, _ fonts: PageFonts) {
        self.unknown.add(unknown)
        letters.merge(fonts.byName) { $1 }
    }

    /// Adds those of `more` with valid coordinates, and turns the page as most of its text is.
    mutating func take(_ more: [TextTurn: [PrintedLine]]) {
        func length(_ turn: TextTurn) -> Int { more[turn]?.reduce(0) { $0 + $1.text.utf8.count } ?? 0 }
        // The first of equals counts, so that a page without text stays as it is.
        turn = TextTurn.allCases.dropFirst().reduce(.upright) { length($1) > length($0) ? $1 : $0 }
        if turn.exchangesSides { (width, height) = (height, width) }
        take(more[turn] ?? [])
        turned = TextTurn.allCases.filter { $0 != turn }.compactMap { more[$0].map(Self.valid) }
            .filter { !$0.isEmpty }
    }

    /// Adds those of `more` with valid coordinates.
    mutating func take(_ more: [PrintedLine]) {
        lines += Self.valid(more)
    }

    private static func valid(_ lines: [PrintedLine]) -> [PrintedLine] {
        lines.filter { line in
            // A comparison with NaN is false.
            [line.box.left, line.box.top, line.box.right, line.box.bottom, line.size].allSatisfy {
                abs($0) <= Self.reach
            }
        }
    }
}

/// Text on one line without a wide gap.
struct PrintedLine: Sendable {
    /// The text, without line breaks; never blank.
    var text: String
    var box: PrintedBox
    /// The most common size of its characters, in points.
    var size: Float
    var isBold: Bool
    /// Small characters set higher than the rest, in UTF-16 units.
    var raised: [Range<Int>] = []

    /// The line on a page of the given width, seen in a mirror.
    func mirrored(width: Float) -> PrintedLine {
        var line = self
        line.box = box.mirrored(width: width)
        return line
    }
}

struct PrintedBox: Sendable, Hashable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    func mirrored(width: Float) -> PrintedBox {
        PrintedBox(left: width - right, top: top, right: width - left, bottom: bottom)
    }

    var width: Float { right - left }
    var height: Float { bottom - top }
    var middle: Float { (top + bottom) / 2 }

    func union(_ other: PrintedBox) -> PrintedBox {
        PrintedBox(
            left: min(left, other.left),
            top: min(top, other.top),
            right: max(right, other.right),
            bottom: max(bottom, other.bottom)
        )
    }

    /// Whether both are on one line: they overlap vertically by more than half of the smaller height.
    func isBeside(_ other: PrintedBox) -> Bool {
        let shared = min(bottom, other.bottom) - max(top, other.top)
        return shared > 0.5 * min(height, other.height)
    }
}

extension [PrintedLine] {
    var box: PrintedBox? {
        guard let first else { return nil }
        return dropFirst().reduce(first.box) { $0.union($1.box) }
    }
}

extension Sequence<Float> {
    /// The median, or `fallback` for an empty collection.
    func median(or fallback: Float) -> Float {
        let sorted = sorted()
        return sorted.isEmpty ? fallback : sorted[sorted.count / 2]
    }
}
