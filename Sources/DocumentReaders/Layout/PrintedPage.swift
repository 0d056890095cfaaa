/// A printed page: lines and their positions.
///
/// Lengths are in points from the page's upper left corner.
struct PrintedPage: Sendable {
    /// Counted from 0.
    var index: Int
    var width: Float
    var height: Float
    var lines: [PrintedLine]

    /// The limit on coordinates and letter sizes, larger than any page.
    private static let reach: Float = 1_000_000

    /// Adds those of `more` with valid coordinates.
    mutating func take(_ more: [PrintedLine]) {
        lines += more.filter { line in
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
}

struct PrintedBox: Sendable, Hashable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

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
